import type { CustomerType } from '#domain/subscription/sign-up.ts';
import type { Queryable, Transaction } from '#platform/database/pool.ts';
import { asProject, sql } from '#platform/database/sql.ts';
import { textArray } from '#platform/database/arrays.ts';
import { lockProjectTime, type ProjectTime } from '../../projects/index.ts';
import { subscriptionColumns } from '../store.ts';
import type { LifeRow } from './life.ts';
import type { EventRow, MarkedMessage, MessageRow } from './traces.ts';

/**
 * When the first process of `projects` is due, in the order of time: asked whether any is due, PostgreSQL walks the table
 * when it believes that very many are.
 */
const firstDue = sql`
  (
    select due_at from market_processes
    where market_processes.project_id = projects.id and due_at is not null
    order by due_at
    limit 1
  )`;

/** The projects in which something is due, or whose clock is to move. */
export function selectDueProjects(queryable: Queryable, now: string): Promise<ProjectTime[]> {
  return queryable.query<ProjectTime>(sql`
    select id, mode, clock_at, clock_target from projects
    where clock_target is not null or coalesce(clock_at, ${now}::timestamptz) >= ${firstDue}`);
}

/** A process that was claimed. */
export interface ProcessRow {
  readonly id: string;
  readonly subscription_id: string;
  /** JSON text. */
  readonly memory: string | null;
  readonly due_at: string | null;
  /** The plan's at the sign-up; null when an earlier version wrote it, and of no use once there is a memory. */
  readonly cancellation_period: string | null;
}

const processColumns = sql`id, subscription_id, memory, due_at, cancellation_period`;

/** When processes were due: by an instant, and, unless null, after one. */
export interface Due {
  readonly after: string | null;
  readonly by: string;
}

/** Claims processes that are due, the earliest first, past those that others work on; locked until the end. */
export function claimDueProcesses(
  transaction: Transaction,
  projectId: string,
  { after, by }: Due,
  limit: number,
): Promise<ProcessRow[]> {
  return transaction.query<ProcessRow>(sql`
    select ${processColumns} from market_processes
    where project_id = ${asProject(projectId)} and due_at <= ${by}${after === null ? sql`` : sql` and due_at > ${after}`}
    order by due_at
    limit ${limit}
    for no key update skip locked`);
}

/** Locks the process of one subscription; waits for whoever works on it. */
export async function lockProcess(
  transaction: Transaction,
  projectId: string,
  subscriptionId: string,
): Promise<ProcessRow | undefined> {
  const [process] = await transaction.query<ProcessRow>(sql`
    select ${processColumns} from market_processes
    where project_id = ${asProject(projectId)} and subscription_id = ${subscriptionId}
    for no key update`);
  return process;
}

/** When the first process beside the claimed ones is due; `null` when none is by then. */
export async function nextDueBeside(
  transaction: Transaction,
  projectId: string,
  claimed: readonly string[],
  dueBy: string,
): Promise<string | null> {
  const [row] = await transaction.query<{ due_at: string }>(sql`
    select due_at from market_processes
    where project_id = ${asProject(projectId)} and due_at <= ${dueBy} and id <> all(${claimed}::uuid[])
    order by due_at
    limit 1`);
  return row?.due_at ?? null;
}

