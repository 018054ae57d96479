/** The feed of events and the lists that it continues, followed by readers while others write and everything is killed. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { formatId, parseId } from '#domain/identifiers.ts';
import { createCredential, createProject } from '#features/projects/index.ts';
import { findRunningEmbedded, startEmbedded, type EmbeddedConnection } from '#platform/database/embedded.ts';
import { createLog } from '#platform/log.ts';
import { signUpBody, type Json } from '#test/support/builders.ts';
import {
  ask,
  defer,
  eventually,
  killProcess,
  startProcess,
  temporaryFolder,
  type ServiceProcess,
} from '#test/support/process.ts';
import { urlOf } from '#test/support/server.ts';
import { fetchToken, send, type CallOptions, type Reply } from '#test/support/service.ts';
import { layFoundation, type Foundation } from '../../src/foundation.ts';
import { drawFrom, type Draw } from './market-scenario.ts';

const FIRST_SEED = 20_261_200;
const SEEDS = 20;
const CONNECTIONS = 8;
const SIGN_UPS = 35;
const MAX_EDITS = 3;
/** Every so-manieth seed the database server is killed, too. */
const SERVER_KILL_EVERY = 4;
const PATIENCE_MS = 30_000;
const POLL_MS = 5;
const KEY = Buffer.alloc(32, 7).toString('base64');
/** The subscription that comes after all others: whoever has been told of it has been told of everything. */
const LAST = 'the last one';
const CREATED = 'subscription.created';
const TYPES = [null, null, CREATED, 'subscription.updated,subscription.confirmed'];

/** The one service of all seeds, on a database of its own that outlives it. */
interface Site {
  readonly connection: EmbeddedConnection;
  readonly settings: Readonly<Record<string, string>>;
  service: ServiceProcess;
  /** Where it listens, once it is up again. */
  up: Promise<string>;
}

/** A seed: a project of its own, and what is done there. */
interface Round {
  readonly seed: number;
  readonly projectId: string;
  readonly token: string;
  readonly planId: string;
  /** How often each subscription is edited. */
  readonly edits: readonly number[];
  readonly total: number;
  /** Requests that were answered; they are what time is measured in here. */
  answered: number;
}

/** What a walk over the list has found. */
interface Walk {
  readonly cursor: string;
  readonly items: readonly Json[];
  /** How many of them were on the first page, which the cursor belongs to. */
  readonly first: number;
}

const suite = { after };
const dataDir = join(temporaryFolder(suite, 'feed-crash'), 'data');
const site = {} as Site;
const projects: { readonly id: string; readonly client: { clientId: string; clientSecret: string } }[] = [];
const counts = { cutOff: 0, goneBack: 0, events: 0, serviceKills: 0, serverKills: 0, held: 0 };

async function killService(): Promise<void> {
  counts.serviceKills += 1;
  const restart = async (): Promise<string> => {
    assert.deepEqual(await killProcess(site.service), { code: null, signal: 'SIGKILL' });
    site.service = startProcess(suite, site.settings);
    return site.service.ready();
  };
  site.up = restart();
  await site.up;
}

function serverPid(): number | undefined {
  const file = join(dataDir, 'postgres/postmaster.pid');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^\d+(?=\n)/.test(text) ? Number.parseInt(text, 10) : undefined;
}

async function killServer(): Promise<void> {
  counts.serverKills += 1;
  const pid = await eventually(serverPid, 'the database server runs');
  process.kill(pid, 'SIGKILL');
  await eventually(() => ![undefined, pid].includes(serverPid()), 'another database server is there');
  await eventually(() => findRunningEmbedded(dataDir), 'it answers');
}

/** One attempt of a request; `undefined` when a kill left it without an answer, and nothing is known of it then. */
async function attempt(method: string, path: string, options: CallOptions): Promise<Reply | undefined> {
  const { up } = site;
  const url = await up;
  const reply = await send(url, method, path, options).catch(() => undefined);
  const { child } = site.service;
  const state = `${child.exitCode}/${child.signalCode} ${site.service.stderr().slice(-2_000)}`;
  if (reply === undefined) assert.notEqual(site.up, up, `${method} ${path} broke although nobody was killed: ${state}`);
  // Its database is away (503), or the remains of the service that was killed still hold the key.
  const isInProgress = reply?.json?.code === 'idempotency_request_in_progress';
  const isAnswer = reply !== undefined && reply.status !== 503 && !isInProgress;
  if (!isAnswer) counts.cutOff += 1;
  return isAnswer ? reply : undefined;
}

