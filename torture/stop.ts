import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT, signUpOf, startService } from '../bench/generator.ts';
import { eventually } from '#test/support/process.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { atLeast, atMost, told, type Finding } from './finding.ts';
import { jsonRequest, openLine } from './line.ts';

/** How often, and among how many connections, the service is stopped. */
export interface StopOptions {
  readonly rounds: number;
  readonly connections?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

const SERVED_BEFORE_MS = { from: 0, to: 400 } as const;
const STOP_LIMIT_MS = 10_000;

interface Tally {
  answered: number;
  /** Answered by anything but 201. */
  failed: number;
  /** The connection ended within the answer. */
  cut: number;
  /** The connection ended before a byte of the answer: must not have been carried out. */
  readonly unanswered: number[];
  next: number;
}

/** Signs customers up on one connection after the other until nobody listens any more. */
async function customer(port: number, token: string, planId: string, tally: Tally): Promise<void> {
  for (;;) {
    const line = await openLine(port).catch(() => null);
    if (line === null) return;
    for (let isOpen = true; isOpen;) {
      const number = (tally.next += 1);
      const exchange = await line.exchange(requestOf(number, token, planId));
      if (exchange.kind === 'cut') tally.cut += 1;
      else if (exchange.kind === 'closed') tally.unanswered.push(number);
      else if (exchange.status === 201) tally.answered += 1;
      else tally.failed += 1;
      isOpen = exchange.kind === 'answered' && !exchange.closes;
    }
    line.socket.destroy();
  }
}

function requestOf(number: number, token: string, planId: string): string {
  return jsonRequest('/subscriptions', token, signUpOf(number, planId), [`Idempotency-Key: stop-${number}`]);
}

/**
 * SIGTERM under load, again and again: whatever was on its way is answered, and a request whose connection was closed
 * before its answer was not carried out.
 */
export async function stopUnderLoad(options: StopOptions): Promise<Finding[]> {
  const { rounds, connections = 32, settings = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'wattline-stop-'));
  const tally: Tally = { answered: 0, failed: 0, cut: 0, unanswered: [], next: 0 };
  const seen = { slowestMs: 0, cleanly: 0, carriedOut: 0, left: [] as number[], planId: '' };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const service = await startService(join(folder, 'data'), { LOG_LEVEL: 'error', ...settings });
      const url = `http://127.0.0.1:${service.port}`;
      const token = await fetchToken(url, CLIENT);
      seen.planId ||= (await send(url, 'GET', '/plans', { token })).json.items[0].id as string;
      // What the round before left without an answer is sent again: nothing of it may be there.
      for (const number of tally.unanswered.splice(0)) {
        seen.left.push(number);
        const body = signUpOf(number, seen.planId);
        const headers = { 'idempotency-key': `stop-${number}` };
        const reply = await send(url, 'POST', '/subscriptions', { token, body, headers });
        if (reply.status !== 201 || reply.headers.has('idempotency-replayed')) seen.carriedOut += 1;
      }
      // The last round only looks after the one before.
      const load = round < rounds ? connections : 0;
      const customers = Array.from({ length: load }, () => customer(service.port, token, seen.planId, tally));
      const due = tally.answered + load;
      await eventually(() => tally.answered >= due, 'the load is there');
      await sleep(randomInt(SERVED_BEFORE_MS.from, SERVED_BEFORE_MS.to));
      const begin = performance.now();
      service.child.kill('SIGTERM');
      const [code] = (await once(service.child, 'exit')) as [number | null];
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - begin);
      if (code === 0) seen.cleanly += 1;
      await Promise.all(customers);
    }
    return [
      atLeast('sign-ups answered', tally.answered, rounds * connections),
      atMost('answered by anything but 201', tally.failed, 0, ''),
      atMost('answers cut', tally.cut, 0, ''),
      told('connections closed before an answer', seen.left.length),
      atMost('carried out and not answered', seen.carriedOut, 0, ''),
      atLeast('clean ends', seen.cleanly, rounds + 1),
      atMost('slowest stop', seen.slowestMs, STOP_LIMIT_MS),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
