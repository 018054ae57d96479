import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, embeddedIn, killProcess, temporaryFolder } from '#test/support/process.ts';
import type { Json } from '#test/support/builders.ts';
import { send, type Reply } from '#test/support/service.ts';
import { openStage, type Stage } from '#test/support/stage.ts';
import { drawFrom, planScenario, type Act, type Draw, type Stop } from './market-scenario.ts';

const SEED = 20_261_121;
const LIVES = 500;
const KILLS = 20;
/** So many of the kills at least must leave an advance without an answer, and so many its work undone; most do both. */
const MUST_CUT = 12;
const MUST_FIND_MOVING = 5;
const CONNECTIONS = 8;
/** A request that fails so often has another cause than a kill. */
const MAX_TRIES = 20;

/** A service on a data folder of its own, with one sandbox project. */
interface Site {
  readonly stage: Stage;
  /** Resolves once it is up again. */
  up: Promise<void>;
  stops: readonly Stop[];
  /** Requests that a kill left without an answer. */
  readonly cutOff: { advances: number; acts: number };
  /** How often the clock was still on its way when the service was back. */
  foundMoving: number;
  /** What became of the acts: status, and the code of a refusal. */
  readonly outcomes: Map<string, string>;
  /** `sub_…` of the lives. */
  readonly ids: Map<number, string>;
}

/** What must not be found in the database afterwards, by what its absence means. */
const MUST_BE_EMPTY = {
  // Every step begins where the one before has led, so that none is repeated unless it was taken back between.
  'each transition once': `
    select * from (
      select subscription_id, revision, from_stage, to_stage, occurred_at,
        lag(to_stage) over steps as before, lag(occurred_at) over steps as before_at,
        lead(from_stage) over steps as next
      from subscription_transitions
      window steps as (partition by project_id, subscription_id order by revision)
    ) as t
    join subscriptions s on s.id = t.subscription_id
    where t.before <> t.from_stage or t.before_at > t.occurred_at or t.from_stage = t.to_stage
      or (t.next is null and t.to_stage <> s.stage)`,
  'an event of the same revision and instant for each transition': `
    select * from subscription_transitions t
    where not exists (
      select from events e
      where e.subscription_id = t.subscription_id and e.revision = t.revision and e.occurred_at = t.occurred_at
    )`,
  'events numbered from 1 without gaps, in the order of revisions and time': `
    select s.id, e.events, s.event_sequence, s.revision from subscriptions s
    left join lateral (
      select count(*) as events, min(sequence) as first, max(sequence) as last, max(revision) as revision,
        bool_or(is_out_of_order) as is_out_of_order
      from (
        select *, (revision, occurred_at) < lag((revision, occurred_at)) over (order by sequence) as is_out_of_order
        from events where events.subscription_id = s.id
      ) as each
    ) as e on true
    where e.events <> s.event_sequence or e.first <> 1 or e.last <> s.event_sequence or e.revision > s.revision
      or e.is_out_of_order`,
  'events of orders numbered from 1 without gaps, one for each revision': `
    select o.id, o.revision, e.events from (
      select id, revision from meter_orders union all select id, revision from grid_fee_reductions
    ) as o
    left join lateral (
      select count(*) as events, min(sequence) as first, max(sequence) as last from events where resource_id = o.id
    ) as e on true
    where e.events <> o.revision or e.first <> 1 or e.last <> o.revision`,
  'no order open beyond the end of its subscription, and each smart meter known': `
    select s.id from subscriptions s
    left join meter_orders m on m.subscription_id = s.id
    left join grid_fee_reductions r on r.subscription_id = s.id
    where s.status = 'ended' and (m.status not in ('activated', 'cancelled') or r.status not in ('rejected', 'ended'))
      or m.status = 'activated' and not exists (select from meters where id = m.meter_id and type = 'smart')`,
  'no message twice': `
    select direction, document_number from market_messages
    group by direction, document_number having count(*) > 1`,
  'no message of a revision that was never reached': `
    select m.id from market_messages m join subscriptions s on s.id = m.subscription_id where m.revision > s.revision`,
  'nothing forgotten: what is open and not merely supplied is due, or waits for somebody': `
    select s.id, s.stage, p.due_at, s.next_action from subscriptions s
    left join market_processes p on p.project_id = s.project_id and p.subscription_id = s.id
    where p.id is null or p.memory is null
      or (s.status = 'ended' and p.due_at is not null)
      or (s.status <> 'ended' and p.due_at is null and s.next_action is null
        and (s.stage <> 'supplying' or s.terminated_at is not null))`,
  'nothing due that has not been done, and every clock where it was sent': `
    select j.id, j.clock_at, j.clock_target, p.subscription_id, p.due_at from projects j
    left join market_processes p on p.project_id = j.id and p.due_at <= j.clock_at
    where p.id is not null or j.clock_at is null or j.clock_target is not null`,
  'nobody supplied twice, and no second open supply of one place': `
    select one.id, other.id from subscriptions one
    join subscriptions other on other.project_id = one.project_id and other.id > one.id
      and (
        other.malo = one.malo
        or ((one.malo is null or other.malo is null) and other.zip = one.zip
          and other.meter_number_normalised = one.meter_number_normalised)
      )
    where (one.status <> 'ended' and other.status <> 'ended')
      or (one.start_at is not null and other.start_at is not null
        and tstzrange(one.start_at, one.end_at) && tstzrange(other.start_at, other.end_at))`,
  'one process each, and meters that know their market location': `
    select id from subscriptions s where (
      select count(*) from market_processes p where p.subscription_id = s.id
    ) <> 1 or exists (select from meters m where m.id = s.meter_id and m.malo is distinct from s.malo)`,
} as const;

