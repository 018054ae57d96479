import type { ClientConfig } from 'pg';
import { formatId } from '#domain/identifiers.ts';
import { exchange, oneConnection, sendSignUp, type Acknowledged, type Site } from './load.ts';
import { ask, eventually } from './process.ts';

/** What is wrong with a database after something was broken; each list names what it is about. */
export interface Damage {
  /** Keys that were acknowledged and have no subscription. */
  readonly lost: readonly string[];
  /** External ids with more than one subscription, ids that two keys were given, and what nobody was told of. */
  readonly double: readonly string[];
  /** Sign-ups of which a part is missing, and parts that belong to none. */
  readonly half: readonly string[];
  /** Keys that do not give the first answer again, byte for byte. */
  readonly forgotten: readonly string[];
  /** Subscriptions that are not read back, singly or in the list, as they were acknowledged. */
  readonly unread: readonly string[];
}

/** For each subscription how many rows it has of what a sign-up writes. */
const WHOLENESS = `
  select
    s.id, number, malo, external_id,
    (select count(*)::int from customers c where c.project_id = s.project_id and c.id = s.customer_id) as customers,
    (select count(*)::int from addresses a where a.project_id = s.project_id and a.id = s.address_id) as addresses,
    (select count(*)::int from meters m where m.project_id = s.project_id and m.id = s.meter_id and m.malo = s.malo)
      as meters,
    (select count(*)::int from payment_methods p where p.project_id = s.project_id and p.id = s.payment_method_id)
      as payment_methods,
    (select count(*)::int from market_processes m where m.project_id = s.project_id and m.subscription_id = s.id)
      as processes,
    (select count(*)::int from product_orders o where o.project_id = s.project_id and o.subscription_id = s.id) as orders,
    (select count(*)::int from meter_orders o where o.project_id = s.project_id and o.subscription_id = s.id)
      as meter_orders,
    (select count(*)::int from subscription_metadata m where m.project_id = s.project_id and m.subscription_id = s.id)
      as metadata,
    (select count(*)::int from audit_log a
      where a.project_id = s.project_id and a.request_id = first.request_id and a.operation = 'createSubscription')
      as audit_entries,
    -- A process that began twice, or an order placed twice, would have sent the same kind of message again.
    (select count(*) = count(distinct kind) from market_messages x
      where x.project_id = s.project_id and x.subscription_id = s.id and x.direction = 'out') as is_sent_once,
    -- Numbered from 1 without gaps, as the subscription counts them, and all of them published.
    (select count(*) = s.event_sequence and max(sequence) = s.event_sequence and count(published.event_id) = count(*)
      from events e
      left join event_feed published on published.project_id = e.project_id and published.event_id = e.id
      where e.project_id = s.project_id and e.subscription_id = s.id) as is_told,
    first.type as first_event
  from subscriptions s
  left join events first
    on first.project_id = s.project_id and first.subscription_id = s.id and first.sequence = 1`;

const LEFT_OVER = `
  select
    (select count(*)::int from customers c where not exists (select from subscriptions where customer_id = c.id))
      as customers,
    (select count(*)::int from addresses a where not exists (select from subscriptions where address_id = a.id))
      as addresses,
    (select count(*)::int from meters m where not exists (select from subscriptions where meter_id = m.id)) as meters,
    (select count(*)::int from payment_methods p
      where not exists (select from subscriptions where payment_method_id = p.id)) as payment_methods`;

const UNPUBLISHED = `
  select count(*)::int as count from events e
  where not exists (select from event_feed f where f.project_id = e.project_id and f.event_id = e.id)`;

/** Keys are repeated, and subscriptions read one by one, for so many of all. */
const SAMPLE = 2_000;
const CLIENTS = 8;
const PAGE = 100;

/** Of the acknowledged ones those that a database does not have. Cheap enough for every round. */
export async function findLost(
  connection: ClientConfig,
  acknowledged: readonly Pick<Acknowledged, 'key' | 'malo'>[],
): Promise<string[]> {
  const rows = await ask<{ malo: string }>(connection, 'select malo from subscriptions where malo = any($1)', [
    acknowledged.map(({ malo }) => malo),
  ]);
  const stored = new Set(rows.map(({ malo }) => malo));
  return acknowledged.filter(({ malo }) => !stored.has(malo)).map(({ key }) => key);
}

/**
 * Holds everything that was acknowledged against everything that is stored and shown. Every sign-up must have been repeated
 * until it was answered, so that nothing more may be there than was acknowledged.
 */
