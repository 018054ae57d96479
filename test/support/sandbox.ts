import { sql } from '#platform/database/sql.ts';
import {
  otherProject,
  signUp,
  signUpBody,
  uniqueMalo,
  uniqueMeterNumber,
  type Json,
  type OtherProject,
} from './builders.ts';
import type { CallOptions, Reply, TestService } from './service.ts';

/** A sandbox project of its own, whose clock stands where the test wants it. */
export interface Sandbox {
  readonly planId: string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** The project's present. */
  now(): Promise<string>;
  advanceTo(instant: string): Promise<void>;
  advanceBy(duration: string): Promise<void>;
  /** Lets everything happen that is due at the present, such as the first message of a sign-up; gives the present. */
  settle(): Promise<string>;
  /** Signs up with a valid market location and no previous supplier, unless `overrides` say otherwise. */
  signUp(overrides?: Readonly<Record<string, unknown>>): Promise<Json>;
  read(id: string): Promise<Json>;
  /** As it stood at an instant. */
  readAsOf(id: string, instant: string): Promise<Json>;
  patch(id: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** `terminate`, `undo-termination` or `retry`. */
  act(id: string, action: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Every entry of the timeline, oldest first, read in pages. */
  timeline(id: string, limit?: number): Promise<TimelineEntry[]>;
  /** The ID of a sandbox supplier, by what stands after the dash. */
  supplier(behaviour: string): Promise<string>;
}

/** An entry of `GET /subscriptions/{id}/timeline`. */
export interface TimelineEntry {
  readonly object: string;
  readonly type: 'event' | 'transition' | 'message';
  readonly timestamp: string;
  readonly revision: number;
  readonly actor: { readonly type: string; readonly credential: string | null };
  readonly request_id: string | null;
  readonly transition: Json;
  readonly event: Json;
  readonly message: Json;
}

/** What the documents say a sandbox supplier is called. */
export const SUPPLIERS = ['confirms', 'bound', 'already ended', 'doubts authority', 'silent'] as const;

/** Opens a sandbox project with a plan, its clock at an instant. */
export async function openSandbox(
  service: TestService,
  at: string,
  plan: Readonly<Record<string, unknown>> = {},
): Promise<Sandbox> {
  const project = await otherProject(service);
  const call: OtherProject['call'] = (method, path, options) => project.call(method, path, options);
  const created = must(await call('POST', '/plans', { body: { name: 'Plan', price: 10, ...plan } }), 201);
  must(await call('POST', '/sandbox/clock', { body: { advance_to: at } }), 200);
  const now = async (): Promise<string> => must(await call('GET', '/sandbox/clock'), 200).now;
  const advance = async (body: Json): Promise<void> => void must(await call('POST', '/sandbox/clock', { body }), 200);
  const inProject = { ...service, call, planId: created.id };
  const known: { suppliers?: Json[] } = {};
  return {
    planId: created.id,
    call,
    now,
    advanceTo: (instant) => advance({ advance_to: instant }),
    advanceBy: (duration) => advance({ advance_by: duration }),
    async settle() {
      const present = await now();
      await advance({ advance_to: present });
      return present;
    },
    signUp: (overrides = {}) => signUp(inProject, overrides),
    read: async (id) => must(await call('GET', `/subscriptions/${id}`), 200),
    readAsOf: async (id, instant) => must(await call('GET', `/subscriptions/${id}?as_of=${instant}`), 200),
    patch: (id, body, headers = {}) => call('PATCH', `/subscriptions/${id}`, { body, headers }),
    act: (id, action, body, headers = {}) =>
      call('POST', `/subscriptions/${id}/${action}`, { ...(body === undefined ? {} : { body }), headers }),
    async timeline(id, limit = 100) {
      const entries: TimelineEntry[] = [];
      let cursor: string | null = null;
      do {
        const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = must(await call('GET', `/subscriptions/${id}/timeline?limit=${limit}${from}`), 200);
        entries.push(...page.items);
        cursor = page.next_page;
      } while (cursor !== null);
      return entries;
    },
    async supplier(behaviour) {
      known.suppliers ??= must(await call('GET', '/suppliers'), 200).items as Json[];
      const found = known.suppliers.find(({ name }) => name === `Sandbox Supplier – ${behaviour}`);
      if (found === undefined) throw new Error(`no supplier that ${behaviour}`);
      return found.id;
    },
  };
}

/** Moves the clocks of all sandbox projects that stand, beneath the service: nothing that is due then happens by that. */
export async function moveClocks({ database }: TestService, by: string): Promise<void> {
  await database.query(sql`update projects set clock_at = clock_at + ${by}::interval where clock_at is not null`);
}

/** The JSON of an answer. @throws when it has another status */
export function must(reply: Reply, status: number): Json {
  if (reply.status !== status) throw new Error(`not ${status} but ${reply.status}: ${reply.text}`);
  return reply.json;
}

/** A wall-clock time in Berlin (`YYYY-MM-DD` or with `THH:MM[:SS]`) as the API writes instants. */
export function berlin(local: string): string {
  const text = local.includes('T') ? local : `${local}T00:00`;
  return Temporal.PlainDateTime.from(text)
    .toZonedDateTime('Europe/Berlin')
    .toInstant()
    .toString({ smallestUnit: 'second' });
}

/** An instant moved by an exact duration. */
export function later(instant: string, duration: Temporal.DurationLike): string {
  return Temporal.Instant.from(instant).add(duration).toString({ smallestUnit: 'second' });
}

/** An address in a postcode. */
export function addressIn(zip: string): Json {
  return { street: 'Heidestraße', house_number: '17', zip, city: 'Ort' };
}

/** A meter without a market location, so that it has to be searched. */
export function meterOnly(): Json {
  return { number: uniqueMeterNumber(), type: 'modern', estimated_usage: 3500 };
}

/** Only the types of the events, in order. */
export function eventTypes(timeline: readonly TimelineEntry[]): string[] {
  return timeline.filter(({ type }) => type === 'event').map(({ event }) => event.type.replace('subscription.', ''));
}

/** The messages of the market, `> 55001` sent and `< 55002 A51` received, without receipts. */
export function messageCodes(timeline: readonly TimelineEntry[]): string[] {
  return timeline
    .filter(({ message }) => message !== null && message.kind !== 'acknowledgement')
    .map(({ message }) => {
      const code: string | undefined = message.contents.code;
      return `${message.direction === 'out' ? '>' : '<'} ${message.identifier}${code === undefined ? '' : ` ${code}`}`;
    });
}

/** The stages in the order in which they were reached, as `from → to`. */
export function transitions(timeline: readonly TimelineEntry[]): string[] {
  return timeline
    .filter(({ type }) => type === 'transition')
    .map(({ transition }) => `${transition.from} → ${transition.to}`);
}

/** Messages to a partner that he has not answered; a receipt is no answer. */
export function outstanding(timeline: readonly TimelineEntry[]): Json[] {
  const messages = timeline.flatMap(({ message }) => (message === null ? [] : [message]));
  const answered = new Set(
    messages.filter(({ direction, kind }) => direction === 'in' && kind !== 'acknowledgement').map((m) => m.answers),
  );
  return messages.filter(({ direction, process_number: number }) => direction === 'out' && !answered.has(number));
}

/** Advances in steps until the subscription is as wanted. @throws after `steps` */
export async function advanceUntil(
  sandbox: Sandbox,
  id: string,
  wanted: (subscription: Json) => boolean,
  step = 'P1D',
  steps = 40,
): Promise<Json> {
  for (let taken = 0; ; taken += 1) {
    const subscription = await sandbox.read(id);
    if (wanted(subscription)) return subscription;
    if (taken === steps) throw new Error(`never came: ${JSON.stringify(subscription)}`);
    await sandbox.advanceBy(step);
  }
}

/** Signs up and advances until the grid operator has confirmed. */
export async function signUpConfirmed(
  sandbox: Sandbox,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Json> {
  const { id } = await sandbox.signUp(overrides);
  return advanceUntil(sandbox, id, ({ stage }) => stage === 'confirmed', 'PT6H');
}

/** Signs up and advances until it is supplied. */
export async function signUpActive(sandbox: Sandbox, overrides: Readonly<Record<string, unknown>> = {}): Promise<Json> {
  const { start_at: startAt, id } = await signUpConfirmed(sandbox, overrides);
  await sandbox.advanceTo(startAt);
  return sandbox.read(id);
}

/** How a program chooses what to do about a `next_action`. */
export type Strategy = 'all fields' | 'fields in order' | 'fields in reverse' | 'wait where it goes on by itself';

/** Follows `next_action` of one subscription and knows nothing else of the market. */
export interface Follower {
  /** Does what a subscription asks for; gives until when to wait, or null when something was done. */
  act(subscription: Json, now: string): Promise<string | null>;
}

/** A program that only reads `next_action` and does as it says. */
export function follow(sandbox: Sandbox, strategy: Strategy): Follower {
  const tried = new Map<string, number>();
  return {
    async act({ next_action: action, status }, now) {
      const wait = later(now, { hours: 24 });
      if (action === null || status !== 'pending') return wait;
      const { code, fields, resolve, retry_at: retryAt } = action;
      const goesOnByItself = resolve === null || (retryAt !== null && strategy.startsWith('wait'));
      if (goesOnByItself) return retryAt !== null && retryAt > now ? retryAt : wait;
      const count = tried.get(code) ?? 0;
      tried.set(code, count + 1);
      const body =
        resolve.method === 'PATCH' ? await correctionOf(sandbox, action, { strategy, count, now }) : undefined;
      const reply = await sandbox.call(resolve.method, resolve.path, body === undefined ? {} : { body });
      if (reply.status !== 200) {
        throw new Error(`${resolve.method} for ${code} ${JSON.stringify(fields)}: ${reply.status} ${reply.text}`);
      }
      return null;
    },
  };
}

async function correctionOf(
  sandbox: Sandbox,
  action: Json,
  { strategy, count, now }: { strategy: Strategy; count: number; now: string },
): Promise<Json> {
  const ordered: string[] = strategy === 'fields in reverse' ? action.fields.toReversed() : action.fields;
  const chosen = strategy === 'all fields' ? ordered : ordered.slice(count % ordered.length).slice(0, 1);
  const body: Json = {};
  for (const field of chosen) {
    const [, outer = '', inner] = field.split('/');
    const value = await validValue(sandbox, field, action.message, now);
    if (inner === undefined) body[outer] = value;
    else body[outer] = { ...(body[outer] as object | undefined), [inner]: value };
  }
  return body;
}

/** What a person would fill in. */
async function validValue(sandbox: Sandbox, field: string, message: string, now: string): Promise<unknown> {
  if (field === '/meter/malo') return uniqueMalo();
  if (field === '/meter/number') return uniqueMeterNumber();
  if (field === '/address') return addressIn('10117');
  if (field === '/customer/first_name') return 'Erica';
  if (field === '/customer/last_name') return 'Musterfrau';
  if (field === '/customer/company_name') return 'Neue Muster GmbH';
  if (field === '/previous_supplier') return sandbox.supplier('confirms');
  if (field === '/intended_start_date') {
    const today = Temporal.Instant.from(now).toZonedDateTimeISO('Europe/Berlin').toPlainDate();
    return /\d{4}-\d\d-\d\d/.exec(message)?.[0] ?? today.add({ days: 30 }).toString();
  }
  throw new Error(`nothing documented says what to put into ${field}`);
}

/** Follows until the subscription is active or ended, or so many steps are taken; `check` looks on after each. */
export async function followToRest(
  sandbox: Sandbox,
  id: string,
  strategy: Strategy,
  check: (subscription: Json) => Promise<void> = async () => {},
  steps = 60,
): Promise<Json> {
  const program = follow(sandbox, strategy);
  for (let taken = 0; taken < steps; taken += 1) {
    const now = await sandbox.settle();
    const subscription = await sandbox.read(id);
    await check(subscription);
    if (subscription.status !== 'pending') return subscription;
    const until = subscription.stage === 'confirmed' ? subscription.start_at : await program.act(subscription, now);
    if (until !== null) await sandbox.advanceTo(until);
  }
  return sandbox.read(id);
}

/** A body to sign up with in a sandbox. */
export function sandboxBody(sandbox: Sandbox, overrides: Readonly<Record<string, unknown>> = {}): Json {
  return signUpBody(sandbox.planId, overrides);
}
