/** The version before and the next one on one database, under load: an upgrade without a stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { ask, startProcess, stopProcess, type Tidied } from '#test/support/process.ts';
import { fetchToken, send, type Reply } from '#test/support/service.ts';
import { CLIENT, signUpOf } from '../bench/generator.ts';
import { atLeast, atMost, none, type Finding } from './finding.ts';
import { isWell } from './versions.ts';

/** Settings of `serveTwoVersions`. */
export interface TwoVersionsOptions {
  /** A filled database with the schema of the version before. */
  readonly connection: ClientConfig;
  /** By which both versions reach it, and what else they are told. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the sources of both are. */
  readonly folders: { readonly before: string; readonly next: string };
  /** How long each phase lasts: the old one alone, both, the new one alone. */
  readonly seconds: number;
}

const SIGN_UP_CONNECTIONS = 8;
const READ_CONNECTIONS = 3;
const CHANGE_CONNECTIONS = 3;
/** Numbers of sign-ups beyond those of a filled database. */
const FIRST_NUMBER = 50_000_000;
/** Each so-many-th sign-up is repeated, by the other version if there are two. */
const REPEATED = 10;
const LONGEST_WAIT_MS = 2_000;
/** Level of the log from which on a line tells of an error. */
const ERROR_LEVEL = 50;

/** A sign-up that was answered 201. */
interface Acknowledged {
  readonly id: string;
  readonly externalId: string;
  readonly by: string;
  readonly beganAt: number;
  readonly milliseconds: number;
}

/** What the load has seen. */
interface Log {
  readonly acknowledged: Acknowledged[];
  /** The last value that each subscription was given by an acknowledged change. */
  readonly changed: Map<string, number>;
  readonly reads: { count: number };
  /** What should not have been answered, or not been left without an answer. */
  readonly failed: string[];
  /** Repetitions that were answered otherwise than the first time. */
  readonly unlike: string[];
}

