import { Type, type Static } from 'typebox';
import { inBerlin } from '#domain/calendar.ts';
import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database, Transaction } from '#platform/database/pool.ts';
import type { Answer, Caller, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { requireMatch } from '#platform/http/named.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { invalid, notFound, Problem, type FieldError } from '#platform/http/problems.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { askedInstantSchema, enumSchema, instantSchema, nullable } from '#platform/http/schema-parts.ts';
import { requireObject } from '#platform/http/validation.ts';
import { lockProjectTime, presentOf, readProjectTime } from '../projects/index.ts';
import { marketProblems } from '../problems.ts';
import type { Advances } from './advances.ts';
import { setClock } from './store.ts';

/** What the sandbox clock needs. */
export interface ClockDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly mintUuid: MintUuid;
  readonly advances: Advances;
  /** Waits, for a while at most, until the feed has all events that are committed. */
  readonly waitForFeed: () => Promise<void>;
}

/** The clock of a sandbox project as it is read. */
export const clockSchema = Type.Object(
  {
    object: enumSchema(['sandbox_clock'], 'Always `sandbox_clock`.'),
    now: instantSchema('The project’s present.'),
    ticking: Type.Boolean({
      description: 'Whether it goes with wall time; from the first advance on it stands, and moves by advances only.',
    }),
    advancing_to: nullable(instantSchema('Where an advance under way leads; null otherwise.')),
  },
  { additionalProperties: false, title: 'SandboxClock' },
);

/** The body that advances it. */
export const advanceSchema = Type.Object(
  {
    advance_to: Type.Optional(askedInstantSchema('The instant to go to, not before the present.')),
    advance_by: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        format: 'positive-duration',
        description: 'How far to go, an ISO 8601 duration; days and longer are counted in Europe/Berlin.',
        example: 'P1D',
      }),
    ),
  },
  { additionalProperties: false, title: 'SandboxClockAdvance', description: 'One of the two.' },
);
export type Advance = Static<typeof advanceSchema>;

const LAST_INSTANT = '2100-01-01T00:00:00Z';
/** What advances of a clock are all at: its project. */
const CLOCK = 'clock';

/** `GET /sandbox/clock` */
export async function handleReadClock({ database, clock }: ClockDependencies, { caller }: Request): Promise<Answer> {
  const row = isSandbox(caller) ? await readProjectTime(database, caller.projectId) : undefined;
  if (row === undefined) throw notFound();
  return answerWith(formatInstant(presentOf(row, clock)), row.clock_at === null, row.clock_target);
}

/**
 * `POST /sandbox/clock`: sets the clock moving, and answers when everything due until then has happened. The move
 * itself is stored first: cut short anywhere, the service goes on with it by itself.
 */
export async function handleAdvanceClock(dependencies: ClockDependencies, request: Request<Advance>): Promise<Answer> {
  const { projectId } = request.caller;
  if (!isSandbox(request.caller)) throw notFound();
  const errors = [...request.errors, ...checkAdvance(request)];
  if (errors.length > 0) throw invalid(errors);
  const move = async (transaction: Transaction): Promise<Answer> => {
    const row = await lockProjectTime(transaction, projectId);
    if (row === undefined) throw notFound();
    const now = formatInstant(presentOf(row, dependencies.clock));
    requireMatch(request, entityTag(presentClock(now, row.clock_at === null, row.clock_target)));
    const target = targetOf(request.body, row.clock_target ?? now);
    if (target < now) {
      const message = `must not lie before ${now}`;
      const errors = [{ field: '/advance_to', code: 'clock_moves_forward_only', message }];
      throw new Problem(marketProblems.clock_moves_forward_only, undefined, errors);
    }
    const furthest = row.clock_target !== null && row.clock_target > target ? row.clock_target : target;
    await setClock(transaction, projectId, { clock_at: now, clock_target: furthest });
    return answerWith(target, false, null);
  };
  const answer = await once(dependencies, request, move, CLOCK);
  // A refusal that was kept moves nothing.
  if (answer.status !== 200) return answer;
  const { now: target } = JSON.parse(answer.body ?? '{}') as { now: string };
  const reached = dependencies.advances.reach(projectId, target, request.isAbandoned);
  await request.waitAside(reached.then(dependencies.waitForFeed));
  return answer;
}

function isSandbox({ mode }: Caller): boolean {
  return mode === 'sandbox';
}

/** What the schema does not say of an advance; a malformed member is there all the same. @throws Problem for no object */
function checkAdvance({ body, errors }: Pick<Request<Advance>, 'body' | 'errors'>): FieldError[] {
  requireObject(errors);
  const isOne = (body.advance_to === undefined) !== (body.advance_by === undefined);
  const message = 'must have one of advance_to and advance_by';
  return isOne ? [] : [{ field: '', code: 'invalid_advance', message }];
}

/** The instant an advance asks for. @throws Problem */
function targetOf({ advance_to: to, advance_by: by }: Advance, from: string): string {
  const field = to === undefined ? '/advance_by' : '/advance_to';
  const target = to ?? advanced(from, by ?? '');
  if (target === null || target > LAST_INSTANT) {
    throw invalid([{ field, code: 'too_far_ahead', message: `must not lead beyond ${LAST_INSTANT}` }]);
  }
  return target;
}

/** `null` beyond what instants can hold. */
function advanced(from: string, by: string): string | null {
  try {
    const start = inBerlin(Temporal.Instant.from(from));
    const end = start.add(Temporal.Duration.from(by)).toInstant();
    return Temporal.Instant.compare(end, Temporal.Instant.from(LAST_INSTANT)) > 0 ? null : formatInstant(end);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function presentClock(now: string, ticking: boolean, advancingTo: string | null): string {
  return JSON.stringify({ object: 'sandbox_clock', now, ticking, advancing_to: advancingTo });
}

function answerWith(now: string, ticking: boolean, advancingTo: string | null): Answer {
  const body = presentClock(now, ticking, advancingTo);
  return { status: 200, body, headers: { etag: entityTag(body) } };
}
