/** Receivers beside slow ones; in a file of its own, because being slow takes long. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver, until, type Receiver } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';
import { openProject, percentile, type WebhookProject } from '../support/webhooks.ts';

const SLOW_MS = 20_000;
const BACKLOG = 400;
const SIGN_UPS = 300;
/** So that attempts on the slow ones end and begin all the while. */
const SPREAD_MS = 25_000;
const MAX_DELAY_MS = 2_000;

let service: TestService;
const receivers: Receiver[] = [];
before(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1' });
});
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.stop();
});

const slowAnswer: Receiver['answer'] = (response) => {
  const timer = setTimeout(() => response.writeHead(204).end(), SLOW_MS);
  response.on('close', () => clearTimeout(timer));
};

async function receive(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

/** Signs up evenly; of each event, milliseconds from the answer 201 to its arrival. */
async function delaysOf(own: WebhookProject, fast: Receiver): Promise<number[]> {
  const answered = new Map<string, number>();
  const begin = performance.now();
  const asked: Promise<void>[] = [];
  for (let index = 0; index < SIGN_UPS; index += 1) {
    await sleep(Math.max(0, begin + (index * SPREAD_MS) / SIGN_UPS - performance.now()));
    asked.push(own.signUp().then(([id = '']) => void answered.set(id, performance.now())));
  }
  await Promise.all(asked);
  const arrivals = (): Map<string, number> =>
    new Map(fast.received.map(({ at, event }) => [event.data.subscription.id, at]));
  await until('all at the fast one', () => [...answered.keys()].every((id) => arrivals().has(id)));
  const arrived = arrivals();
  return [...answered].map(([id, at]) => Math.max(0, (arrived.get(id) ?? Infinity) - at));
}

describe('a receiver that takes 20 s', { concurrency: true }, () => {
  for (const count of [1, 8]) {
    test(`with a long backlog, ${count} of them, delays another by less than 2 s at the 95th percentile`, async (context) => {
      const own = await openProject(service);
      const slow = await receive(slowAnswer);
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) ids.push((await own.endpoint(`${slow.url}/${index}`)).id);
      for (let round = 0; round < BACKLOG / 50; round += 1) await own.signUp(50);
      await until('the slow one is at work', () => slow.received.length >= 10 * count);
      const fast = await receive();
      await own.endpoint(fast.url);
      const delays = await delaysOf(own, fast);
      const [p50, p95] = [percentile(delays, 0.5), percentile(delays, 0.95)];
      context.diagnostic(`p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
      assert.equal(delays.length, SIGN_UPS);
      assert.ok(p95 < MAX_DELAY_MS, `p95 ${p95} ms`);
      for (const id of ids) {
        // The slow one had its backlog all the while, and its attempts were given up in time.
        assert.ok((await own.readEndpoint(id)).status.backlog >= BACKLOG);
        const attempts = (await own.deliveries(`filter[endpoint][eq]=${id}`)).flatMap((each) => each.attempts);
        assert.ok(attempts.length > 0);
        for (const attempt of attempts) {
          assert.deepEqual([attempt.status_code, attempt.error], [null, 'timeout']);
          assert.ok(attempt.latency_ms >= 14_900 && attempt.latency_ms < SLOW_MS, String(attempt.latency_ms));
        }
      }
      assert.equal((await own.isAny('succeeded')) && slow.received.length > 0, true);
    });
  }
});
