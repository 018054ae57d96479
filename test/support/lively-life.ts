import { must, addressIn, berlin, meterOnly, openSandbox, type Sandbox } from './sandbox.ts';
import { otherProject, signUpBody, type Json } from './builders.ts';
import type { TestService } from './service.ts';

/** What a lively life leaves behind. */
export interface LivelyLife {
  readonly sandbox: Sandbox;
  /** Every subscription of the sandbox project, with what became of it by its name. */
  readonly subscriptions: Readonly<Record<string, Json>>;
}

const SMART = { type: 'smart-meter' };
const MODULE_1 = { type: '14a_enwg', '14a_enwg': { module_1: true } };
const MODULES = { type: '14a_enwg', '14a_enwg': { module_1: true, module_3: true } };

/**
 * Fills a database with everything that happens: switches of every kind, ends, withdrawals, corrections, orders, leads,
 * erasures, kept answers, and a live project that waits for its operator.
 * @param webhook where events are sent to; needs a service that sends to this machine
 */
export async function liveALife(service: TestService, webhook: string): Promise<LivelyLife> {
  const sandbox = await openSandbox(service, berlin('2037-11-21T10:00'));
  const call = callOf(sandbox);
  const endpoint = must(await call('POST', '/webhook-endpoints', { body: { url: webhook } }), 201);
  must(await call('PATCH', `/webhook-endpoints/${endpoint.id}`, { body: { description: 'first' } }), 200);
  const lead = await openLead(sandbox);
  const subscriptions = {
    plain: await sandbox.signUp({ metadata: { channel: 'web' }, external_id: 'shop-1' }),
    switching: await sandbox.signUp({ previous_supplier: await sandbox.supplier('confirms') }),
    bound: await sandbox.signUp({ previous_supplier: await sandbox.supplier('bound') }),
    silent: await sandbox.signUp({ previous_supplier: await sandbox.supplier('silent') }),
    searched: await sandbox.signUp({ meter: meterOnly() }),
    lost: await sandbox.signUp({ meter: meterOnly(), address: addressIn('99901') }),
    stuck: await sandbox.signUp({ address: addressIn('99905') }),
    withdrawn: await sandbox.signUp(),
    ordering: await sandbox.signUp({ product_orders: [SMART, MODULES] }),
    cancelling: await sandbox.signUp({ product_orders: [SMART] }),
    converted: await sandbox.signUp({ lead: lead.id }),
    moving: await sandbox.signUp({ lead: (await openLead(sandbox)).id, product_orders: [SMART, MODULE_1] }),
  };
  await signUpWithKey(sandbox);
  must(
    await sandbox.act(subscriptions.withdrawn.id, 'terminate', { reason: 'withdrawal' }, { 'x-reason': 'He called.' }),
    200,
  );
  await sandbox.advanceBy('P10D');
  must(await sandbox.patch(subscriptions.plain.id, { metadata: { channel: 'shop' } }), 200);
  await replaceParts(sandbox, subscriptions.plain.id);
  must(await call('PATCH', `/customers/${subscriptions.plain.customer}`, { body: { last_name: 'Neu' } }), 200);
  await sandbox.act(subscriptions.stuck.id, 'retry');
  for (const { id } of [subscriptions.cancelling, subscriptions.moving]) {
    must(await call('POST', `/meter-orders/${await orderOf(sandbox, 'meter-orders', id)}/cancel`), 200);
  }
  const reduction = await orderOf(sandbox, 'grid-fee-reductions', subscriptions.moving.id);
  must(await call('POST', `/grid-fee-reductions/${reduction}/end`), 200);
  must(await sandbox.act(subscriptions.moving.id, 'terminate', { reason: 'ordinary' }), 200);
  must(await sandbox.act(subscriptions.ordering.id, 'terminate', { reason: 'ordinary' }), 200);
  await sandbox.advanceBy('P60D');
  must(await call('POST', `/customers/${subscriptions.withdrawn.customer}/erase`), 200);
  must(await call('POST', `/customers/${subscriptions.moving.customer}/erase`), 200);
  await sandbox.signUp({ product_orders: [MODULE_1] });
  await waitInALiveProject(service);
  return { sandbox, subscriptions };
}

const callOf =
  (sandbox: Sandbox): Sandbox['call'] =>
  (method, path, options) =>
    sandbox.call(method, path, options);

/** Its payment method and its billing address are others now, and stay as they were in what is told of before. */
async function replaceParts(sandbox: Sandbox, id: string): Promise<void> {
  const sepa_debit = { iban: 'DE02120300000000202051', account_holder: 'Jo Neu' };
  for (const billing_address of [addressIn('99901'), addressIn('99902'), null]) {
    must(await sandbox.patch(id, { billing_address, payment_method: { type: 'sepa_debit', sepa_debit } }), 200);
  }
}

/** The id of the order of a kind that a subscription has. */
async function orderOf(sandbox: Sandbox, kind: string, subscription: string): Promise<string> {
  return must(await sandbox.call('GET', `/${kind}?filter[subscription][eq]=${subscription}`), 200).items[0].id;
}

async function openLead(sandbox: Sandbox): Promise<Json> {
  const { planId } = sandbox;
  const call = callOf(sandbox);
  const { customer, address } = signUpBody(planId);
  must(await call('POST', '/leads', { body: { plan: planId, address: { zip: '51147' } } }), 201);
  return must(await call('POST', '/leads', { body: { plan: planId, customer, address, metadata: { a: 1 } } }), 201);
}

/** Twice the same request; and one that is refused. */
async function signUpWithKey(sandbox: Sandbox): Promise<void> {
  const { planId } = sandbox;
  const call = callOf(sandbox);
  const body = signUpBody(planId);
  const headers = { 'idempotency-key': 'first' };
  const { id } = must(await call('POST', '/subscriptions', { body, headers }), 201);
  const again = must(await call('POST', '/subscriptions', { body, headers }), 201);
  if (id !== again.id) throw new Error('the key had no effect');
  must(await call('POST', '/subscriptions', { body, headers: { 'idempotency-key': 'second' } }), 409);
}

async function waitInALiveProject(service: TestService): Promise<void> {
  const live = await otherProject(service, 'live');
  const plan = must(await live.call('POST', '/plans', { body: { name: 'Live', price: 10 } }), 201);
  const { id } = must(await live.call('POST', '/subscriptions', { body: signUpBody(plan.id) }), 201);
  for (;;) {
    const { next_action: action } = must(await live.call('GET', `/subscriptions/${id}`), 200);
    if (action !== null) return;
    must(await live.call('GET', '/events?types=subscription.action_required&wait=1'), 200);
  }
}
