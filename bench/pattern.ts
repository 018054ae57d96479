/**
 * Lives that the service itself has led, as patterns for as many others as a bench needs: each row of theirs with places
 * for what differs from life to life. What is loaded from them differs from what the service would have written in
 * nothing but names, numbers, ids and times.
 */
import type { Client } from 'pg';
import { berlinDay, startOfBerlinDay } from '#domain/calendar.ts';
import { formatId, parseId } from '#domain/identifiers.ts';
import { hashUuid } from '#platform/crypto.ts';

/** What a pattern was signed up with, hence what is replaced in its rows; each is found in no other text of them. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  readonly email: string;
  readonly street: string;
  readonly city: string;
  readonly zip: string;
  readonly meterNumber: string;
  readonly malo: string;
  readonly externalId: string;
  readonly reference: string;
  readonly idempotencyKey: string;
  readonly usage: string;
}

/** One life to be laid out. */
export interface Life {
  readonly person: Person;
  /** The subscription's number; empty of a lead. */
  readonly number: string;
  readonly planId: string;
  /** In seconds since 1970. */
  readonly createdAt: number;
  /** A fresh id of that time. */
  readonly mint: () => string;
}

/** One row, each column a text of PostgreSQL or null. */
export interface Row {
  readonly table: string;
  readonly values: (string | null)[];
}

/** Which row of a life it is. */
export interface RowKind {
  readonly table: string;
  /** Of an event and of its place in the feed: which event of the life it is; otherwise 1. */
  readonly sequence: number;
}

/** A life as rows. */
export interface Pattern {
  readonly rows: readonly RowKind[];
  /** Those of `rows` that are wanted, in their order; columns as `readColumns` has them. */
  readonly layOut: (life: Life, isWanted: (row: RowKind) => boolean) => Row[];
}

/** By table, the columns that are filled. */
export type Columns = ReadonlyMap<string, readonly string[]>;

/** The tables of a life, referenced ones first, each with what finds its rows: `$1` is the uuid, `$2` the shown id. */
const OF_SUBSCRIPTION: Readonly<Record<string, string>> = {
  customers: 'id = (select customer_id from subscriptions where id = $1)',
  addresses: 'id = (select address_id from subscriptions where id = $1)',
  meters: 'id = (select meter_id from subscriptions where id = $1)',
  payment_methods: 'id = (select payment_method_id from subscriptions where id = $1)',
  subscriptions: 'id = $1',
  subscription_metadata: 'subscription_id = $1',
  subscription_transitions: 'subscription_id = $1',
  market_processes: 'subscription_id = $1',
  market_messages: 'subscription_id = $1',
  events: 'subscription_id = $1',
  event_feed: 'event_id in (select id from events where subscription_id = $1)',
  audit_log: 'resource = $2',
  idempotency_keys: 'request_id in (select request_id from audit_log where resource = $2)',
};
const OF_LEAD: Readonly<Record<string, string>> = {
  leads: 'id = $1',
  lead_metadata: 'lead_id = $1',
  events: 'resource_id = $1',
  event_feed: 'event_id in (select id from events where resource_id = $1)',
  audit_log: 'resource = $2',
  idempotency_keys: 'request_id in (select request_id from audit_log where resource = $2)',
};
const ORDER: Readonly<Record<string, string>> = {
  events: 'sequence',
  event_feed: 'position',
  audit_log: 'id',
  market_messages: 'id',
};
/** Filled by the database: the transaction that writes an event or an entry. */
const LEFT_OUT = new Set(['events.transaction_id', 'audit_log.transaction_id']);

