/**
 * What many starts of supply on one midnight take: subscriptions are signed up, confirmed, and then the project's time
 * reaches the midnight while sign-ups go on in another project's time. Usage: midnight.ts [subscriptions]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send, fetchToken } from '#test/support/service.ts';
import { CLIENT, generateApart, startService, stop } from './generator.ts';

const [count = 100_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'wattline-midnight-'));
const running = await startService(join(folder, 'data'));
try {
  const url = `http://127.0.0.1:${running.port}`;
  const token = await fetchToken(url, CLIENT);
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const reply = await send(url, method, path, { token, body });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.json as Record<string, unknown>;
  };
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const planId = ((await call('GET', '/plans'))['items'] as { id: string }[])[0]?.id ?? '';
  const kind = { name: 'sign-up', planId } as const;
  const load = { port: running.port, token, kind };
  const { now } = (await call('GET', '/sandbox/clock')) as { now: string };
  await call('POST', '/sandbox/clock', { advance_to: now });
  const advance = async (to: object): Promise<number> => {
    const begin = performance.now();
    await call('POST', '/sandbox/clock', to);
    return (performance.now() - begin) / 1000;
  };
  const signUps = await generateApart({ ...load, count, from: 0 });
  say(`${count} sign-ups: ${signUps.perSecond.toFixed(0)}/s, p99 ${signUps.p99.toFixed(0)} ms`);
  const first = ((await call('GET', '/subscriptions?limit=1'))['items'] as { requested_start_date: string }[])[0];
  const midnight = Temporal.PlainDate.from(first?.requested_start_date ?? '')
    .toZonedDateTime('Europe/Berlin')
    .toInstant();
  say(
    `until a minute before the midnight: ${(await advance({ advance_to: midnight.subtract({ seconds: 60 }).toString({ smallestUnit: 'second' }) })).toFixed(1)} s`,
  );
  const meanwhile = generateApart({ ...load, count: 20_000, from: count });
  const seconds = await advance({ advance_to: midnight.toString({ smallestUnit: 'second' }) });
  say(`${count} starts: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)}/s`);
  const during = await meanwhile;
  say(`sign-ups meanwhile: ${during.perSecond.toFixed(0)}/s, p99 ${during.p99.toFixed(0)} ms`);
  const last = await call('GET', `/subscriptions?limit=1&filter[stage][eq]=confirmed`);
  say(`left confirmed: ${(last['items'] as unknown[]).length}`);
} finally {
  await stop(running);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
