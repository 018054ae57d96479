import { isKnownTypePattern } from '#domain/event-types.ts';
import { formatId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { invalid, type FieldError } from '#platform/http/problems.ts';
import { queryErrors } from '#platform/http/query.ts';
import type { FeedCursors, FeedSignal } from './feed.ts';
import { readEvent, readFeed, type EventRow, type FeedPosition, type Piece } from './store.ts';

/** What reading events needs. */
export interface EventDependencies {
  readonly database: Database;
  readonly feedCursors: FeedCursors;
  readonly feedSignal: FeedSignal;
  /** Whether the service is shutting down: nobody is kept waiting then. */
  readonly isStopping: () => boolean;
}

/** Events in one answer, unless the caller says otherwise. */
export const DEFAULT_LIMIT = 100;
/** Events in one answer at most. */
export const MAX_LIMIT = 500;
/** How long an answer may be kept back, waiting for something new. */
export const MAX_WAIT_SECONDS = 30;
const MAX_TYPES = 50;
/**
 * How long events of rare types are looked for before the caller is told how far that went: else he would give up, and
 * begin where he began before.
 */
const LOOK_MS = 3_000;
/** Another process publishes without this one hearing of it. */
const LOOK_AGAIN_MS = 500;
const BEGINNING: FeedPosition = { position: '0', snapshot: null };

/** Reads a piece of the feed for all who ask for the same at the same time. */
export type SharedRead = (
  projectId: string,
  after: FeedPosition,
  types: readonly string[] | null,
  limit: number,
) => Promise<Piece>;

/**
 * Reads for those who have waited: whoever waits at the same place asks for the same when something is published, and a
 * thousand of them would keep everybody else from the database.
 */
export function createSharedRead({
  database,
  feedSignal,
}: Pick<EventDependencies, 'database' | 'feedSignal'>): SharedRead {
  const underWay = new Map<string, Promise<Piece>>();
  return (...question) => {
    // What was begun before the last publication may not have seen it.
    const key = JSON.stringify([feedSignal.turn(), ...question]);
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const reading = readFeed(database, ...question).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}

/** An event as JSON text. */
export function presentEvent(row: EventRow): string {
  const head = {
    object: 'event',
    id: formatId('evt', row.id),
    type: row.type,
    timestamp: row.occurred_at,
    sequence: row.sequence,
    request_id: row.request_id,
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":${row.data}}`;
}

/** `GET /events/{id}` */
export async function handleReadEvent({ database }: EventDependencies, request: Request): Promise<Answer> {
  const row = await named(request, 'evt', (id) => readEvent(database, request.caller.projectId, id));
  const body = presentEvent(row);
  return { status: 200, body, headers: { etag: entityTag(body) } };
}

/** `GET /events`: from a cursor on, oldest first; with `wait` answered when there is something, or the time is over. */
export async function handleReadEvents(
  dependencies: EventDependencies,
  readAgain: SharedRead,
  request: Request,
): Promise<Answer> {
  const { caller, waitAside, isAbandoned } = request;
  const { database, feedCursors, feedSignal, isStopping } = dependencies;
  const { after, limit, types, waitMs } = readQuestion(feedCursors, request);
  const begin = performance.now();
  let piece = await readFeed(database, caller.projectId, after, types, limit);
  for (;;) {
    const { rows, seen, hasMore } = piece;
    const left = begin + (hasMore ? LOOK_MS : waitMs) - performance.now();
    if (rows.length > 0 || left <= 0 || isStopping() || isAbandoned()) {
      const items = rows.map(presentEvent).join(',');
      const next = JSON.stringify(feedCursors.format(caller.projectId, seen));
      const body = `{"object":"list","items":[${items}],"has_more":${hasMore},"next_page":${next}}`;
      return { status: 200, body };
    }
    if (!hasMore) await waitAside(feedSignal.wait(Math.min(left, LOOK_AGAIN_MS)));
    piece = await readAgain(caller.projectId, seen, types, limit);
  }
}

interface Question {
  readonly after: FeedPosition;
  readonly limit: number;
  /** Patterns of `like`. */
  readonly types: readonly string[] | null;
  readonly waitMs: number;
}

/** @throws Problem with every wrong parameter */
function readQuestion(cursors: FeedCursors, { caller, query: { values }, errors: refused }: Request): Question {
  const found: FieldError[] = [];
  const refuse = (name: string, message: string, code = 'invalid_parameter'): void =>
    void found.push({ field: `?${name}`, code, message });
  const whole = (name: string, usual: number, least: number, most: number): number => {
    const text = values[name];
    if (text === undefined) return usual;
    const number = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    refuse(name, `must be a whole number from ${least} to ${most}`);
    return usual;
  };
  const limit = whole('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  const wait = whole('wait', 0, 0, MAX_WAIT_SECONDS);
  const { after: cursor, types: text } = values;
  const after = cursor === undefined ? BEGINNING : cursors.parse(caller.projectId, cursor);
  if (after === null) refuse('after', 'is not a cursor of this project’s feed', 'invalid_cursor');
  const patterns = text?.split(',') ?? null;
  if (patterns !== null && (patterns.length > MAX_TYPES || !patterns.every(isKnownTypePattern))) {
    const message = `must be at most ${MAX_TYPES} types of events such as subscription.confirmed, or subscription.*, or *, with commas between`;
    refuse('types', message, 'invalid_event_type');
  }
  const errors = queryErrors(refused, found);
  if (errors.length > 0 || after === null) throw invalid(errors);
  return { after, limit, waitMs: wait * 1000, types: patterns?.map(likePattern) ?? null };
}

function likePattern(text: string): string {
  return text.replaceAll('_', String.raw`\_`).replaceAll('*', '%');
}