/** The columns of all tables of a life. */
export async function readColumns(client: Client): Promise<Columns> {
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name = any($1) order by ordinal_position`,
    [[...Object.keys(OF_SUBSCRIPTION), ...Object.keys(OF_LEAD)]],
  );
  const columns = new Map<string, string[]>();
  for (const { table_name: table, column_name: column } of rows) {
    if (!LEFT_OUT.has(`${table}.${column}`)) columns.set(table, [...(columns.get(table) ?? []), column]);
  }
  return columns;
}

/** What of a life differs from that of its pattern, while it is laid out. */
interface Filling {
  readonly life: Life;
  readonly uuids: readonly string[];
  /** The same as they are shown, without prefix. */
  readonly codes: readonly string[];
  readonly secondsLater: number;
  readonly daysLater: number;
}
type Piece = string | ((filling: Filling) => string);

/**
 * Reads a pattern whose events have their places in the feed.
 * @param id as it is shown, `sub_…` or `lead_…`
 * @param replaced texts that stand for others in every life, such as the project's id
 */
export async function readPattern(
  client: Client,
  columns: Columns,
  id: string,
  person: Person,
  replaced: ReadonlyMap<string, string>,
): Promise<Pattern> {
  const isLead = id.startsWith('lead_');
  const uuid = parseId(isLead ? 'lead' : 'sub', id) ?? '';
  const rows: { table: string; values: (string | null)[] }[] = [];
  for (const [table, condition] of Object.entries(isLead ? OF_LEAD : OF_SUBSCRIPTION)) {
    const texts = (columns.get(table) ?? []).map((column) => `${column}::text`);
    const named = [uuid, ...(condition.includes('$2') ? [id] : [])];
    const { rows: found } = await client.query<(string | null)[]>({
      text: `select ${texts.join(', ')} from ${table}
        where ${condition.replace('$2', condition.includes('$1') ? '$2' : '$1')} order by ${table}.${ORDER[table] ?? columns.get(table)?.[0] ?? ''}`,
      values: condition.includes('$1') ? named : named.slice(1),
      rowMode: 'array',
    });
    rows.push(...found.map((values) => ({ table, values })));
  }
  return compile(columns, rows, person, replaced);
}

function compile(
  columns: Columns,
  rows: readonly Row[],
  person: Person,
  replaced: ReadonlyMap<string, string>,
): Pattern {
  const valueOf = ({ table, values }: Row, column: string): string =>
    values[(columns.get(table) ?? []).indexOf(column)] ?? '';
  const main = rows.find(({ table }) => table === 'subscriptions' || table === 'leads');
  if (main === undefined) throw new Error('the pattern is not there');
  const created = secondsOf(valueOf(main, 'created_at'));
  const uuids = ownUuids(rows, valueOf);
  const places = new Map(uuids.flatMap((uuid, place) => [[uuid, place] as const]));
  const codes = new Map(uuids.map((uuid, place) => [codeOf(uuid), place] as const));
  const eventOf = (row: Row): string => valueOf(row, row.table === 'event_feed' ? 'event_id' : 'id');
  const events = rows.filter(({ table }) => table === 'events');
  const sequences = new Map(events.map((row) => [eventOf(row), Number(valueOf(row, 'sequence'))]));
  const planId = valueOf(main, 'plan_id');
  const texts = new Map<string, Piece>([
    ...[...replaced].map(([text, other]) => [text, other] as const),
    [planId, ({ life }) => life.planId],
    [codeOf(planId), ({ life }) => codeOf(life.planId)],
    ...Object.entries(person).map(
      ([name, text]) => [text as string, ({ life }: Filling) => life.person[name as keyof Person]] as const,
    ),
    [hashUuid(person.reference), ({ life }) => hashUuid(life.person.reference)],
  ]);
  const number = main.table === 'subscriptions' ? valueOf(main, 'number') : '';
  if (number !== '') texts.set(number, ({ life }) => life.number);
  // The simulated market found it: none was given.
  const malo = main.table === 'subscriptions' ? valueOf(main, 'malo') : '';
  if (malo !== '') texts.set(malo, ({ life }) => life.person.malo);
  const pattern = patternOf(texts);
  const pieceOf = (text: string): Piece => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const [place, code] = [places.get(text), codes.get(text)];
    if (place !== undefined) return ({ uuids }) => uuids[place] ?? '';
    if (code !== undefined) return ({ codes }) => codes[code] ?? '';
    if (INSTANT.test(text)) return instantPiece(secondsOf(text), created);
    if (!DAY.test(text) || text.length > 10) return text;
    const day = secondsOf(`${text}T00:00:00Z`) / DAY_SECONDS;
    return ({ daysLater }) => dayText(day + daysLater);
  };
  const cells = rows.map(({ values }) => values.map((text) => (text === null ? null : cut(text, pattern, pieceOf))));
  const kinds = rows.map((row) => ({ table: row.table, sequence: sequences.get(eventOf(row)) ?? 1 }));
  return {
    rows: kinds,
    layOut(life, isWanted) {
      const minted = uuids.map(() => life.mint());
      const filling = {
        life,
        uuids: minted,
        codes: minted.map(codeOf),
        secondsLater: life.createdAt - created,
        daysLater: Math.floor(life.createdAt / DAY_SECONDS) - Math.floor(created / DAY_SECONDS),
      };
      const laidOut: Row[] = [];
      for (const [index, kind] of kinds.entries()) {
        if (!isWanted(kind)) continue;
        laidOut.push({ table: kind.table, values: (cells[index] ?? []).map((cell) => fill(cell, filling)) });
      }
      return laidOut;
    },
  };
}

/** Finds what is exchanged in a cell, the longest text first. */
function patternOf(texts: ReadonlyMap<string, Piece>): RegExp {
  const escaped = [...texts.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((text) => RegExp.escape(text));
  return new RegExp(
    `(?<![0-9A-Za-z])(?:${escaped.join('|')})(?![0-9A-Za-z])|${UUID.source}|${CODE.source}|${INSTANT.source}|${DAY.source}`,
    'g',
  );
}

const DAY_SECONDS = 86_400;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/;
const CODE = /[0-7][0-9a-hjkmnp-tv-z]{25}/;
const INSTANT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z|\+00)/;
const DAY = /\d{4}-\d\d-\d\d/;

/** The ids of the rows themselves and of the requests that wrote them, in an order that keeps those of a life together. */
function ownUuids(rows: readonly Row[], valueOf: (row: Row, column: string) => string): string[] {
  const requests = rows.flatMap((row) => {
    const uuid = row.table === 'audit_log' ? parseId('req', valueOf(row, 'request_id')) : null;
    return uuid === null ? [] : [uuid];
  });
  return [...new Set([...rows.map((row) => valueOf(row, 'id')).filter((id) => id !== ''), ...requests])];
}

function codeOf(uuid: string): string {
  return formatId('sub', uuid).slice('sub_'.length);
}

/** What happened on the day of the sign-up keeps its distance from it, everything else its time of day in Berlin. */
function instantPiece(second: number, created: number): Piece {
  if (second - created < DAY_SECONDS) return ({ secondsLater }) => instantText(second + secondsLater);
  const [day, rest] = berlinTime(second);
  return ({ daysLater }) => instantText(midnightOf(day + daysLater) + rest);
}

/** A day in Berlin, in days since 1970, and the seconds since its midnight. */
function berlinTime(second: number): readonly [day: number, rest: number] {
  const instant = Temporal.Instant.fromEpochMilliseconds(second * 1000);
  const day = secondsOf(`${berlinDay(instant).toString()}T00:00:00Z`) / DAY_SECONDS;
  return [day, second - midnightOf(day)];
}

const midnights = new Map<number, number>();

/** The midnight in Berlin at which a day begins. */
function midnightOf(day: number): number {
  const known = midnights.get(day);
  if (known !== undefined) return known;
  const midnight = startOfBerlinDay(Temporal.PlainDate.from(dayText(day))).epochMilliseconds / 1000;
  midnights.set(day, midnight);
  return midnight;
}

/** Cuts a text at everything that differs. */
function cut(text: string, pattern: RegExp, pieceOf: (text: string) => Piece): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(from, match.index), pieceOf(match[0]));
    from = match.index + match[0].length;
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '');
}

function fill(cell: readonly Piece[] | null, filling: Filling): string | null {
  if (cell === null) return null;
  let text = '';
  for (const piece of cell) text += typeof piece === 'string' ? piece : piece(filling);
  return text;
}

function secondsOf(text: string): number {
  return Temporal.Instant.from(text.replace(' ', 'T').replace('+00', 'Z')).epochMilliseconds / 1000;
}

const days = new Map<number, string>();

function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = Temporal.PlainDate.from('1970-01-01').add({ days: day }).toString();
  days.set(day, text);
  return text;
}

/** Seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ`; by hand, since a bench needs many millions of them. */
export function instantText(second: number): string {
  const day = Math.floor(second / DAY_SECONDS);
  const rest = second - day * DAY_SECONDS;
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
  return `${dayText(day)}T${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}Z`;
}
