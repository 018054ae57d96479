import { randomBytes } from 'node:crypto';
import { createCredential, createProject } from '#features/projects/index.ts';
import { maloOf } from './malo.ts';
import { fetchToken, type CallOptions, type Reply, type TestService } from './service.ts';

/** A JSON object under construction, to be changed at will before it is sent. */
// oxlint-disable-next-line typescript/no-explicit-any -- bodies are built to be wrong in any way
export type Json = any;

/** The id of a supplier of the demo project, whichever. */
export async function anySupplier(service: Pick<TestService, 'call'>): Promise<string> {
  return (await service.call('GET', '/suppliers')).json.items[0].id;
}

/** A market location id that no other call gives, in any process. */
export function uniqueMalo(): string {
  return maloOf(Number(randomBytes(8).readBigUInt64BE() % 9_000_000_000n));
}

/** A meter number that no other call gives, in any process. */
export function uniqueMeterNumber(): string {
  return `1EMH${randomBytes(6).toString('hex').toUpperCase()}`;
}

/** A German IBAN with right check digits for an account of one's own. */
export function germanIban(account: bigint = randomBytes(8).readBigUInt64BE()): string {
  const bban = `37040044${String(account % 10_000_000_000n).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}

/**
 * A valid sign-up with a market location, meter and e-mail address of its own; members of `overrides` replace whole
 * members, and one that is `undefined` is left out.
 */
export function signUpBody(planId: string, overrides: Readonly<Record<string, unknown>> = {}): Json {
  const body: Record<string, unknown> = {
    plan: planId,
    customer: {
      type: 'person',
      first_name: 'Erika',
      last_name: 'Mustermann',
      email: `erika.${randomBytes(5).toString('hex')}@example.com`,
    },
    address: { street: 'Heidestraße', house_number: '17', zip: '51147', city: 'Köln' },
    meter: { number: uniqueMeterNumber(), type: 'modern', estimated_usage: 3500, malo: uniqueMalo() },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89370400440532013000', account_holder: 'Erika Mustermann' },
    },
    next_possible_start: true,
    ...overrides,
  };
  for (const [name, value] of Object.entries(body)) if (value === undefined) delete body[name];
  return body;
}

/** A copy of a JSON value with the member at a JSON Pointer set, or removed when `value` is `undefined`. */
export function withMember(body: unknown, pointer: string, value: unknown): Json {
  const copy: Json = structuredClone(body);
  const steps = pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  let target = copy;
  for (const step of steps) target = target[step];
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

/** The value at a JSON Pointer. */
export function memberAt(body: unknown, pointer: string): Json {
  let value: Json = body;
  for (const step of pointer.split('/').slice(1)) value = value?.[step];
  return value;
}

/** `YYYY-MM-DD` in Europe/Berlin, so many days from an instant on. */
export function berlinDate(daysAhead: number, from: Temporal.Instant = Temporal.Now.instant()): string {
  return from.toZonedDateTimeISO('Europe/Berlin').toPlainDate().add({ days: daysAhead }).toString();
}

/** `field code` of every error of a refusal, sorted. */
export function fieldErrors(reply: Reply): string[] {
  const errors = (reply.json as { errors?: { field: string; code: string }[] } | undefined)?.errors ?? [];
  return errors.map(({ field, code }) => `${field} ${code}`).sort();
}

/** A problem without what differs between two requests that are answered alike. */
export function withoutRequestId(reply: Reply): Json {
  const { request_id: _, ...rest } = reply.json as Record<string, unknown>;
  return rest;
}

/** Signs up and gives the answer. @throws when it is not created */
export async function signUp(
  service: TestService,
  overrides: Readonly<Record<string, unknown>> = {},
  query = '',
  options: CallOptions = {},
): Promise<Json> {
  const body = signUpBody(service.planId, overrides);
  const reply = await service.call('POST', `/subscriptions${query}`, { body, ...options });
  if (reply.status !== 201) throw new Error(`not created: ${reply.status} ${reply.text}`);
  return reply.json;
}

/** Creates a plan and gives it. @throws when it is not created */
export async function createPlan(
  service: TestService,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Json> {
  const body = { name: `Plan ${randomBytes(4).toString('hex')}`, price: 10, ...overrides };
  const reply = await service.call('POST', '/plans', { body });
  if (reply.status !== 201) throw new Error(`no plan: ${reply.status} ${reply.text}`);
  return reply.json;
}

/** Another tenant of the same service. */
export interface OtherProject {
  readonly token: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** Calls the API as that project. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

/** A second project with a credential of its own. */
export async function otherProject(service: TestService, mode: 'live' | 'sandbox' = 'sandbox'): Promise<OtherProject> {
  const { foundation } = service.service;
  const created = await createProject(foundation, { name: 'Other', mode });
  if (!created.ok) throw new Error(created.message);
  const credential = await createCredential(foundation, { projectId: created.project.id, name: 'Other' });
  if (!credential.ok) throw new Error(credential.reason);
  const client = { clientId: credential.clientId, clientSecret: credential.clientSecret };
  const token = await fetchToken(service.baseUrl, client);
  return {
    token,
    client,
    call: (method, path, options = {}) => service.call(method, path, { token, ...options }),
  };
}

/** Numbers in [0, 1) that come in the same order for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
