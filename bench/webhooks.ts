/**
 * Deliveries of webhooks in a second to a receiver on this machine, and how soon after its commit an event arrives, also
 * beside a receiver that takes 20 s. Explained in the results it writes: bench/results.md.
 * Usage: webhooks.ts [seconds at 200 events/s] [deliveries …]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send, fetchToken } from '#test/support/service.ts';
import { CLIENT, generateApart, signUpOf, startService, stop } from './generator.ts';
import { describeMachine, writeResults } from './results.ts';

const [seconds = 20, ...counts] = process.argv.slice(2).map(Number);
const BACKLOGS = counts.length > 0 ? counts : [10_000, 50_000];
const count = BACKLOGS.reduce((sum, backlog) => sum + backlog, 0);
const EVENTS_A_SECOND = 200;
const SLOW_MS = 20_000;

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** When each sign-up arrived first, by its number. */
const arrived = new Map<number, number>();
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const number = Number(/"external_id":"order-(\d+)"/.exec(Buffer.concat(chunks).toString('latin1'))?.[1]);
    if (!arrived.has(number)) arrived.set(number, performance.now());
    response.writeHead(204).end();
  });
});
const slow = createServer((request, response) => {
  request.resume();
  const timer = setTimeout(() => response.writeHead(204).end(), SLOW_MS);
  response.on('close', () => clearTimeout(timer));
});

/** Signs up evenly, from a number on; milliseconds from the answer, which follows the commit, to the first arrival. */
async function delaysAt(call: Call, planId: string, from: number): Promise<number[]> {
  const committed = new Map<number, number>();
  const asked: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < seconds * EVENTS_A_SECOND; index += 1) {
    await sleep(Math.max(0, start + (index * 1000) / EVENTS_A_SECOND - performance.now()));
    const sign = async (number: number): Promise<void> => {
      await call('POST', '/subscriptions', JSON.parse(signUpOf(number, planId)));
      committed.set(number, performance.now());
    };
    asked.push(sign(from + index));
  }
  await Promise.all(asked);
  while (![...committed.keys()].every((number) => arrived.has(number))) await sleep(5);
  return [...committed].map(([number, at]) => Math.max(0, (arrived.get(number) ?? Infinity) - at));
}

function lineOf(what: string, delays: readonly number[]): string {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(sorted.length * share) - 1] ?? NaN).toFixed(0);
  return `| ${[what, at(0.5), at(0.95), at(0.99), at(1)].join(' | ')} |`;
}

const EXPLANATION = `
- **Deliveries in a second**: those that wait for one endpoint, from its being enabled to the last one's arrival.
- **From commit to arrival**: from the answer 201 of a sign-up to the first attempt's arrival, at ${EVENTS_A_SECOND} events/s for ${seconds} s;
  then again while another endpoint with ${count.toLocaleString('en')} waiting deliveries takes ${SLOW_MS / 1000} s for each answer.
`;

async function measure(call: Call, load: { readonly port: number; readonly token: string }): Promise<string> {
  const planId = ((await call('GET', '/plans'))['items'] as { id: string }[])[0]?.id ?? '';
  const endpoint = async (server: typeof receiver): Promise<string> => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { id } = await call('POST', '/webhook-endpoints', { url, types: ['subscription.created'], enabled: false });
    return `/webhook-endpoints/${String(id)}`;
  };
  const [fastPath, slowPath] = [await endpoint(receiver), await endpoint(slow)];
  const rates: string[] = [];
  for (const backlog of BACKLOGS) {
    await call('PATCH', fastPath, { enabled: false });
    const from = arrived.size;
    await generateApart({ ...load, kind: { name: 'sign-up', planId }, count: backlog, from });
    // The market processes of these sign-ups have done what they do at once.
    await sleep(backlog / 2);
    const begin = performance.now();
    await call('PATCH', fastPath, { enabled: true });
    while (arrived.size < from + backlog) await sleep(5);
    const rate = Math.round((backlog * 1000) / (performance.now() - begin));
    rates.push(
      `- ${backlog.toLocaleString('en')} waiting: ${rate.toLocaleString('en')} deliveries in a second (required: 1,000)`,
    );
  }
  const alone = await delaysAt(call, planId, count);
  await call('PATCH', slowPath, { enabled: true });
  await sleep(2_000);
  const beside = await delaysAt(call, planId, count + alone.length);
  return `${EXPLANATION}
- ${describeMachine()}
- generator, receivers, service and PostgreSQL share the processors
${rates.join('\n')}

| from commit to arrival | p50 ms | p95 ms | p99 ms | most ms |
|---|--:|--:|--:|--:|
${lineOf('alone', alone)}
${lineOf('beside a slow endpoint', beside)}
`;
}

const folder = mkdtempSync(join(tmpdir(), 'wattline-webhooks-'));
const running = await startService(join(folder, 'data'), { WEBHOOK_ALLOW_PRIVATE: 'true' });
for (const server of [receiver, slow]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
try {
  const url = `http://127.0.0.1:${running.port}`;
  const token = await fetchToken(url, CLIENT);
  const call: Call = async (method, path, body) => {
    const reply = await send(url, method, path, { token, body });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.json as Record<string, unknown>;
  };
  process.stdout.write(writeResults('webhooks', await measure(call, { port: running.port, token })));
} finally {
  for (const server of [receiver, slow]) {
    server.closeAllConnections();
    server.close();
  }
  await stop(running);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
