import { isKnownTypePattern } from '#domain/event-types.ts';
import { formatId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import { forNobody } from '#platform/deadline.ts';
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

/** What is read on from a cursor. */
interface Stretch {
  readonly projectId: string;
  readonly after: FeedPosition;
  /** Patterns of `like`. */
  readonly types: readonly string[] | null;
  readonly limit: number;
}

/** Reads pieces of the feed for all who read on. */
export interface SharedRead {
  /** What follows, with all who ask for the same at the same time. */
  read(stretch: Stretch): Promise<Piece>;
  /** What follows once there is something, or the time is over, or `isDone` found out soon after it is so. */
  await(stretch: Stretch, milliseconds: number, isDone: () => boolean): Promise<Piece>;
}

/** Who waits for something to follow. */
interface Waiting {
  stretch: Stretch;
  /** What he asks for, wherever he stands. */
  readonly question: string;
  readonly isDone: () => boolean;
  readonly resolve: (piece: Piece | Promise<Piece>) => void;
}

/** Those who wait in one project. */
interface Room {
  readonly all: Set<Waiting>;
  /** Who reads last of those that read one after the other. */
  last: Promise<unknown>;
}

/**
 * Reads for those who wait: when something is published, in whatever project, one of each project looks, and of the others
 * only those look who stand before the end that he has found, one at a time. Thousands may wait, each for something else, and
 * their statements would keep everybody from the database.
 */
export function createSharedRead({
  database,
  feedSignal,
}: Pick<EventDependencies, 'database' | 'feedSignal'>): SharedRead {
  const underWay = new Map<string, Promise<Piece>>();
  const rooms = new Map<string, Room>();

  const read = (stretch: Stretch): Promise<Piece> => {
    const { projectId, after, types, limit } = stretch;
    // What was begun before the last publication may not have seen it.
    const key = JSON.stringify([feedSignal.turn(), stretch]);
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const reading = readFeed(database, projectId, after, types, limit).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
  const watch = async (projectId: string, room: Room): Promise<void> => {
    let turn = feedSignal.turn();
    for (;;) {
      if (turn === feedSignal.turn()) await feedSignal.wait(LOOK_AGAIN_MS);
      turn = feedSignal.turn();
      const [scout] = room.all;
      if (scout === undefined) break;
      try {
        await look(room, scout, read);
      } catch (error) {
        for (const each of room.all) each.resolve(Promise.reject(error));
      }
    }
    rooms.delete(projectId);
  };

  return {
    read,
    await: (stretch, milliseconds, isDone) =>
      new Promise((settle) => {
        const { projectId, types, limit } = stretch;
        const known = rooms.get(projectId);
        const room = known ?? { all: new Set(), last: Promise.resolve() };
        const own: Waiting = {
          stretch,
          question: JSON.stringify([types, limit]),
          isDone,
          resolve(piece) {
            clearTimeout(timer);
            room.all.delete(own);
            settle(piece);
          },
        };
        const timer = setTimeout(() => own.resolve(nothingAfter(own.stretch)), milliseconds);
        room.all.add(own);
        if (known !== undefined) return;
        rooms.set(projectId, room);
        // It goes on when whoever came first has his answer.
        forNobody(() => void watch(projectId, room));
      }),
  };
}

/** Looks for one of those who wait, and answers, or has looked for, the others whom that concerns. */
async function look(room: Room, scout: Waiting, read: SharedRead['read']): Promise<void> {
  const { after } = scout.stretch;
  const piece = await read(scout.stretch);
  const end = piece.hasMore ? null : BigInt(piece.seen.position);
  for (const each of room.all) {
    const { stretch } = each;
    if (each.question === scout.question && isSame(stretch.after, after)) {
      each.stretch = { ...stretch, after: piece.seen };
      if (piece.rows.length > 0 || piece.hasMore || each.isDone()) each.resolve(piece);
    } else if (each.isDone()) each.resolve(nothingAfter(stretch));
    else if (end === null || BigInt(stretch.after.position) < end) {
      const reading = room.last.then(() => (each.isDone() ? nothingAfter(stretch) : read(stretch)));
      room.last = reading.catch(() => {});
      each.resolve(reading);
    }
  }
}

function isSame(one: FeedPosition, other: FeedPosition): boolean {
  return one.position === other.position && one.snapshot === other.snapshot;
}

function nothingAfter({ after }: Stretch): Piece {
  return { rows: [], seen: after, hasMore: false };
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
  shared: SharedRead,
  request: Request,
): Promise<Answer> {
  const { caller, waitAside, isAbandoned } = request;
  const { database, feedCursors, isStopping } = dependencies;
  const { after, limit, types, waitMs } = readQuestion(feedCursors, request);
  const { projectId } = caller;
  const begin = performance.now();
  let piece = await readFeed(database, projectId, after, types, limit);
  for (;;) {
    const { rows, seen, hasMore } = piece;
    const left = begin + (hasMore ? LOOK_MS : waitMs) - performance.now();
    if (rows.length > 0 || left <= 0 || isStopping() || isAbandoned()) {
      const items = rows.map(presentEvent).join(',');
      const next = JSON.stringify(feedCursors.format(projectId, seen));
      const body = `{"object":"list","items":[${items}],"has_more":${hasMore},"next_page":${next}}`;
      return { status: 200, body };
    }
    const stretch = { projectId, after: seen, types, limit };
    const isDone = (): boolean => isStopping() || isAbandoned();
    piece = await (hasMore ? shared.read(stretch) : waitAside(shared.await(stretch, left, isDone)));
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
    const number = /^(0|[1-9]\d{0,2})$/.test(text) ? Number(text) : NaN;
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
