/** What growth is measured by: every list and each of its filters, with values from all over what is stored. */
import { Client } from 'pg';
import { formatId, parseId } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import { createFeedCursors } from '#features/events/feed.ts';
import { createPager } from '#platform/http/paging.ts';
import type { Caller, Query } from '#platform/http/contract.ts';

/** One kind of request, with as many different ones as there are samples. */
export interface Read {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Some subscription, and what finds it. */
interface Sample {
  readonly id: string;
  readonly plan_id: string;
  readonly customer_id: string;
  readonly supplier_id: string | null;
  readonly number: string;
  readonly external_id: string;
  readonly meter: string;
  readonly malo: string | null;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly reference: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
}

const SAMPLES = 500;

/** Subscriptions from all over the time in which they were signed up. */
async function sample(client: Client, projectId: string): Promise<Sample[]> {
  const { rows } = await client.query<Sample>(
    `with span as (
       select extract(epoch from min(created_at)) * 1000 as first, extract(epoch from max(created_at)) * 1000 as last
       from subscriptions where project_id = $1
     )
     select s.id, plan_id, customer_id, supplier_id, number, external_id, meter_number_normalised as meter, malo, email,
       first_name, last_name, metadata ->> 'reference' as reference, to_json(s.created_at) #>> '{}' as created_at,
       to_json(s.updated_at) #>> '{}' as updated_at, to_json(start_at) #>> '{}' as start_at, to_json(end_at) #>> '{}' as end_at
     from generate_series(1, $2::integer) as drawn (place)
     cross join span
     cross join lateral (
       select * from subscriptions
       where project_id = $1 and external_id is not null and id >= (
           lpad(to_hex((first + (last - first) * ((place * 7919) % $2) / $2)::bigint), 12, '0') || repeat('0', 20)
         )::uuid
       order by id limit 1
     ) as s
     join customers c on c.project_id = s.project_id and c.id = s.customer_id`,
    [projectId, SAMPLES],
  );
  return rows.filter(({ reference }) => reference !== null);
}

/** Everything that is read while a database grows. */
export async function readsOf(client: Client, keys: Keys, projectId: string, size: number): Promise<Read[]> {
  const samples = await sample(client, projectId);
  const each = (name: string, pathOf: (sample: Sample) => string | null): Read => ({
    name,
    paths: samples.map(pathOf).filter((path) => path !== null),
  });
  const one = (path: string): Read => ({ name: `GET ${path}`, paths: [path] });
  return [
    each('GET /subscriptions/{id}', ({ id }) => `/subscriptions/${formatId('sub', id)}`),
    each('the same, expanded', ({ id }) => `/subscriptions/${formatId('sub', id)}?${EXPANDED}`),
    each('GET /subscriptions/{id}/timeline', ({ id }) => `/subscriptions/${formatId('sub', id)}/timeline`),
    one('/subscriptions?limit=20'),
    one('/subscriptions?limit=100'),
    one(`/subscriptions?limit=20&${EXPANDED}`),
    { name: 'page 10,000 of 20, or the middle', paths: [await deepPage(client, keys, projectId)] },
    ...filtersOf(samples),
    ...rangesOf(samples, size),
    ...combinationsOf(samples),
    ...otherLists(samples, each, one),
    await feedReads(client, keys, projectId),
  ];
}

const EXPANDED = ['plan', 'customer', 'address', 'meter', 'payment_method', 'supplier']
  .map((part) => `expand[]=${part}`)
  .join('&');

/** A cursor as the service itself makes it, of a row that far behind. */
async function deepPage(client: Client, keys: Keys, projectId: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from subscriptions where project_id = $1 order by id desc
     offset least(199999, (select count(*) / 2 from subscriptions where project_id = $1)) limit 1`,
    [projectId],
  );
  const query: Query = { limit: 1, cursor: undefined, filters: [], expand: new Set(), values: {} };
  const caller: Caller = { projectId, mode: 'sandbox', credentialId: '', scopes: [], apiVersion: '' };
  const pager = createPager(keys);
  const { next } = pager.page(caller, 'subscriptions', query, [rows[0], rows[0]], (row) => row?.id ?? '');
  return `/subscriptions?limit=20&cursor=${next ?? ''}`;
}

const value = encodeURIComponent;

function filterRead(
  samples: readonly Sample[],
  filter: string,
  valueOf: (sample: Sample) => string | null,
  list = '/subscriptions',
): Read {
  const paths = samples.map(valueOf).filter((text) => text !== null);
  return {
    name: `${list === '/subscriptions' ? '' : `${list} `}${filter}`,
    paths: paths.map((text) => `${list}?filter${filter}=${value(text)}`),
  };
}

function filtersOf(samples: readonly Sample[]): Read[] {
  const by = (filter: string, valueOf: (sample: Sample) => string | null): Read => filterRead(samples, filter, valueOf);
  const fixed = (filter: string, text: string): Read => ({
    name: `${filter} = ${text}`,
    paths: [`/subscriptions?filter${filter}=${value(text)}`],
  });
  return [
    ...['active', 'pending', 'ended'].map((status) => fixed('[status][eq]', status)),
    fixed('[status][ne]', 'active'),
    fixed('[status][in]', 'pending,ended'),
    ...['identifying', 'registering', 'supplying', 'ending'].map((stage) => fixed('[stage][eq]', stage)),
    by('[plan][eq]', ({ plan_id: id }) => formatId('pln', id)),
    by('[plan][ne]', ({ plan_id: id }) => formatId('pln', id)),
    by('[customer][eq]', ({ customer_id: id }) => formatId('cus', id)),
    by('[supplier][eq]', ({ supplier_id: id }) => (id === null ? null : formatId('mp', id))),
    fixed('[supplier][is_null]', 'false'),
    fixed('[lead][is_null]', 'false'),
    fixed('[lead][is_null]', 'true'),
    by('[external_id][eq]', ({ external_id: text }) => text),
    by('[external_id][in]', ({ external_id: text }) => `${text},order-none`),
    fixed('[external_id][eq]', 'none'),
    by('[number][eq]', ({ number }) => number),
    by('[meter.number][eq]', ({ meter }) => meter),
    by('[meter.malo][eq]', ({ malo }) => malo),
    fixed('[meter.malo][is_null]', 'true'),
    by('[customer.email][eq]', ({ email }) => email),
    fixed('[customer.email][eq]', 'nobody@example.com'),
    fixed('[start_at][is_null]', 'true'),
    fixed('[end_at][is_null]', 'false'),
    fixed('[next_action.actor][eq]', 'customer'),
    fixed('[next_action.actor][eq]', 'operator'),
    fixed('[next_action.code][eq]', 'market_location_shut_down'),
    fixed('[next_action.code][is_null]', 'false'),
    fixed('[metadata.channel][eq]', 'web'),
    fixed('[metadata.channel][eq]', 'phone'),
    fixed('[metadata.channel][eq]', 'none'),
    by('[metadata.reference][eq]', ({ reference }) => reference),
  ];
}

/** An instant a whole number of seconds later. */
function later(instant: string, seconds: number): string {
  return Temporal.Instant.from(instant).add({ seconds }).toString({ smallestUnit: 'second' });
}

/** Asks for so many seconds from an instant on. */
function rangeOf(field: string, instant: string, seconds: number): string {
  const from = later(instant, 0);
  return `filter[${field}][gte]=${from}&filter[${field}][lt]=${later(from, seconds)}`;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** In which all that is loaded was signed up. */
export const SPAN_SECONDS = 2 * 365 * DAY;

/** @param size how many subscriptions there are, over two years */
function rangesOf(samples: readonly Sample[], size: number): Read[] {
  const between = (
    field: 'created_at' | 'updated_at' | 'start_at' | 'end_at',
    seconds: number,
    name: string,
  ): Read => ({
    name: `${field} within ${name}`,
    paths: samples.flatMap((sample) => {
      const text = sample[field];
      if (text === null) return [];
      return [`/subscriptions?${rangeOf(field, text, seconds)}`];
    }),
  });
  // A fixed time finds nothing at the first size and a full page at the last, which takes longer for that alone.
  const holding = (field: 'created_at' | 'updated_at' | 'start_at' | 'end_at', signUps: number): Read =>
    between(field, Math.ceil((SPAN_SECONDS * signUps) / size), `the time of ${signUps} sign-ups`);
  const beyond = (field: 'created_at' | 'updated_at', operator: 'gte' | 'lt'): Read => ({
    name: `[${field}][${operator}]`,
    paths: samples.map((sample) => `/subscriptions?filter[${field}][${operator}]=${later(sample[field], 0)}`),
  });
  // When it was loaded. Some have changed later: they were led through their lives with the clock moved.
  const newest = samples.map(({ created_at: at }) => at).toSorted((a, b) => (a < b ? 1 : -1))[0] ?? '';
  return [
    holding('created_at', 10),
    holding('created_at', 500),
    between('created_at', DAY, 'a day'),
    beyond('created_at', 'gte'),
    beyond('created_at', 'lt'),
    holding('updated_at', 10),
    holding('updated_at', 500),
    between('updated_at', 30 * DAY, '30 days'),
    beyond('updated_at', 'gte'),
    beyond('updated_at', 'lt'),
    {
      name: '[updated_at][gte], the last hour',
      paths: [`/subscriptions?filter[updated_at][gte]=${later(newest, -HOUR)}`],
    },
    holding('start_at', 500),
    between('start_at', 30 * DAY, '30 days'),
    holding('end_at', 500),
    between('end_at', 30 * DAY, '30 days'),
  ];
}

function combinationsOf(samples: readonly Sample[]): Read[] {
  const both = (name: string, queryOf: (sample: Sample) => string): Read => ({
    name,
    paths: samples.map((sample) => `/subscriptions?${queryOf(sample)}`),
  });
  const plan = ({ plan_id: id }: Pick<Sample, 'plan_id'>): string => `filter[plan][eq]=${formatId('pln', id)}`;
  const since = (operator: string, { created_at: at }: Sample): string =>
    `filter[created_at][${operator}]=${later(at, 0)}`;
  return [
    both('status = pending and plan', (sample) => `filter[status][eq]=pending&${plan(sample)}`),
    both('status = ended, created before', (sample) => `filter[status][eq]=ended&${since('lt', sample)}`),
    both('stage = ending and plan', (sample) => `filter[stage][eq]=ending&${plan(sample)}`),
    both('stage = registering, created before', (sample) => `filter[stage][eq]=registering&${since('lt', sample)}`),
    both('metadata.channel = phone and plan', (sample) => `filter[metadata.channel][eq]=phone&${plan(sample)}`),
    both(
      'metadata.channel = portal and status = ended (none)',
      () => 'filter[metadata.channel][eq]=portal&filter[status][eq]=ended',
    ),
    both(
      'supplier known and stage = identifying (none)',
      () => 'filter[supplier][is_null]=false&filter[stage][eq]=identifying',
    ),
    both(
      'next_action.code and plan',
      (sample) => `filter[next_action.code][eq]=market_location_shut_down&${plan(sample)}`,
    ),
    both(
      'customer.email and status',
      ({ email }) => `filter[customer.email][eq]=${value(email)}&filter[status][eq]=active`,
    ),
    both(
      'status = pending, updated since',
      ({ updated_at: at }) => `filter[status][eq]=pending&filter[updated_at][gte]=${later(at, 0)}`,
    ),
    both(
      'status = active, start_at within 30 days',
      ({ start_at: at, created_at: created }) =>
        `filter[status][eq]=active&${rangeOf('start_at', at ?? created, 30 * DAY)}`,
    ),
    both(
      'end_at within 30 days, and plan',
      ({ end_at: at, created_at: created, ...sample }) =>
        `${rangeOf('end_at', at ?? created, 30 * DAY)}&${plan(sample)}`,
    ),
  ];
}

function otherLists(
  samples: readonly Sample[],
  each: (name: string, pathOf: (sample: Sample) => string | null) => Read,
  one: (path: string) => Read,
): Read[] {
  const search = (text: string): string => `/customers?search=${value(text)}`;
  return [
    one('/customers?limit=20'),
    each('GET /customers/{id}', ({ customer_id: id }) => `/customers/${formatId('cus', id)}`),
    filterRead(samples, '[email][eq]', ({ email }) => email, '/customers'),
    filterRead(samples, '[type][eq]', () => 'company', '/customers'),
    filterRead(samples, '[updated_at][gte]', ({ created_at: at }) => later(at, 0), '/customers'),
    each('/customers search: a last name', ({ last_name: name }) => search(name)),
    each('/customers search: both names', ({ first_name: first, last_name: last }) => search(`${first} ${last}`)),
    each('/customers search: an e-mail address', ({ email }) => search(email)),
    each('/customers search: the beginning of a name', ({ last_name: name }) => search(name.slice(0, 3))),
    one(search('nobodyhasthisname')),
    one('/leads?limit=20'),
    filterRead(samples, '[plan][eq]', ({ plan_id: id }) => formatId('pln', id), '/leads'),
    one('/leads?filter[subscription][is_null]=true'),
    one('/leads?filter[subscription][is_null]=false'),
    filterRead(samples, '[customer.email][eq]', ({ email }) => email, '/leads'),
    filterRead(samples, '[metadata.channel][eq]', () => 'web', '/leads'),
    one('/audit-log?limit=20'),
    filterRead(samples, '[resource][eq]', ({ id }) => formatId('sub', id), '/audit-log'),
    filterRead(samples, '[created_at][lt]', ({ created_at: at }) => later(at, 0), '/audit-log'),
  ];
}

async function feedReads(client: Client, keys: Keys, projectId: string): Promise<Read> {
  const { rows } = await client.query<{ last: string }>('select last_position as last from event_feed_state');
  const last = Number(rows[0]?.last ?? 0);
  const cursors = createFeedCursors(keys);
  const paths = Array.from({ length: SAMPLES }, (_, index) => {
    const position = String(Math.floor((last * ((index * 7919) % SAMPLES)) / SAMPLES));
    return `/events?limit=100&after=${cursors.format(projectId, { position, snapshot: null })}`;
  });
  return { name: 'GET /events?limit=100, from anywhere', paths };
}

/** The uuid of a project shown as `prj_…`. */
export function projectUuid(id: string): string {
  return parseId('prj', id) ?? '';
}
