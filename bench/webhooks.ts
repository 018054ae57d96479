/**
 * Deliveries of webhooks in a second to a receiver on this machine, and how soon after its commit an event arrives.
 * Usage: webhooks.ts [deliveries] [seconds at 200 events/s]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, fetchToken } from '#test/support/service.ts';
import { CLIENT, generateApart, signUpOf, startService, stop, summarise } from './generator.ts';

const [count = 20_000, seconds = 20] = process.argv.slice(2).map(Number);
const EVENTS_A_SECOND = 200;
const folder = mkdtempSync(join(tmpdir(), 'wattline-webhooks-'));
const running = await startService(join(folder, 'data'), { WEBHOOK_ALLOW_PRIVATE: 'true' });
const state = { received: 0 };
const arrived = new Map<string, number>();
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    state.received += 1;
    const id = /"external_id":"([^"]+)"/.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? '';
    if (!arrived.has(id)) arrived.set(id, performance.now());
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
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
  const { port } = receiver.address() as AddressInfo;
  const target = { url: `http://127.0.0.1:${port}/`, types: ['subscription.created'] };
  const { id } = await call('POST', '/webhook-endpoints', { ...target, enabled: false });
  const kind = { name: 'sign-up', planId } as const;
  const signUps = await generateApart({ port: running.port, token, kind, count, from: 0 });
  say(`${count} sign-ups: ${signUps.perSecond.toFixed(0)}/s`);
  await sleep(5_000);
  const begin = performance.now();
  await call('PATCH', `/webhook-endpoints/${String(id)}`, { enabled: true });
  while (state.received < count) await sleep(5);
  const taken = (performance.now() - begin) / 1000;
  say(`${count} deliveries to one endpoint: ${taken.toFixed(1)} s, ${(count / taken).toFixed(0)}/s`);

  const committed = new Map<string, number>();
  const asked: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < seconds * EVENTS_A_SECOND; index += 1) {
    const number = count + index;
    await sleep(Math.max(0, start + (index * 1000) / EVENTS_A_SECOND - performance.now()));
    const sign = async (): Promise<void> => {
      await call('POST', '/subscriptions', JSON.parse(signUpOf(number, planId)));
      committed.set(`order-${number}`, performance.now());
    };
    asked.push(sign());
  }
  await Promise.all(asked);
  while (state.received < count + asked.length) await sleep(5);
  const delays = [...committed].map(([key, at]) => Math.max(0, (arrived.get(key) ?? Infinity) - at));
  const { p50, p99 } = summarise(1, Float64Array.from(delays));
  say(`at ${EVENTS_A_SECOND} events/s from commit to arrival: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
} finally {
  receiver.closeAllConnections();
  receiver.close();
  await stop(running);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
