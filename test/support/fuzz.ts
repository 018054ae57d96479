import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { documentedCodes } from '#features/reference/index.ts';
import { seededRandom, type Json } from './builders.ts';
import type { Reply } from './service.ts';

const HANG_MS = 5_000;

/** Draws in the same order for the same seed. */
export interface Dice {
  readonly random: () => number;
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
}

/** @param seed decides all draws */
export function createDice(seed: number): Dice {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { random, below, pick: (items) => items[below(items.length)] as never };
}

const KNOWN = new Set([...Object.keys(documentedCodes.problems), ...Object.keys(documentedCodes.fields)]);
const OAUTH_ERRORS = /^(invalid_(request|client|grant|scope)|unsupported_grant_type|slow_down)$/;
const LEAKS =
  /\n\s+at |node_modules|node:internal|\.ts:\d|insert into|delete from|\bselect\b.*\bfrom\b|violates|syntax error at|PostgreSQL|SQLSTATE|_pkey|FST_ERR|TypeError|RangeError/;

/** An answer as far as the rules look at it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Status line and headers as they came; of `exchange` only. */
  readonly head?: string;
}

/** What is wrong with an answer, or `null`. */
export function fault({ status, type, text }: Answer): string | null {
  if (status >= 500) return `is ${status}`;
  if (LEAKS.test(text)) return 'tells of its inside';
  if (status < 400) return null;
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    return `is ${status} without JSON`;
  }
  if (typeof body.error === 'string') return OAUTH_ERRORS.test(body.error) ? null : `has the OAuth error ${body.error}`;
  if (!type.startsWith('application/problem+json')) return `is ${status} of the type ${type}`;
  if (!KNOWN.has(body.code)) return `has the undocumented code ${body.code}`;
  const unknown = (body.errors as { field: string; code: string }[]).find(({ code }) => !KNOWN.has(code));
  return unknown === undefined ? null : `has the undocumented code ${unknown.code} of a member`;
}

/** Gathers what goes wrong, so that one run shows all of it. */
export class Findings {
  readonly seen = new Map<string, string[]>();
  requests = 0;
  readonly statuses = new Map<number, number>();

  note(what: string, problem: string | null, status: number): void {
    this.requests += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (problem !== null) this.seen.set(problem, [...(this.seen.get(problem) ?? []), what.slice(0, 300)]);
  }

  assertNone(): void {
    const lines = [...this.seen].map(
      ([problem, whats]) => `${whats.length} × ${problem}: ${whats.slice(0, 3).join(' | ')}`,
    );
    assert.deepEqual(lines, []);
  }
}

/** @throws when there is no answer in time */
export async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${HANG_MS} ms: ${what.slice(0, 300)}`)),
    HANG_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the same work many times, some at once. */
export async function many(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 12 }, lane));
}

/** What a call was answered. */
export const answerOf = (reply: Reply): Answer => ({ ...reply, type: reply.headers.get('content-type') ?? '' });

/**
 * Writes bytes on a connection of their own and reads until the server closes it: the first answer, or `null`.
 * @param isWhole whether the bytes are a request after which the server closes; otherwise we close after them
 */
export function exchange(baseUrl: string, bytes: string | Uint8Array, isWhole = true): Promise<Answer | null> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      // A server may give up an answer to someone who has hung up already.
      if (isWhole) socket.write(bytes);
      else socket.end(bytes);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A connection that is cut after the answer, or instead of one, is an answer as well.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      const head = all.subarray(0, end === -1 ? all.length : end).toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
      const type = /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const text = all.subarray(end + 4, end + 4 + length).toString('utf8');
      resolve(status === undefined ? null : { status: Number(status), type, text, head });
    });
  });
}

/** An HTTP request as text, closed after its answer. */
export function rawRequest(
  token: string,
  method: string,
  target: string,
  headers: readonly string[] = [],
  body = '',
): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    ...headers,
  ];
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A few bytes changed, added, doubled or cut away. */
export function damage({ below, pick }: Dice, bytes: Buffer): Buffer {
  let damaged = bytes;
  for (let left = 1 + below(3); left > 0; left -= 1) {
    const at = below(damaged.length);
    const [head, tail] = [damaged.subarray(0, at), damaged.subarray(at)];
    const changes = [
      () => Buffer.concat([head, Buffer.of(below(256)), tail.subarray(1)]),
      () => Buffer.concat([head, tail.subarray(1)]),
      () => Buffer.concat([head, Buffer.of(below(256)), tail]),
      () =>
        Buffer.concat([
          head,
          Buffer.from(pick(['"', '{', '}', '[', ']', ',', ':', '\\', '\\u', '1e999', '-', ' '])),
          tail,
        ]),
      () => Buffer.concat([head, tail.subarray(0, 20), tail]),
      () => head,
      // A letter or digit for another, so that some stay valid.
      () => Buffer.concat([head, Buffer.from(String.fromCodePoint(97 + below(26))), tail.subarray(1)]),
    ];
    damaged = pick(changes)();
    if (damaged.length === 0) return damaged;
  }
  return damaged;
}
