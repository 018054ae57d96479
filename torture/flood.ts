/**
 * An open-loop generator of sign-ups: they come when they are due, answered or not, over connections with one request on
 * its way on each. Run as a process, this file generates the load that it is sent.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT, signUpOf } from '../bench/generator.ts';
import { jsonRequest, openLine, type Line } from './line.ts';

/** What the generator is told to do; sign-ups are numbered from `from`, and unique by their number. */
export interface Flood {
  readonly port: number;
  readonly token: string;
  readonly planId: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
  readonly from: number;
}

/** What became of the sign-ups; times are milliseconds from the request to the end of its answer. */
export interface FloodResult {
  readonly sent: number;
  /** Due while every connection waited for an answer. */
  readonly unsent: number;
  readonly accepted: number;
  readonly refused: number;
  /** Answered by anything but 201, 429 and 503, or by nothing. */
  readonly odd: number;
  readonly acceptedP50: number;
  readonly acceptedP99: number;
  readonly acceptedMost: number;
  readonly refusedP50: number;
  readonly refusedP99: number;
}

const TICK_MS = 1;
/** What has no answer so long after the last request never will. */
const PATIENCE_MS = 5_000;
const REOPEN_MS = 100;

/** A line that is opened again when it was closed. */
interface LastingLine {
  /** Sends one request; the next only when this line is told to be free. */
  send(request: string): Promise<void>;
  close(): void;
}

interface Told {
  free(line: LastingLine): void;
  /** @param status 0 when the line was closed instead */
  answered(status: number, ms: number): void;
}

function keepLine(port: number, told: Told): LastingLine {
  const state: { isOver: boolean; line?: Line } = { isOver: false };
  const lasting: LastingLine = {
    async send(request) {
      const sentAt = performance.now();
      const exchange = await state.line?.exchange(request);
      const isAnswered = exchange?.kind === 'answered';
      told.answered(isAnswered ? exchange.status : 0, performance.now() - sentAt);
      if (isAnswered && !exchange.closes) told.free(lasting);
    },
    close() {
      state.isOver = true;
      state.line?.socket.destroy();
    },
  };
  const openAgain = (): void => {
    if (!state.isOver) setTimeout(open, REOPEN_MS);
  };
  const open = (): void => {
    openLine(port).then((line) => {
      state.line = line;
      line.socket.once('close', openAgain);
      if (state.isOver) lasting.close();
      else told.free(lasting);
    }, openAgain);
  };
  open();
  return lasting;
}

async function generate(flood: Flood): Promise<FloodResult> {
  const { port, token, planId, perSecond, seconds, connections, from } = flood;
  const free: LastingLine[] = [];
  const accepted: number[] = [];
  const refused: number[] = [];
  const counts = { sent: 0, unsent: 0, odd: 0 };
  const told: Told = {
    free: (line) => void free.push(line),
    answered(status, ms) {
      if (status === 201) accepted.push(ms);
      else if (status === 503 || status === 429) refused.push(ms);
      else counts.odd += 1;
    },
  };
  const lines = Array.from({ length: connections }, () => keepLine(port, told));
  for (const begin = performance.now(); free.length < connections && performance.now() - begin < PATIENCE_MS;)
    await sleep(10);
  const begin = performance.now();
  for (let due = 0; performance.now() - begin < seconds * 1000; await sleep(TICK_MS)) {
    for (const now = ((performance.now() - begin) / 1000) * perSecond; due < now; due += 1) {
      // The one that was answered longest ago, so that all of them take part.
      const line = free.shift();
      if (line === undefined) {
        counts.unsent += 1;
        continue;
      }
      const number = from + counts.sent;
      const headers = [`Idempotency-Key: flood-${number}`];
      void line.send(jsonRequest('/subscriptions', token, signUpOf(number, planId), headers));
      counts.sent += 1;
    }
  }
  const answered = (): number => accepted.length + refused.length + counts.odd;
  for (const end = performance.now(); answered() < counts.sent && performance.now() - end < PATIENCE_MS;)
    await sleep(10);
  for (const line of lines) line.close();
  const ofAccepted = accepted.toSorted((one, other) => one - other);
  const ofRefused = refused.toSorted((one, other) => one - other);
  return {
    ...counts,
    odd: counts.odd + counts.sent - answered(),
    accepted: accepted.length,
    refused: refused.length,
    acceptedP50: at(ofAccepted, 0.5),
    acceptedP99: at(ofAccepted, 0.99),
    acceptedMost: at(ofAccepted, 1),
    refusedP50: at(ofRefused, 0.5),
    refusedP99: at(ofRefused, 0.99),
  };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** Lets a process of its own generate the load. */
export async function flood(load: Flood): Promise<FloodResult> {
  const child = fork(fileURLToPath(import.meta.url), [], { cwd: ROOT });
  child.send(load);
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [FloodResult | number];
  if (typeof result !== 'object') throw new Error('the generator failed');
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [load] = (await once(process, 'message')) as [Flood];
  const result = await generate(load);
  process.send?.(result);
  process.disconnect?.();
}