const suite = { after };
const folders = { calm: temporaryFolder(suite, 'market-calm'), disturbed: temporaryFolder(suite, 'market-disturbed') };

async function openSite(folder: string): Promise<Site> {
  const stage = await openStage(suite, 'market', { dataDir: join(folder, 'data') });
  const { planId, token } = stage.site;
  const suppliers = await send(stage.url, 'GET', '/suppliers?search=Sandbox&limit=100', { token });
  const ids = new Map((suppliers.json.items as { id: string; name: string }[]).map((each) => [each.name, each.id]));
  const stops = planScenario(SEED, LIVES, {
    planId,
    supplierId: (supplier) => ids.get(supplier) ?? assert.fail(supplier),
  });
  const cutOff = { advances: 0, acts: 0 };
  return { stage, up: Promise.resolve(), stops, cutOff, foundMoving: 0, outcomes: new Map(), ids: new Map() };
}

/** Sends the same request until it is answered: a kill leaves it without an answer, and nothing is known of it then. */
async function persist(
  site: Site,
  kind: keyof Site['cutOff'],
  method: string,
  path: string,
  options: { readonly body: unknown; readonly key?: string },
): Promise<Reply> {
  const headers: Record<string, string> = options.key === undefined ? {} : { 'idempotency-key': options.key };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const { stage, up } = site;
    await up;
    const body = options.body === undefined ? {} : { body: options.body };
    const { token } = stage.site;
    const reply = await send(stage.url, method, path, { token, headers, ...body }).catch(() => undefined);
    if (reply === undefined) {
      assert.notEqual(site.up, up, `${method} ${path} broke although nobody was killed`);
      site.cutOff[kind] += 1;
    } else if (reply.status !== 503) return reply;
  }
  return assert.fail(`${method} ${path} is never answered`);
}

async function perform(site: Site, { key, life, method, path, body }: Act): Promise<void> {
  const id = site.ids.get(life) ?? '';
  const reply = await persist(site, 'acts', method, path.replace('{id}', id), { body, key });
  const code = (reply.json as { code?: string } | undefined)?.code ?? '';
  site.outcomes.set(key, `${method} ${path} ${reply.status} ${code}`.trim());
  assert.ok([200, 201, 409, 422].includes(reply.status), `${key} ${id} ${reply.text}`);
  if (reply.status === 201) site.ids.set(site.ids.has(life) ? -life : life, reply.json.id as string);
}

async function advance(site: Site, target: string): Promise<void> {
  const reply = await persist(site, 'advances', 'POST', '/sandbox/clock', { body: { advance_to: target } });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.json.now, target);
}