/** Sends one request and gives its answer; null, and a line in the log, when it is not the one that is due. */
async function request(
  log: Log,
  status: number,
  url: string,
  method: string,
  path: string,
  options: { readonly token: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
): Promise<Reply | null> {
  const reply = await send(url, method, path, options).catch((error: unknown) => {
    log.failed.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`);
    return null;
  });
  if (reply === null || reply.status === status) return reply;
  log.failed.push(`${method} ${path}: ${reply.status} ${reply.text}`);
  return null;
}

/** Signs up, reads and changes on many connections, by turns at all targets, until stopped. */
function startLoad(
  targets: { urls: readonly string[] },
  token: string,
  planId: string,
): Log & { stop(): Promise<void> } {
  const log: Log = { acknowledged: [], changed: new Map(), reads: { count: 0 }, failed: [], unlike: [] };
  const state = { on: true, turn: 0, number: FIRST_NUMBER, toChange: 0 };
  const nextUrl = (): string => targets.urls[(state.turn += 1) % targets.urls.length] ?? '';
  const signUp = async (): Promise<void> => {
    const number = (state.number += 1);
    const body = JSON.parse(signUpOf(number, planId)) as object;
    const options = { token, body, headers: { 'idempotency-key': `${number}` } };
    const by = nextUrl();
    const beganAt = performance.now();
    const reply = await request(log, 201, by, 'POST', '/subscriptions', options);
    if (reply === null) return;
    const milliseconds = performance.now() - beganAt;
    log.acknowledged.push({ id: String(reply.json.id), externalId: `order-${number}`, by, beganAt, milliseconds });
    if (number % REPEATED !== 0) return;
    const again = await request(log, 201, nextUrl(), 'POST', '/subscriptions', options);
    if (again !== null && again.text !== reply.text) log.unlike.push(`${reply.text} | ${again.text}`);
  };
  const read = async (): Promise<void> => {
    const one = log.acknowledged[Math.floor(Math.random() * log.acknowledged.length)];
    const path =
      one === undefined || log.reads.count % 5 === 0 ? '/subscriptions?limit=20' : `/subscriptions/${one.id}`;
    log.reads.count += 1;
    await request(log, 200, nextUrl(), 'GET', path, { token });
  };
  const change = async (): Promise<void> => {
    const one = log.acknowledged[state.toChange];
    if (one === undefined) return sleep(10);
    state.toChange += 1;
    for (const value of [1, 2]) {
      const options = { token, body: { metadata: { changed: value } } };
      const reply = await request(log, 200, nextUrl(), 'PATCH', `/subscriptions/${one.id}`, options);
      if (reply !== null) log.changed.set(one.id, value);
    }
  };
  const repeat = async (work: () => Promise<void>, connections: number): Promise<void> => {
    const connection = async (): Promise<void> => {
      while (state.on) await work();
    };
    await Promise.all(Array.from({ length: connections }, connection));
  };
  const all = [repeat(signUp, SIGN_UP_CONNECTIONS), repeat(read, READ_CONNECTIONS), repeat(change, CHANGE_CONNECTIONS)];
  return {
    ...log,
    async stop() {
      state.on = false;
      await Promise.all(all);
    },
  };
}

/** Rows that must not be there, by what that would mean. */
const DAMAGE: Readonly<Record<string, string>> = {
  'subscriptions whose events have a gap': `
    select id from subscriptions s
    where event_sequence <> (
      select count(*) from events e where e.project_id = s.project_id and e.subscription_id = s.id
    )`,
  'subscriptions with two first events': `
    select subscription_id as id from events where type = 'subscription.created'
    group by subscription_id having count(*) > 1`,
  'messages sent twice': `
    select subscription_id as id from market_messages where direction = 'out'
    group by subscription_id, kind having count(*) > 1`,
  'subscriptions without a process': `
    select id from subscriptions s where not exists (
      select from market_processes m where m.project_id = s.project_id and m.subscription_id = s.id
    )`,
};

async function findDamage(
  connection: ClientConfig,
  log: Log,
  before: number,
  url: string,
  token: string,
): Promise<Finding[]> {
  const stored = await ask<{ external_id: string }>(
    connection,
    `select external_id from subscriptions where external_id = any($1)`,
    [log.acknowledged.map(({ externalId }) => externalId)],
  );
  const [total] = await ask<{ count: number }>(connection, 'select count(*)::integer from subscriptions');
  const kept = new Set(stored.map(({ external_id: id }) => id));
  const step = Math.max(1, Math.floor(log.acknowledged.length / 300));
  const unread: string[] = [];
  for (const { id } of log.acknowledged.filter((_, index) => index % step === 0)) {
    const { status, json } = await send(url, 'GET', `/subscriptions/${id}`, { token });
    const value = (json.metadata as { changed?: number } | null)?.changed;
    if (status !== 200 || value !== log.changed.get(id)) unread.push(`${id}: ${status}, ${value}`);
  }
  const damage = await Promise.all(
    Object.entries(DAMAGE).map(async ([name, statement]) => none(name, await ask(connection, statement))),
  );
  const surplus = (total?.count ?? 0) - before - log.acknowledged.length;
  return [
    none(
      'sign-ups acknowledged and lost',
      log.acknowledged.filter(({ externalId }) => !kept.has(externalId)),
    ),
    {
      name: 'subscriptions more or less than were acknowledged',
      value: String(surplus),
      limit: '0',
      ok: surplus === 0,
    },
    none('subscriptions that are not read back as they were last changed', unread),
    ...damage,
  ];
}

function errorsIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL);
}

/** Upgrades under load: the next version starts beside the one before, both serve, then the old one is stopped. */
export async function serveTwoVersions(scope: Tidied, options: TwoVersionsOptions): Promise<Finding[]> {
  const { connection, settings, folders, seconds } = options;
  const [filled] = await ask<{ count: number }>(connection, 'select count(*)::integer from subscriptions');
  const old = startProcess(scope, settings, folders.before);
  const oldUrl = await old.ready();
  const token = await fetchToken(oldUrl, CLIENT);
  const plans = await send(oldUrl, 'GET', '/plans', { token });
  const targets = { urls: [oldUrl] as readonly string[] };
  const load = startLoad(targets, token, String(plans.json.items[0].id));
  try {
    await sleep(seconds * 1000);
    const beganAt = performance.now();
    const next = startProcess(scope, settings, folders.next);
    const nextUrl = await next.ready();
    const readyAt = performance.now();
    targets.urls = [oldUrl, nextUrl];
    await sleep(seconds * 1000);
    // As an operator does it: nothing new is sent to the old one, and what it has is finished.
    targets.urls = [nextUrl];
    const ending = await stopProcess(old);
    const stoppedAt = performance.now();
    await sleep(seconds * 1000);
    await load.stop();
    const by = (url: string, from: number): number =>
      load.acknowledged.filter((one) => one.by === url && one.beganAt >= from).length;
    const delays = load.acknowledged
      .filter(({ beganAt: at, milliseconds }) => at + milliseconds >= beganAt && at <= readyAt)
      .map(({ milliseconds }) => milliseconds);
    const problems = [await isWell(folders.next, settings), await isWell(folders.before, settings)];
    return [
      none('requests that failed or were refused', load.failed),
      none('repeated sign-ups that were answered otherwise', load.unlike),
      atLeast('sign-ups answered while the next version migrated', delays.length, 1),
      atMost('the longest of these', Math.max(...delays), LONGEST_WAIT_MS),
      atLeast('sign-ups answered by the version before, once the next one had migrated', by(oldUrl, readyAt), 1),
      atLeast('sign-ups answered by the next version beside it', by(nextUrl, readyAt) - by(nextUrl, stoppedAt), 1),
      atLeast('changes', load.changed.size, 1),
      none('endings of the version before other than 0', ending.code === 0 ? [] : [ending]),
      none('errors in the logs', [...errorsIn(old.stdout()), ...errorsIn(next.stdout())]),
      ...(await findDamage(connection, load, filled?.count ?? 0, nextUrl, token)),
      none(
        'complaints of doctor, of either version',
        problems.filter((problem) => problem !== null),
      ),
    ];
  } finally {
    await load.stop();
  }
}