export async function findDamage(
  connection: ClientConfig,
  site: Site,
  acknowledged: readonly Acknowledged[],
): Promise<Damage> {
  await eventually(
    async () => (await ask<{ count: number }>(connection, UNPUBLISHED))[0]?.count === 0,
    'all events are published',
  );
  const { lost, half, double } = await compareRows(connection, acknowledged);
  const step = Math.max(1, Math.ceil(acknowledged.length / SAMPLE));
  const sample = acknowledged.filter((_, index) => index % step === 0);
  return {
    lost,
    half,
    double,
    forgotten: await repeat(site, sample),
    unread: await readBack(site, acknowledged, step),
  };
}

async function compareRows(
  connection: ClientConfig,
  acknowledged: readonly Acknowledged[],
): Promise<Pick<Damage, 'lost' | 'half' | 'double'>> {
  const stored = await ask<Record<string, unknown>>(connection, WHOLENESS);
  const byId = new Map(stored.map((row) => [formatId('sub', String(row['id'])), row]));
  const lost: string[] = [];
  const half: string[] = [];
  for (const { id, key, malo, orders, answer } of acknowledged) {
    const row = byId.get(id);
    byId.delete(id);
    if (row === undefined) {
      lost.push(key);
      continue;
    }
    const { id: _, ...found } = row;
    const { number } = JSON.parse(answer) as { number: string };
    const whole = {
      number,
      malo,
      external_id: key.replace('key', 'order'),
      customers: 1,
      addresses: 1,
      meters: 1,
      payment_methods: 1,
      processes: 1,
      orders,
      meter_orders: orders,
      metadata: 2,
      audit_entries: 1,
      is_sent_once: true,
      is_told: true,
      first_event: 'subscription.created',
    };
    if (JSON.stringify(found) !== JSON.stringify(whole)) half.push(`${key}: ${JSON.stringify(found)}`);
  }
  const [left = {}] = await ask<Record<string, number>>(connection, LEFT_OVER);
  for (const [table, count] of Object.entries(left)) if (count > 0) half.push(`${count} ${table} of nobody`);
  const double = [...byId.values()].map((row) => `${String(row['external_id'])} once more`);
  const ids = new Set(acknowledged.map(({ id }) => id));
  if (ids.size !== acknowledged.length) double.push(`${acknowledged.length - ids.size} ids given to two keys`);
  return { lost, half, double };
}

/** Runs work over many items for a few clients at once, each with a connection of its own. */
async function spread<Item>(
  items: readonly Item[],
  work: (agent: ReturnType<typeof oneConnection>, item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const client = async (): Promise<void> => {
    const agent = oneConnection();
    for (const item of rest) await work(agent, item);
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function repeat(site: Site, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const forgotten: string[] = [];
  await spread(acknowledged, async (agent, known) => {
    const { status, text, replayed } = await sendSignUp(agent, site, known);
    if (status !== 201 || !replayed || text !== known.answer) forgotten.push(`${known.key}: ${status} ${text}`);
  });
  return forgotten;
}

/** What never changes of a subscription, whatever the market has done meanwhile. */
function lasting(subscription: Record<string, unknown>): string {
  const { id, number, external_id, created_at, plan, customer, meter, metadata } = subscription;
  return JSON.stringify({ id, number, external_id, created_at, plan, customer, meter, metadata });
}

async function readBack(site: Site, acknowledged: readonly Acknowledged[], step: number): Promise<string[]> {
  const unread: string[] = [];
  const headers = { authorization: `Bearer ${site.token}` };
  const wanted = new Map(acknowledged.map(({ id, answer }) => [id, lasting(JSON.parse(answer) as never)]));
  const agent = oneConnection();
  const listed = new Set<string>();
  for (let path: string | null = `/subscriptions?limit=${PAGE}`; path !== null;) {
    const { status, text } = await exchange(agent, site.port, 'GET', path, { headers });
    if (status !== 200) return [`${path}: ${status} ${text}`];
    const page = JSON.parse(text) as { items: { id: string }[]; next_page: string | null };
    for (const item of page.items) {
      if (listed.has(item.id)) unread.push(`${item.id} is listed twice`);
      listed.add(item.id);
      if (wanted.get(item.id) !== lasting(item)) unread.push(`${item.id} is listed as another`);
    }
    path = page.next_page === null ? null : `/subscriptions?limit=${PAGE}&cursor=${page.next_page}`;
  }
  agent.destroy();
  for (const { id } of acknowledged) if (!listed.has(id)) unread.push(`${id} is not listed`);
  const sample = acknowledged.filter((_, index) => index % step === 0);
  await spread(sample, async (agent, { id }) => {
    const { status, text } = await exchange(agent, site.port, 'GET', `/subscriptions/${id}`, { headers });
    const isSame = status === 200 && lasting(JSON.parse(text) as never) === wanted.get(id);
    if (!isSame) unread.push(`${id}: ${status} ${text}`);
  });
  return unread;
}