/** Does something with each of many on a few connections. */
async function spread<Each>(many: Iterable<Each>, work: (each: Each) => Promise<void>): Promise<void> {
  const rest = many[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

/** What a kill is aimed at. */
type Aim = 'advance' | 'acts';

/** Goes to a stop and does what is asked for there; gives how long either took. */
async function playStop(
  site: Site,
  { at, acts }: Stop,
  kill?: { aim: Aim; delayMs: number },
): Promise<Record<Aim, number>> {
  const works = { advance: () => advance(site, at), acts: () => spread(acts, (act) => perform(site, act)) };
  const took = { advance: 0, acts: 0 };
  for (const aim of ['advance', 'acts'] as const) {
    const begin = performance.now();
    await Promise.all([works[aim](), kill?.aim === aim ? killAfter(site, kill.delayMs) : undefined]);
    took[aim] = performance.now() - begin;
  }
  return took;
}

async function killAfter(site: Site, delayMs: number): Promise<void> {
  await sleep(delayMs);
  const { stage } = site;
  const restart = async (): Promise<void> => {
    assert.deepEqual(await killProcess(stage.service()), { code: null, signal: 'SIGKILL' });
    await stage.restart();
  };
  site.up = restart();
  await site.up;
  const clock = await send(stage.url, 'GET', '/sandbox/clock', { token: stage.site.token });
  if (typeof clock.json.advancing_to === 'string') site.foundMoving += 1;
}

/** What is killed at each stop: nothing at the first, the advance of most others, and what is asked for at the rest. */
function planKills(draw: Draw, stops: number): (Aim | undefined)[] {
  const aims: (Aim | undefined)[] = [undefined];
  for (let stop = 1; stop < stops; stop += 1) {
    const left = KILLS - aims.filter((aim) => aim === 'advance').length;
    aims.push(draw.below(stops - stop) < left ? 'advance' : 'acts');
  }
  return aims;
}

/** What a life has come to, and its whole story; ids and reference numbers left out, which differ by nature. */
interface Told {
  readonly end: unknown;
  readonly story: readonly string[];
}

async function readAll(site: Site): Promise<Map<string, Told>> {
  const { url } = site.stage;
  const { token } = site.stage.site;
  const told = new Map<string, Told>();
  const pages = async (path: string): Promise<Json[]> => {
    const items: Json[] = [];
    for (let cursor = ''; ;) {
      const reply = await send(url, 'GET', `${path}?limit=100${cursor}`, { token });
      assert.equal(reply.status, 200, reply.text);
      items.push(...reply.json.items);
      if (reply.json.next_page === null) return items;
      cursor = `&cursor=${reply.json.next_page as string}`;
    }
  };
  const orders = [...(await pages('/meter-orders')), ...(await pages('/grid-fee-reductions'))];
  await spread(await pages('/subscriptions'), async (life) => {
    const own = orders.filter(({ subscription }) => subscription === life.id).map(orderOf);
    const reference = new RegExp(String(life.id).slice('sub_'.length), 'g');
    const code = life.next_action?.code ?? null;
    const end = [life.stage, life.status, life.start_at, life.end_at, life.end_reason, life.terminated_at, code];
    const entries = await pages(`/subscriptions/${life.id as string}/timeline`);
    const story = [...own, ...entries.map((entry) => storyOf(entry).replace(reference, '…'))];
    told.set(String(life.external_id), { end, story });
  });
  return told;
}

function orderOf(order: Json): string {
  const { id: _, subscription: __, meter: ___, ...rest } = order;
  return JSON.stringify(rest);
}

function storyOf({ timestamp, type, revision, actor, transition, event, message }: Json): string {
  const what =
    transition !== null
      ? `${transition.from} → ${transition.to}`
      : event !== null
        ? `${event.sequence} ${event.type} ${event.reason}`
        : `${message.direction} ${message.kind} ${message.document_number} ${message.state}`;
  return `${timestamp} ${type} ${revision} ${actor.type} ${what}`;
}

describe(`${KILLS} kills while ${LIVES} subscriptions are under way`, () => {
  const sites = {} as { calm: Site; disturbed: Site };

  before(async () => {
    const [calm, disturbed] = await Promise.all([openSite(folders.calm), openSite(folders.disturbed)]);
    Object.assign(sites, { calm, disturbed });
  });

  test('cut their work short', async (context) => {
    const { calm, disturbed } = sites;
    const draw = drawFrom(SEED + 1);
    const aims = planKills(draw, calm.stops.length);
    const delays: number[] = [];
    for (const [index, stop] of disturbed.stops.entries()) {
      const calmStop = calm.stops[index];
      assert.ok(calmStop !== undefined);
      assert.deepEqual(calmStop.at, stop.at);
      const took = await playStop(calm, calmStop);
      const aim = aims[index];
      if (aim === undefined) await playStop(disturbed, stop);
      else {
        const delayMs = took[aim] * draw.share();
        delays.push(delayMs);
        await playStop(disturbed, stop, { aim, delayMs });
      }
    }
    const { advances, acts } = disturbed.cutOff;
    context.diagnostic(
      `${delays.length} kills after ${Math.min(...delays).toFixed(0)} to ${Math.max(...delays).toFixed(0)} ms: ` +
        `${advances} advances and ${acts} other requests cut off; ${disturbed.foundMoving} times the clock was found moving`,
    );
    assert.equal(aims.filter((aim) => aim === 'advance').length, KILLS);
    assert.ok(advances >= MUST_CUT, `only ${advances} kills cut an advance off`);
    assert.ok(disturbed.foundMoving >= MUST_FIND_MOVING, `the clock was found moving ${disturbed.foundMoving} times`);
    assert.deepEqual(calm.cutOff, { advances: 0, acts: 0 });
  });

  test('leave every life as it is without', async (context) => {
    const { calm, disturbed } = sites;
    assert.ok(disturbed.ids.size >= LIVES);
    assert.deepEqual(disturbed.outcomes, calm.outcomes);
    const [expected, found] = await Promise.all([readAll(calm), readAll(disturbed)]);
    assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
    for (const [name, told] of expected) assert.deepEqual(found.get(name), told, name);
    const entries = [...found.values()].reduce((sum, { story }) => sum + story.length, 0);
    context.diagnostic(`${found.size} lives with ${entries} timeline entries`);
  });

  for (const [name, statement] of Object.entries(MUST_BE_EMPTY)) {
    test(`leave ${name}`, async () => {
      for (const site of [sites.calm, sites.disturbed]) {
        assert.deepEqual(await ask(await embeddedIn(site.stage.dataDir), statement), []);
      }
    });
  }
});
