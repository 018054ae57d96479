import { randomUUID } from 'node:crypto';
import { formatId, parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { signUp, signUpBody } from './builders.ts';
import type { TestService } from './service.ts';

/** What a project owns, by its ids, of every kind that a route can name. */
export interface Owned {
  readonly subscription: string;
  /** Of one that is supplied and terminated, and of one that waits for an operator. */
  readonly ending: string;
  readonly stuck: string;
  readonly event: string;
  readonly plan: string;
  readonly supplier: string;
  readonly customer: string;
  readonly address: string;
  readonly meter: string;
  readonly method: string;
  /** Whose only subscription has ended. */
  readonly erasable: string;
  readonly lead: string;
  readonly endpoint: string;
  /** Of its endpoint that is deleted. */
  readonly deletable: string;
  readonly delivery: string;
  /** Two of each, one of which is cancelled or ended. */
  readonly meterOrder: string;
  readonly cancellable: string;
  readonly reduction: string;
  readonly endable: string;
  readonly key: string;
}

/** Ids of the same form that name nothing. */
export const nothing = {
  subscription: formatId('sub', randomUUID()),
  plan: formatId('pln', randomUUID()),
  customer: formatId('cus', randomUUID()),
  address: formatId('adr', randomUUID()),
  meter: formatId('mtr', randomUUID()),
  method: formatId('pm', randomUUID()),
  event: formatId('evt', randomUUID()),
  lead: formatId('lead', randomUUID()),
  endpoint: formatId('whe', randomUUID()),
  delivery: formatId('whd', randomUUID()),
  meterOrder: formatId('mor', randomUUID()),
  reduction: formatId('gfr', randomUUID()),
};

/** Has the project of the service own one of each; what carries text of the caller's own says `mine`. */
export async function createOwned(service: TestService): Promise<Owned> {
  const key = 'matrix-key';
  const ending: string = (await signUp(service)).id;
  const { address } = signUpBody(service.planId) as { address: object };
  const stuck: string = (await signUp(service, { address: { ...address, zip: '99905' } })).id;
  const withdrawn = await signUp(service);
  await service.call('POST', `/subscriptions/${withdrawn.id}/terminate`, { body: { reason: 'withdrawal' } });
  await service.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
  await service.call('POST', `/subscriptions/${ending}/terminate`, { body: { reason: 'ordinary' } });
  const named = { external_id: 'mine', metadata: { secret: 'mine' } };
  const headers = { 'idempotency-key': key };
  const created = await signUp(service, named, '', { headers });
  const event: string = (await service.call('GET', '/events?limit=1&wait=5')).json.items[0].id;
  const [meterOrder, reduction] = await createOrders(service);
  const [cancellable, endable] = await createOrders(service);
  const endpoint = await createEndpoint(service);
  return {
    subscription: created.id,
    ending,
    stuck,
    event,
    plan: service.planId,
    supplier: (await service.call('GET', '/suppliers')).json.items[0].id,
    customer: created.customer,
    address: created.address,
    meter: created.meter,
    method: created.payment_method,
    erasable: withdrawn.customer,
    lead: await createLead(service, named),
    endpoint,
    deletable: await createEndpoint(service),
    delivery: await createDelivery(service, endpoint, event),
    meterOrder,
    cancellable,
    reduction,
    endable,
    key,
  };
}

async function createLead(service: TestService, named: object): Promise<string> {
  const customer = { last_name: 'Mustermann', email: 'mine@example.com' };
  const body = { plan: service.planId, address: { zip: '51147' }, customer, ...named };
  return (await service.call('POST', '/leads', { body })).json.id;
}

/** A meter order and a grid-fee reduction of a subscription of their own. */
async function createOrders(service: TestService): Promise<[meterOrder: string, reduction: string]> {
  const { id: subscription } = await signUp(service);
  const order = await service.call('POST', '/meter-orders', { body: { subscription } });
  const reduction = await service.call('POST', '/grid-fee-reductions', { body: { subscription, module_1: true } });
  return [order.json.id, reduction.json.id];
}

/** One that has failed, of the endpoint and the event. */
async function createDelivery(service: TestService, endpoint: string, event: string): Promise<string> {
  const id = randomUUID();
  await service.database.query(sql`
    insert into webhook_deliveries
      (project_id, id, endpoint_id, event_id, subject_id, position, state, attempt_count, created_at)
    select project_id, ${id}::uuid, ${parseId('whe', endpoint)}::uuid, id, subscription_id, 1, 'failed', 1, now()
    from events where id = ${parseId('evt', event)}`);
  return formatId('whd', id);
}

async function createEndpoint(service: TestService): Promise<string> {
  // Of a type that these tests do not cause: nothing is sent.
  const body = { url: 'https://example.com/mine', types: ['webhook_endpoint.*'] };
  const created = await service.call('POST', '/webhook-endpoints', { body });
  return created.json.id as string;
}
