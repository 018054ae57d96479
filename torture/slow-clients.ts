import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT, signUpOf, startService, stop } from '../bench/generator.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { atLeast, atMost, told, type Finding } from './finding.ts';
import { jsonRequest, openLine, type Exchange, type Line } from './line.ts';
import { MEGABYTE, residentOf } from './resident.ts';

/** How many of each kind of bad client there are. */
export interface SlowClientsOptions {
  /** Connections on which nothing is ever sent; absent: 10,000. */
  readonly idle?: number;
  /** Of each other kind; absent: 50. */
  readonly each?: number;
  /** Whether to wait for slow bodies too, which are given 20 seconds; absent: yes. */
  readonly bodies?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Bodies all but a byte of which come at once, so that they have to be kept; absent from the short form. */
const UNFINISHED_BODIES = 600;
const UNFINISHED_BYTES = 250_000;
const DRIP_EVERY_MS = 500;
const HEADERS_LIMIT_MS = 15_000;
const BODY_LIMIT_MS = 25_000;
const REFUSAL_LIMIT_MS = 2_000;
const MEMORY_LIMIT_MB = 350;
const PROBE_EVERY_MS = 50;
const PROBE_LIMIT_MS = 2_000;
const OPENED_AT_ONCE = 200;

interface Outcome {
  readonly ms: number;
  readonly exchange: Exchange;
}

/** Opens a line, does with it what a bad client does, and waits until it is rid of. */
async function badClient(port: number, misbehave: (line: Line) => (() => void) | void): Promise<Outcome> {
  const line = await openLine(port);
  const begin = performance.now();
  const ended = new Promise<void>((resolve) => line.socket.once('close', resolve));
  const cease = misbehave(line);
  const exchange = await line.answer();
  if (exchange.kind === 'answered') await Promise.race([ended, sleep(REFUSAL_LIMIT_MS)]);
  cease?.();
  line.socket.destroy();
  return { ms: performance.now() - begin, exchange };
}

/** Sends a character now and then. */
function drip(line: Line, text: string): () => void {
  const state = { next: 0 };
  const timer = setInterval(() => {
    line.socket.write(text[state.next % text.length] ?? 'x');
    state.next += 1;
  }, DRIP_EVERY_MS);
  return () => clearInterval(timer);
}

/** Sends chunks as fast as they are taken. */
function pour(line: Line): () => void {
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
  const state = { isOver: false };
  const more = (): void => {
    while (!state.isOver && line.socket.write(chunk));
  };
  line.socket.on('drain', more);
  more();
  return () => {
    state.isOver = true;
  };
}

function slowestOf(outcomes: readonly Outcome[]): number {
  return Math.max(0, ...outcomes.map(({ ms }) => ms));
}

function wrongly(outcomes: readonly Outcome[], ...statuses: readonly number[]): number {
  return outcomes.filter(({ exchange }) => exchange.kind === 'answered' && !statuses.includes(exchange.status)).length;
}

/** The bad clients, each kind with what it does and how long it may keep it up. */
function kindsOf(token: string, hasBodies: boolean): readonly Kind[] {
  const chunked = `POST /subscriptions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const whole = (bytes: number): string => jsonRequest('/subscriptions', token, 'x'.repeat(bytes));
  const usual: Kind[] = [
    {
      name: 'dripped headers',
      limitMs: HEADERS_LIMIT_MS,
      statuses: [408],
      misbehave: (line) => drip(line, 'GET /plans HTTP/1.1\r\nHost: a\r\nX: ' + 'x'.repeat(500)),
    },
    {
      name: 'half a request line',
      limitMs: HEADERS_LIMIT_MS,
      statuses: [408],
      misbehave: (line) => void line.socket.write('GET /pl'),
    },
    {
      name: 'a megabyte of headers',
      limitMs: REFUSAL_LIMIT_MS,
      statuses: [431],
      misbehave: (line) => void line.socket.write(`GET /plans HTTP/1.1\r\nX: ${'x'.repeat(1_000_000)}`),
    },
    {
      name: 'an endless body',
      limitMs: REFUSAL_LIMIT_MS * 2,
      statuses: [413],
      misbehave: (line) => {
        line.socket.write(chunked);
        return pour(line);
      },
    },
  ];
  if (!hasBodies) return usual;
  return [
    ...usual,
    {
      name: 'a dripped body',
      limitMs: BODY_LIMIT_MS,
      statuses: [408],
      misbehave: (line) => {
        line.socket.write(whole(1000).slice(0, -1000));
        return drip(line, 'x');
      },
    },
    {
      name: 'a dripped endless body',
      limitMs: BODY_LIMIT_MS,
      // Room is kept for the largest that it may become, and those that lack their end may have taken it.
      statuses: [408, 503],
      misbehave: (line) => {
        line.socket.write(chunked);
        return drip(line, '1\r\nx\r\n');
      },
    },
    {
      name: 'a body that lacks its end',
      count: UNFINISHED_BODIES,
      limitMs: BODY_LIMIT_MS,
      statuses: [408, 503],
      misbehave: (line) => void line.socket.write(whole(UNFINISHED_BYTES).slice(0, -1)),
    },
  ];
}

interface Kind {
  readonly name: string;
  readonly count?: number;
  readonly limitMs: number;
  readonly statuses: readonly number[];
  readonly misbehave: (line: Line) => (() => void) | void;
}

/**
 * Clients that send slowly, never, or without end: each is got rid of in time, memory is bounded, and others are served
 * meanwhile.
 */
export async function slowClients(options: SlowClientsOptions): Promise<Finding[]> {
  const { idle = 10_000, each = 50, bodies = true, settings = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'wattline-slow-'));
  const service = await startService(join(folder, 'data'), { LOG_LEVEL: 'error', ...settings });
  try {
    const url = `http://127.0.0.1:${service.port}`;
    const token = await fetchToken(url, CLIENT);
    const planId = (await send(url, 'GET', '/plans', { token })).json.items[0].id as string;
    const before = residentOf(service);
    const seen = { isOver: false, most: before, probes: [] as number[], failed: 0 };
    const watching = (async (): Promise<void> => {
      for (let number = 1; !seen.isOver; number += 1) {
        const begin = performance.now();
        const line = await openLine(service.port);
        const exchange = await line.exchange(jsonRequest('/subscriptions', token, signUpOf(number, planId)));
        line.socket.destroy();
        seen.probes.push(performance.now() - begin);
        if (exchange.kind !== 'answered' || exchange.status !== 201) seen.failed += 1;
        seen.most = Math.max(seen.most, residentOf(service));
        await sleep(PROBE_EVERY_MS);
      }
    })();
    const groups = kindsOf(token, bodies).map(async ({ name, count = each, limitMs, statuses, misbehave }) => {
      const outcomes = await Promise.all(Array.from({ length: count }, () => badClient(service.port, misbehave)));
      return [
        atMost(`${name}: rid of after at most`, slowestOf(outcomes), limitMs),
        atMost(`${name}: wrongly answered`, wrongly(outcomes, ...statuses), 0, ''),
      ];
    });
    const idlers: Promise<Outcome>[] = [];
    for (let opened = 0; opened < idle; opened += OPENED_AT_ONCE) {
      for (let index = 0; index < Math.min(OPENED_AT_ONCE, idle - opened); index += 1) {
        idlers.push(badClient(service.port, () => {}));
      }
      await sleep(10);
    }
    const silent = await Promise.all(idlers);
    const findings = (await Promise.all(groups)).flat();
    seen.isOver = true;
    await watching;
    const probes = seen.probes.toSorted((one, other) => one - other);
    return [
      ...findings,
      atMost('silence: rid of after at most', slowestOf(silent), HEADERS_LIMIT_MS),
      atLeast('others: sign-ups meanwhile', probes.length, 10),
      atMost('others: not answered 201', seen.failed, 0, ''),
      told('others: p50', probes[Math.floor(probes.length / 2)] ?? 0, 'ms'),
      atMost('others: slowest', probes.at(-1) ?? 0, PROBE_LIMIT_MS),
      atMost('memory grown', (seen.most - before) / MEGABYTE, MEMORY_LIMIT_MB, 'MB'),
    ];
  } finally {
    await stop(service);
    rmSync(folder, { recursive: true, force: true });
  }
}
