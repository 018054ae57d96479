import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT, generateApart, startService, stop, type Running } from '../bench/generator.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { atLeast, atMost, told, type Finding } from './finding.ts';
import { flood } from './flood.ts';
import { MEGABYTE, residentOf } from './resident.ts';

/** How the service is flooded. */
export interface OverloadOptions {
  readonly seconds: number;
  /** So many times the capacity that is measured before; absent: 10. */
  readonly times?: number;
  readonly connections?: number;
  /** Sign-ups from which the capacity is taken; absent: 10,000. */
  readonly measured?: number;
  /** Settings of the service that differ from the usual. */
  readonly settings?: Readonly<Record<string, string>>;
}

const WARM_UP = 5_000;
const MEMORY_EVERY_MS = 100;
const LEFT_LIMIT_MB = 150;
const COMES_BACK_MS = 10_000;
const HEALTH_LIMIT_MS = 2_000;

/**
 * Sign-ups at many times what the service can do: what is accepted must be answered soon, nearly as many as without the
 * flood, and the rest refused at once; memory must not grow for good. Linux only.
 */
export async function overload(options: OverloadOptions): Promise<Finding[]> {
  const { seconds, times = 10, connections = 1_500, measured = 10_000, settings = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'wattline-overload-'));
  const service = await startService(join(folder, 'data'), { LOG_LEVEL: 'error', ...settings });
  try {
    const url = `http://127.0.0.1:${service.port}`;
    const token = await fetchToken(url, CLIENT);
    const planId = (await send(url, 'GET', '/plans', { token })).json.items[0].id as string;
    const closed = { port: service.port, token, kind: { name: 'sign-up', planId } } as const;
    await generateApart({ ...closed, from: 1, count: WARM_UP });
    const capacity = (await generateApart({ ...closed, from: 1_000_000, count: measured })).perSecond;
    await sleep(1_000);
    const before = residentOf(service);
    const seen = { most: before, slowestHealth: 0, isOver: false };
    const watching = watch(service, url, seen);
    const perSecond = capacity * times;
    const result = await flood({ port: service.port, token, planId, perSecond, seconds, connections, from: 2_000_000 });
    seen.isOver = true;
    await watching;
    const grown = (): number => (residentOf(service) - before) / MEGABYTE;
    for (const end = performance.now(); grown() > LEFT_LIMIT_MB && performance.now() - end < COMES_BACK_MS;) {
      await sleep(MEMORY_EVERY_MS);
    }
    const left = grown();
    return [
      told('capacity per second', capacity),
      told('sent per second', result.sent / seconds),
      told('due while every connection waited, per second', result.unsent / seconds),
      atLeast('goodput in capacities', result.accepted / seconds / capacity, 0.7),
      told('p50 of accepted', result.acceptedP50, 'ms'),
      atMost('p99 of accepted', result.acceptedP99, 2_000),
      told('slowest accepted', result.acceptedMost, 'ms'),
      told('refused per second', result.refused / seconds),
      told('p50 of refused', result.refusedP50, 'ms'),
      atMost('p99 of refused', result.refusedP99, 1_000),
      atMost('answered by anything but 201, 429 and 503, or not at all', result.odd, 0, ''),
      atMost('slowest GET /health', seen.slowestHealth, HEALTH_LIMIT_MS),
      told('memory before', before / MEGABYTE, 'MB'),
      atMost('memory grown', (seen.most - before) / MEGABYTE, 150, 'MB'),
      // An engine with nothing to do keeps what it has collected; what it keeps for good would be more each time.
      atMost('memory grown that is left at the end', left, LEFT_LIMIT_MB, 'MB'),
    ];
  } finally {
    await stop(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function watch(
  service: Running,
  url: string,
  seen: { most: number; slowestHealth: number; isOver: boolean },
): Promise<void> {
  while (!seen.isOver) {
    seen.most = Math.max(seen.most, residentOf(service));
    const begin = performance.now();
    const answer = await fetch(`${url}/health`).catch(() => null);
    await answer?.text();
    seen.slowestHealth = Math.max(seen.slowestHealth, answer?.status === 200 ? performance.now() - begin : Infinity);
    await sleep(MEMORY_EVERY_MS);
  }
}