/** Sends the same request, under its key if it has one, until it is answered. */
async function persist({ token }: Pick<Round, 'token'>, method: string, path: string, body?: Json): Promise<Reply> {
  const key = crypto.randomUUID();
  const options = body === undefined ? { token } : { token, body, headers: { 'idempotency-key': key } };
  for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS; await sleep(POLL_MS)) {
    const reply = await attempt(method, path, options);
    if (reply === undefined) continue;
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply;
  }
  return assert.fail(`${method} ${path} is never answered`);
}

/** Signs one customer up; then all the edits are sent at once. */
async function live(round: Round, name: string, edits: number): Promise<void> {
  const body: Json = signUpBody(round.planId, { external_id: name });
  const { json } = await persist(round, 'POST', '/subscriptions', body);
  round.answered += 1;
  const edit = async (index: number): Promise<void> => {
    await persist(round, 'PATCH', `/subscriptions/${json.id}`, { metadata: { [`edit-${index}`]: true } });
    round.answered += 1;
  };
  await Promise.all(Array.from({ length: edits }, (_, index) => edit(index)));
}

async function signUpAll(round: Round): Promise<void> {
  const rest = round.edits.entries();
  const lane = async (): Promise<void> => {
    for (const [index, edits] of rest) await live(round, `life-${index}`, edits);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

/** Waits until so many requests were answered in all. */
function answersOf(round: Round, wanted: number): Promise<unknown> {
  return eventually(() => round.answered >= Math.min(wanted, round.total), `${wanted} requests are answered`);
}

/** Begins a transaction that writes nothing and yet is older than whatever is committed from then on; gives its end. */
async function holdTransaction(isRolledBack: boolean): Promise<() => Promise<void>> {
  const client = new Client({ ...site.connection });
  // The server may be killed meanwhile, or be away.
  client.on('error', () => {});
  const settle = (work: Promise<unknown>): Promise<boolean> =>
    Promise.allSettled([work]).then(([{ status }]) => status === 'fulfilled');
  // One that is not connected would keep a statement for ever.
  const isHeld = (await settle(client.connect())) && (await settle(client.query('begin; select pg_current_xact_id()')));
  if (isHeld) counts.held += 1;
  return async () => {
    if (isHeld) await settle(client.query(isRolledBack ? 'rollback' : 'commit'));
    await client.end();
  };
}

async function holdTransactions(round: Round, draw: Draw): Promise<void> {
  while (round.answered < round.total) {
    const end = await holdTransaction(draw.chance(0.5));
    await answersOf(round, round.answered + 1 + draw.below(25));
    await end();
    await answersOf(round, round.answered + draw.below(10));
  }
}

async function killAtRandom(round: Round, draw: Draw): Promise<void> {
  const kills = [killService];
  if (draw.chance(0.15)) kills.push(killService);
  if (round.seed % SERVER_KILL_EVERY === 0) kills.splice(draw.below(kills.length + 1), 0, killServer);
  const moments = kills.map(() => 1 + draw.below(round.total)).toSorted((one, other) => one - other);
  for (const [index, kill] of kills.entries()) {
    await answersOf(round, moments[index] ?? 0);
    await kill();
  }
}

async function advanceClock(round: Round, draw: Draw): Promise<void> {
  if (draw.chance(0.4)) return;
  await answersOf(round, draw.below(round.total));
  await persist(round, 'POST', '/sandbox/clock', { advance_by: 'P10D' });
}

/** Signs the last one up, at times while what came before is not to be told yet, and the service is killed once more. */
async function finish(round: Round, draw: Draw): Promise<void> {
  const isLate = draw.chance(0.15);
  const end = isLate ? await holdTransaction(true) : undefined;
  await live(round, LAST, 1);
  if (isLate) await killService();
  await end?.();
}

/** Whether a reader of these types has been told of everything. */
function isEnd({ type, data }: Json, types: string | null): boolean {
  return data.subscription.external_id === LAST && (type === CREATED) === (types === CREATED);
}

/**
 * Follows the feed to its end. After a kill it goes on from the cursor it had, or goes back to any cursor before: there it
 * has to be told the very same again.
 */
async function follow(round: Round, draw: Draw, from: string | null, types: string | null): Promise<Json[]> {
  const seen: Json[] = [];
  const trail = [{ cursor: from, place: 0 }];
  let isEndTold = false;
  for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS;) {
    const { cursor, place } = trail.at(-1) ?? { cursor: from, place: 0 };
    const limit = String(draw.from([1, 7, 50, 500]));
    const parameters = new URLSearchParams({ limit, wait: draw.from(['0', '1', '5']) });
    if (cursor !== null) parameters.set('after', cursor);
    if (types !== null) parameters.set('types', types);
    const reply = await attempt('GET', `/events?${parameters.toString()}`, { token: round.token });
    if (reply === undefined) {
      if (draw.chance(0.5)) trail.length = 1 + draw.below(trail.length);
      counts.goneBack += trail.at(-1)?.cursor === cursor ? 0 : 1;
      await sleep(POLL_MS);
      continue;
    }
    assert.equal(reply.status, 200, reply.text);
    const { items, next_page: next, has_more } = reply.json as { items: Json[]; next_page: string; has_more: boolean };
    const known = seen.slice(place, place + items.length);
    assert.deepEqual(items.slice(0, known.length), known, 'the same cursor is answered the same');
    seen.push(...items.slice(known.length));
    trail.push({ cursor: next, place: place + items.length });
    isEndTold ||= items.some((item) => isEnd(item, types));
    // What was published in the same round, and timed in the same second, may follow it.
    if (isEndTold && !has_more) return seen;
  }
  return assert.fail(`the end of the feed is never told, only ${seen.length} events of ${types ?? 'all types'}`);
}

/** Reads everything after a cursor, now that nobody writes any more. */
async function readAll(round: Round, from: string | null): Promise<Json[]> {
  const events: Json[] = [];
  for (let cursor = from; ;) {
    const { json } = await persist(round, 'GET', `/events?limit=500${cursor === null ? '' : `&after=${cursor}`}`);
    events.push(...json.items);
    if (json.has_more === false) return events;
    cursor = json.next_page as string;
  }
}

/** Walks the whole list, from its first page to its last. */
async function walk(round: Round, draw: Draw): Promise<Walk> {
  await answersOf(round, draw.below(round.total));
  const path = `/subscriptions?limit=${draw.from([5, 20, 100])}`;
  let page = await persist(round, 'GET', path);
  const cursor = page.headers.get('x-event-cursor') ?? assert.fail('the first page has a cursor of the feed');
  const items: Json[] = [...page.json.items];
  const first = items.length;
  while (page.json.next_page !== null) {
    page = await persist(round, 'GET', `${path}&cursor=${page.json.next_page}`);
    items.push(...page.json.items);
  }
  return { cursor, items, first };
}

function bySubscription(events: readonly Json[]): Map<string, Json[]> {
  return Map.groupBy(events, ({ data }: Json) => data.subscription.id as string);
}

/** Holds what a reader was told from the very first event on against the database. */
async function verifyFeed(round: Round, told: readonly Json[]): Promise<void> {
  const rows = await ask<{ id: string }>({ ...site.connection }, 'select id from events where project_id = $1', [
    parseId('prj', round.projectId),
  ]);
  const ids = told.map(({ id }) => id as string);
  assert.equal(new Set(ids).size, ids.length, 'nothing is told twice');
  assert.deepEqual(ids.toSorted(), rows.map(({ id }) => formatId('evt', id)).toSorted(), 'everything is told');
  for (const [id, events] of bySubscription(told)) {
    const sequences = events.map(({ sequence }) => sequence as number);
    assert.deepEqual(
      sequences,
      Array.from(events.keys(), (index) => index + 1),
      id,
    );
  }
  const countOf = (type: string): number => told.filter((event) => event.type === type).length;
  assert.equal(countOf(CREATED), SIGN_UPS + 1, 'every sign-up was done once');
  assert.equal(countOf('subscription.updated'), round.total - SIGN_UPS + 1, 'every edit was done once');
}

/** Holds what is told after a walk against all events: what the list has shown, and every later event. */
function verifyWalk({ items, first }: Walk, all: readonly Json[], told: readonly Json[]): void {
  const toldIds = new Set(told.map(({ id }) => id as string));
  assert.deepEqual(
    told,
    all.filter(({ id }) => toldIds.has(id)),
    'the order is that of the whole feed',
  );
  const places = new Map(items.map((item, place) => [item.id as string, place]));
  assert.equal(places.size, items.length, 'no subscription is listed twice');
  const later = bySubscription(told);
  for (const [id, events] of bySubscription(all)) {
    const rest = later.get(id) ?? [];
    const skipped = events.length - rest.length;
    assert.deepEqual(rest, events.slice(skipped), `${id}: told is every event from one on`);
    const place = places.get(id);
    const shown =
      place === undefined
        ? 0
        : 1 + events.findLastIndex(({ data }) => isDeepStrictEqual(data.subscription, items[place]));
    if (place !== undefined) assert.ok(shown > 0, `${id} is listed as some event shows it`);
    // The pages that follow are read later than the cursor: they may show what is told once more.
    if (place === undefined || place < first) assert.equal(skipped, shown, `${id}: events told go on from the list`);
    else assert.ok(skipped <= shown, `${id}: ${shown} events are in the list, and ${skipped} not told`);
  }
}

async function openRound(seed: number, draw: Draw): Promise<Round> {
  const project = projects[seed - FIRST_SEED] ?? assert.fail('there is a project for each seed');
  const token = await fetchToken(await site.up, project.client);
  const plan = await persist({ token }, 'POST', '/plans', { name: 'Plan', price: 10 });
  const edits = Array.from({ length: SIGN_UPS }, () => draw.below(MAX_EDITS + 1));
  const total = edits.reduce((sum, count) => sum + count, SIGN_UPS);
  return { seed, projectId: project.id, token, planId: plan.json.id as string, edits, total, answered: 0 };
}

async function play(seed: number): Promise<void> {
  const drawOf = (part: number): Draw => drawFrom(seed * 10 + part);
  const draw = drawOf(0);
  const round = await openRound(seed, draw);
  const types = draw.from(TYPES);
  const writeAll = async (): Promise<void> => {
    await Promise.all([
      signUpAll(round),
      killAtRandom(round, drawOf(1)),
      holdTransactions(round, drawOf(2)),
      advanceClock(round, drawOf(3)),
    ]);
    await finish(round, drawOf(4));
  };
  const readAfterWalk = async (): Promise<{ walked: Walk; seen: Json[] }> => {
    const walked = await walk(round, drawOf(5));
    return { walked, seen: await follow(round, drawOf(6), walked.cursor, types) };
  };
  const [, told, { walked, seen }] = await Promise.all([
    writeAll(),
    follow(round, drawOf(7), null, null),
    readAfterWalk(),
  ]);
  counts.events += told.length;
  await verifyFeed(round, told);
  assert.deepEqual(await readAll(round, null), told, 'the feed stays as it was told');
  const later = await readAll(round, walked.cursor);
  verifyWalk(walked, told, later);
  const isAsked = ({ type }: Json): boolean => types === null || types.split(',').includes(type as string);
  assert.deepEqual(seen, later.filter(isAsked), `what was told of ${types ?? 'everything'}`);
}

async function createProjects(foundation: Foundation): Promise<void> {
  for (let number = 0; number < SEEDS; number += 1) {
    const created = await createProject(foundation, { name: `Seed ${number}`, mode: 'sandbox' });
    assert.ok(created.ok);
    const credential = await createCredential(foundation, { projectId: created.project.id, name: 'Seed' });
    assert.ok(credential.ok);
    projects.push({ id: created.project.id, client: credential });
  }
}

describe('readers of the feed, while customers sign up and everything is killed', () => {
  before(async () => {
    // The server's user passes through; the cluster itself is closed.
    chmodSync(dirname(dataDir), 0o711);
    const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } });
    defer(suite, () => embedded.stop());
    const { connection } = embedded;
    const databaseUrl = urlOf({ connection: { ...connection }, template: '' }, connection.database);
    const encryptionKey = Buffer.from(KEY, 'base64');
    const foundation = await layFoundation({ databaseUrl, dataDir, encryptionKey }, createLog('error', 2));
    await createProjects(foundation);
    await foundation.close();
    const settings = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: KEY, RATE_LIMIT: 'off', LOG_LEVEL: 'error' };
    const service = startProcess(suite, settings);
    Object.assign(site, { connection, settings, service, up: service.ready() });
    await site.up;
  });

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    test(`are told everything once and in order, seed ${seed}`, () => play(seed));
  }

  test('had it hard', (context) => {
    context.diagnostic(JSON.stringify(counts));
    assert.ok(counts.serviceKills >= SEEDS && counts.serverKills >= SEEDS / SERVER_KILL_EVERY);
    assert.ok(counts.cutOff > SEEDS && counts.goneBack > 0 && counts.held > SEEDS);
  });
});
