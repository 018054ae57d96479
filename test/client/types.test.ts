/** What the compiler refuses: `npm run check` fails when one of these lines is accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { components, EventType, WattlineClient, WattlineError, WattlineEvent } from '#client';

/** Never called: its types are the test. */
export async function refusedByTheCompiler(
  client: WattlineClient,
  event: WattlineEvent,
  error: WattlineError,
): Promise<void> {
  const contact = { first_name: 'Erika', last_name: 'Mustermann', email: 'erika@example.com' };
  const signUp = {
    plan: 'pln_',
    address: { street: 'Heidestraße', house_number: '17', zip: '51147', city: 'Köln' },
    meter: { number: '1EMH0012345678', type: 'modern' as const, estimated_usage: 3500 },
    payment_method: { type: 'sepa_debit' as const, sepa_debit: { iban: 'DE', account_holder: 'Erika Mustermann' } },
    next_possible_start: true,
    metadata: { any: ['thing'] },
  };
  const company = { ...contact, type: 'company' as const, company_name: 'Muster GmbH' };
  await client.POST('/subscriptions', { body: { ...signUp, customer: contact } });
  await client.POST('/subscriptions', { body: { ...signUp, customer: company } });
  // @ts-expect-error -- a company has a name
  await client.POST('/subscriptions', { body: { ...signUp, customer: { ...contact, type: 'company' } } });
  // @ts-expect-error -- a person has no company name
  const person: components['schemas']['CustomerInput'] = { ...contact, type: 'person', company_name: 'Muster GmbH' };
  await client.POST('/subscriptions', { body: { ...signUp, customer: person } });
  const check = { params: { query: { validate_only: true } }, body: { ...signUp, customer: contact } } as const;
  const valid: boolean = (await client.POST('/subscriptions', check)).data.valid;
  const created = await client.POST('/subscriptions', { body: { ...signUp, customer: contact } });
  // @ts-expect-error -- a sign-up that is carried out answers the subscription
  assert.equal(created.data.valid, valid);
  const modules = { type: '14a_enwg' as const, '14a_enwg': { module_1: true } };
  await client.POST('/subscriptions', { body: { ...signUp, customer: contact, product_orders: [modules] } });
  const bare = { ...signUp, customer: contact, product_orders: [{ type: '14a_enwg' as const }] };
  // @ts-expect-error -- an order of modules names them
  await client.POST('/subscriptions', { body: bare });
  // @ts-expect-error -- there is no such path
  await client.GET('/nothing');
  // @ts-expect-error -- tokens are the client's own business
  await client.POST('/oauth/token');
  // @ts-expect-error -- the path has a parameter
  await client.GET('/subscriptions/{id}');
  // @ts-expect-error -- no list
  client.list('/events');
  await client.GET('/subscriptions', { params: { query: { 'filter[metadata.channel][eq]': 'web' } } });
  // @ts-expect-error -- there is no such filter
  await client.GET('/subscriptions', { params: { query: { 'filter[nothing][eq]': 'web' } } });
  const { data } = await client.GET('/subscriptions/{id}', { params: { path: { id: 'sub_' } } });
  const status: 'pending' | 'active' | 'ended' = data.status;
  // @ts-expect-error -- an object only where it is asked for with `expand[]`
  const email: string = data.customer.email;
  if (event.type === 'subscription.confirmed') {
    assert.equal(event.data.subscription.status, status);
    assert.equal(event.data.previous_attributes.stage, event.data.subscription.stage);
    // @ts-expect-error -- a subscription has no such member
    assert.equal(event.data.previous_attributes.nothing, undefined);
  }
  if (event.type === 'customer.erased') assert.equal(event.data.customer.id, email);
  // @ts-expect-error -- events carry nothing personal
  if (event.type === 'customer.updated') assert.equal(event.data.customer.email, email);
  assert.equal(error.problem.earliest_end_date, error.problem.subscriptions?.[0]);
  // @ts-expect-error -- no refusal has such a member
  assert.equal(error.problem.nothing, undefined);
  // @ts-expect-error -- which resource it tells of is not known yet
  assert.equal(event.data.subscription, email);
}

type DataOf<Type extends EventType> = Extract<WattlineEvent, { type: Type }>['data'];

/** Types of events whose resource is no component of the API reference under its own name, such as `WebhookEndpoint`. */
type Untyped = {
  [Type in EventType]: Type extends `${infer Name}.${string}`
    ? Name extends keyof DataOf<Type>
      ? unknown extends DataOf<Type>[Name]
        ? Type
        : never
      : Type
    : never;
}[EventType];

test('every type of event has the type of its resource', () => {
  const isComplete: [Untyped] extends [never] ? true : false = true;
  assert.ok(isComplete);
});