/** The subscriptions of these ids; to be called once their processes are locked. */
export function readLives(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<LifeRow[]> {
  return queryable.query<LifeRow>(sql`
    select ${subscriptionColumns}, revision, malo, meter_number_normalised, zip
    from subscriptions where project_id = ${asProject(projectId)} and id = any(${ids}::uuid[])`);
}

/** What the market has to know of a subscription, as it stands in its parts. */
export interface FactsRow {
  readonly id: string;
  readonly meter_number: string;
  readonly malo: string | null;
  readonly street: string;
  readonly house_number: string;
  readonly zip: string;
  readonly city: string;
  readonly customer_type: CustomerType;
  readonly first_name: string;
  readonly last_name: string;
  readonly company_name: string | null;
  readonly customer_erased_at: string | null;
  /** The plan's at present. */
  readonly cancellation_period: string;
  readonly supplier_id: string | null;
  readonly supplier_name: string | null;
  readonly supplier_code: string | null;
  readonly next_possible_start: boolean;
  readonly intended_start_date: string | null;
  readonly created_at: string;
}

/** The facts of the subscriptions of these ids. */
export function readFacts(queryable: Queryable, projectId: string, ids: readonly string[]): Promise<FactsRow[]> {
  return queryable.query<FactsRow>(sql`
    select s.id, m.number as meter_number, s.malo, a.street, a.house_number, a.zip, a.city, c.type as customer_type,
      c.first_name, c.last_name, c.company_name, c.erased_at as customer_erased_at, p.cancellation_period, f.id as supplier_id, f.name as supplier_name,
      f.code as supplier_code, s.next_possible_start, s.intended_start_date, s.created_at
    from unnest(${ids}::uuid[]) as asked (id)
    -- Each by itself: a join that was planned while there were few would read all that the project has.
    cross join lateral (
      select * from subscriptions where project_id = ${asProject(projectId)} and id = asked.id limit 1
    ) as s
    cross join lateral (select * from meters where project_id = s.project_id and id = s.meter_id limit 1) as m
    cross join lateral (select * from addresses where project_id = s.project_id and id = s.address_id limit 1) as a
    cross join lateral (select * from customers where project_id = s.project_id and id = s.customer_id limit 1) as c
    cross join lateral (select * from plans where project_id = s.project_id and id = s.plan_id limit 1) as p
    left join lateral (select * from suppliers where id = s.supplier_id limit 1) as f on true`);
}

/** Which subscription beside the given ones is open at a market location, or may be confirmed to it; null: none. */
export async function findHolder(
  queryable: Queryable,
  projectId: string,
  malo: string,
  besides: readonly string[],
): Promise<string | null> {
  const [row] = await queryable.query<{ id: string }>(sql`
    select id from subscriptions
    where project_id = ${asProject(projectId)} and malo = ${malo} and status <> 'ended'
      and id <> all(${besides}::uuid[])
    union all
    select subscription_id from held_locations
    where project_id = ${asProject(projectId)} and malo = ${malo}
      and subscription_id <> all(${besides}::uuid[])`);
  return row?.id ?? null;
}

/** Writes one step each of many subscriptions. @throws Error when one has changed since it was read */
export async function updateSubscriptions(
  transaction: Transaction,
  projectId: string,
  rows: readonly { readonly before: LifeRow; readonly after: LifeRow }[],
): Promise<void> {
  const of = <Value>(pick: (row: LifeRow) => Value): Value[] => rows.map(({ after }) => pick(after));
  const written = await transaction.query(sql`
    update subscriptions as s set
      status = input.status, stage = input.stage, end_reason = input.end_reason,
      next_action = input.next_action::json, start_at = input.start_at, terminated_at = input.terminated_at,
      end_at = input.end_at, requested_start_date = input.requested_start_date,
      requested_start_reason = input.requested_start_reason, malo = input.malo, revision = input.revision,
      event_sequence = input.event_sequence, updated_at = input.updated_at, supplier_id = input.supplier_id,
      intended_start_date = input.intended_start_date, meter_number_normalised = input.meter_number_normalised,
      zip = input.zip, payment_method_id = input.payment_method_id, billing_address_id = input.billing_address_id,
      metadata = case when input.sets_metadata then input.metadata::json else s.metadata end
    from unnest(
      ${of((row) => row.id)}::uuid[],
      ${of((row) => row.status)}::text[],
      ${of((row) => row.stage)}::text[],
      ${of((row) => row.end_reason)}::text[],
      ${textArray(of((row) => row.next_action))}::text[],
      ${of((row) => row.start_at)}::timestamptz[],
      ${of((row) => row.terminated_at)}::timestamptz[],
      ${of((row) => row.end_at)}::timestamptz[],
      ${of((row) => row.requested_start_date)}::date[],
      ${of((row) => row.requested_start_reason)}::text[],
      ${of((row) => row.malo)}::text[],
      ${of((row) => row.revision)}::integer[],
      ${of((row) => row.event_sequence)}::integer[],
      ${of((row) => row.updated_at)}::timestamptz[],
      ${of((row) => row.supplier_id)}::uuid[],
      ${of((row) => row.intended_start_date)}::date[],
      ${of((row) => row.meter_number_normalised)}::text[],
      ${of((row) => row.zip)}::text[],
      ${of((row) => row.payment_method_id)}::uuid[],
      ${of((row) => row.billing_address_id)}::uuid[],
      ${rows.map(({ before, after }) => before.metadata !== after.metadata)}::boolean[],
      ${rows.map(({ before, after }) => (before.metadata === after.metadata ? null : after.metadata))}::text[]
    ) as input (
      id, status, stage, end_reason, next_action, start_at, terminated_at, end_at, requested_start_date,
      requested_start_reason, malo, revision, event_sequence, updated_at, supplier_id, intended_start_date,
      meter_number_normalised, zip, payment_method_id, billing_address_id, sets_metadata, metadata
    )
    where s.project_id = ${asProject(projectId)} and s.id = input.id and s.revision = input.revision - 1
      -- A plan for few may join all that the project has; by their ids it reads these only.
      and s.id = any(${of((row) => row.id)}::uuid[])
    returning true`);
  if (written.length !== rows.length) throw new Error('a subscription has changed although its process was locked');
}

/** A market location that a subscription holds beside the one that it names (`heldLocations`). */
export interface HeldLocation {
  readonly subscriptionId: string;
  readonly malo: string;
}

/** Lets go of market locations, before somebody else takes them in the same commit. */
export async function releaseLocations(
  transaction: Transaction,
  projectId: string,
  released: readonly HeldLocation[],
): Promise<void> {
  await transaction.query(sql`
    delete from held_locations
    where project_id = ${asProject(projectId)} and (malo, subscription_id) in (
      select * from unnest(
        ${released.map(({ malo }) => malo)}::text[], ${released.map(({ subscriptionId }) => subscriptionId)}::uuid[]
      )
    )`);
}

/** Holds market locations that their subscriptions have named until now. */
export async function holdLocations(
  transaction: Transaction,
  projectId: string,
  held: readonly HeldLocation[],
): Promise<void> {
  await transaction.query(sql`
    insert into held_locations (project_id, malo, subscription_id)
    select ${projectId}::uuid, * from unnest(
      ${held.map(({ malo }) => malo)}::text[], ${held.map(({ subscriptionId }) => subscriptionId)}::uuid[]
    )`);
}

/**
 * Releases market locations that no process remembers to hold: while two versions ran at once, the one before may have
 * settled what the other held.
 */
export async function releaseForgottenLocations(queryable: Queryable): Promise<void> {
  await queryable.query(sql`
    delete from held_locations as held
    where not exists (
      select from subscriptions as s
      join market_processes as p on p.project_id = s.project_id and p.subscription_id = s.id
      where s.project_id = held.project_id and s.id = held.subscription_id and s.status <> 'ended'
        and (p.memory -> 'supply' ->> 'unclearLocation' = held.malo or exists (
          select from json_array_elements(p.memory -> 'supply' -> 'questions') as question
          where question ->> 'kind' = 'registration' and question ->> 'marketLocation' = held.malo
        ))
    )`);
}

/** What many lives leave behind, beside their subscriptions. */
export interface Traces {
  readonly events: readonly EventRow[];
  readonly messages: readonly MessageRow[];
  readonly marked: readonly MarkedMessage[];
  readonly meters: readonly { readonly id: string; readonly malo: string | null }[];
  readonly processes: readonly { readonly id: string; readonly memory: string; readonly dueAt: string | null }[];
}

/** Writes events and messages, what the market has found, and what the processes remember. */
export async function writeTraces(transaction: Transaction, projectId: string, traces: Traces): Promise<void> {
  const { events, messages, marked, meters, processes } = traces;
  if (events.length > 0) {
    await transaction.query(sql`
      insert into events (project_id, id, subscription_id, revision, sequence, type, occurred_at, request_id,
        caused_by, credential_id, data)
      select ${projectId}::uuid, id, subscription_id, revision, sequence, type, occurred_at, request_id, caused_by,
        credential_id, data::json
      from unnest(
        ${events.map((row) => row.id)}::uuid[],
        ${events.map((row) => row.subscription_id)}::uuid[],
        ${events.map((row) => row.revision)}::integer[],
        ${events.map((row) => row.sequence)}::integer[],
        ${events.map((row) => row.type)}::text[],
        ${events.map((row) => row.occurred_at)}::timestamptz[],
        ${events.map((row) => row.request_id)}::text[],
        ${events.map((row) => row.caused_by)}::text[],
        ${events.map((row) => row.credential_id)}::uuid[],
        ${textArray(events.map((row) => row.data))}::text[]
      ) as input (
        id, subscription_id, revision, sequence, type, occurred_at, request_id, caused_by, credential_id, data
      )`);
  }
  if (messages.length > 0) await insertMessages(transaction, projectId, messages);
  if (marked.length > 0) {
    await transaction.query(sql`
      update market_messages as m set
        state = input.state, transmitted_at = case when input.state = 'transmitted' then input.at end
      from unnest(
        ${marked.map((row) => row.subscription_id)}::uuid[],
        ${marked.map((row) => row.document_number)}::text[],
        ${marked.map((row) => row.state)}::text[],
        ${marked.map((row) => row.at)}::timestamptz[]
      ) as input (subscription_id, document_number, state, at)
      where m.project_id = ${asProject(projectId)} and m.subscription_id = input.subscription_id and m.direction = 'out'
        and m.document_number = input.document_number and m.state in ('waiting', 'obsolete')`);
  }
  if (meters.length > 0) {
    await transaction.query(sql`
      update meters set malo = input.malo
      from unnest(
        ${meters.map((row) => row.id)}::uuid[], ${meters.map((row) => row.malo)}::text[]
      ) as input (id, malo)
      where meters.project_id = ${asProject(projectId)} and meters.id = input.id
        and meters.id = any(${meters.map((row) => row.id)}::uuid[])`);
  }
  await transaction.query(sql`
    update market_processes as p set memory = input.memory::json, due_at = input.due_at
    from unnest(
      ${processes.map((row) => row.id)}::uuid[],
      ${textArray(processes.map((row) => row.memory))}::text[],
      ${processes.map((row) => row.dueAt)}::timestamptz[]
    ) as input (id, memory, due_at)
    where p.project_id = ${asProject(projectId)} and p.id = input.id
      and p.id = any(${processes.map((row) => row.id)}::uuid[])`);
}

async function insertMessages(
  transaction: Transaction,
  projectId: string,
  messages: readonly MessageRow[],
): Promise<void> {
  await transaction.query(sql`
    insert into market_messages (project_id, id, subscription_id, revision, direction, kind, identifier, partner,
      document_number, process_number, answers, contents, state, occurred_at, transmitted_at)
    select ${projectId}::uuid, id, subscription_id, revision, direction, kind, identifier, partner, document_number,
      process_number, answers, contents::json, state, occurred_at, transmitted_at
    from unnest(
      ${messages.map((row) => row.id)}::uuid[],
      ${messages.map((row) => row.subscription_id)}::uuid[],
      ${messages.map((row) => row.revision)}::integer[],
      ${messages.map((row) => row.direction)}::text[],
      ${messages.map((row) => row.kind)}::text[],
      ${messages.map((row) => row.identifier)}::text[],
      ${messages.map((row) => row.partner)}::text[],
      ${messages.map((row) => row.document_number)}::text[],
      ${messages.map((row) => row.process_number)}::text[],
      ${messages.map((row) => row.answers)}::text[],
      ${textArray(messages.map((row) => row.contents))}::text[],
      ${messages.map((row) => row.state)}::text[],
      ${messages.map((row) => row.occurred_at)}::timestamptz[],
      ${messages.map((row) => row.transmitted_at)}::timestamptz[]
    ) as input (id, subscription_id, revision, direction, kind, identifier, partner, document_number, process_number,
      answers, contents, state, occurred_at, transmitted_at)
    on conflict (project_id, subscription_id, direction, document_number) do nothing`);
}

/** Moves a project's clock on to an instant that its work has reached. */
export async function moveClock(transaction: Transaction, projectId: string, at: string): Promise<void> {
  await transaction.query(sql`
    update projects set clock_at = ${at} where id = ${projectId} and clock_at < ${at}`);
}

const isOver = sql`coalesce(clock_target < ${firstDue}, clock_target is not null)`;

/**
 * Ends a clock's advance when nothing is due until its target.
 * @returns the project's time, which is locked then, where others had written what is due
 */
export async function finishClock(
  transaction: Transaction,
  projectId: string,
): Promise<'over' | 'blocked' | ProjectTime> {
  const [over] = await transaction.query(sql`select from projects where id = ${projectId} and ${isOver}`);
  if (over === undefined) return 'blocked';
  // What others are about to commit at the present is waited for, and then looked for with a statement of its own.
  const held = await lockProjectTime(transaction, projectId);
  if (await endAdvance(transaction, projectId)) return 'over';
  return held ?? 'blocked';
}

/** Ends a clock's advance whose project is locked, when nothing is due until its target; whether it did. */
export async function endAdvance(transaction: Transaction, projectId: string): Promise<boolean> {
  const rows = await transaction.query(sql`
    update projects set clock_at = clock_target, clock_target = null
    where id = ${projectId} and ${isOver}
    returning true`);
  return rows.length > 0;
}
