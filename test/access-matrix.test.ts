/**
 * Every route and method with no token, a useless one, one of the wrong scope, and another project's token and ids. A
 * route that has no row here fails the first tests.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { formatId, parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import type { RouteContract } from '#platform/http/contract.ts';
import {
  otherProject,
  signUp,
  signUpBody,
  withoutRequestId,
  type Json,
  type OtherProject,
} from './support/builders.ts';
import { fetchToken, send, startService, type CallOptions, type Reply, type TestService } from './support/service.ts';

let service: TestService;
/** What the project of the tests owns. */
const mine = {
  subscription: '',
  /** Of one that is supplied and terminated, and of one that waits for an operator. */
  ending: '',
  stuck: '',
  event: '',
  plan: '',
  supplier: '',
  customer: '',
  address: '',
  meter: '',
  method: '',
  /** Whose only subscription has ended. */
  erasable: '',
  lead: '',
  endpoint: '',
  /** Of its endpoint that is deleted. */
  deletable: '',
  delivery: '',
  /** Two of each, one of which is cancelled or ended. */
  meterOrder: '',
  cancellable: '',
  reduction: '',
  endable: '',
  key: 'matrix-key',
  malo: '',
};
/** Ids of the same form that name nothing. */
const nothing = {
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
let other: OtherProject;
let otherPlan: string;
let readOnly: string;
let writeOnly: string;
let refreshToken: string;

before(async () => {
  service = await startService();
  mine.ending = (await signUp(service)).id;
  const { address } = signUpBody(service.planId) as { address: object };
  mine.stuck = (await signUp(service, { address: { ...address, zip: '99905' } })).id;
  const withdrawn = await signUp(service);
  mine.erasable = withdrawn.customer;
  await service.call('POST', `/subscriptions/${withdrawn.id}/terminate`, { body: { reason: 'withdrawal' } });
  await service.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
  await service.call('POST', `/subscriptions/${mine.ending}/terminate`, { body: { reason: 'ordinary' } });
  const created = await service.call('POST', '/subscriptions', {
    body: signUpBody(service.planId, { external_id: 'mine', metadata: { secret: 'mine' } }),
    headers: { 'idempotency-key': mine.key },
  });
  mine.subscription = created.json.id;
  mine.customer = created.json.customer;
  mine.address = created.json.address;
  mine.meter = created.json.meter;
  mine.method = created.json.payment_method;
  mine.event = (await service.call('GET', '/events?limit=1&wait=5')).json.items[0].id;
  mine.plan = service.planId;
  mine.supplier = (await service.call('GET', '/suppliers')).json.items[0].id;
  [mine.meterOrder, mine.reduction] = await createOrders();
  [mine.cancellable, mine.endable] = await createOrders();
  mine.endpoint = await createEndpoint();
  mine.deletable = await createEndpoint();
  mine.delivery = await createDelivery();
  const customer = { last_name: 'Mustermann', email: 'mine@example.com' };
  const lead = {
    plan: mine.plan,
    address: { zip: '51147' },
    customer,
    external_id: 'mine',
    metadata: { secret: 'mine' },
  };
  mine.lead = (await service.call('POST', '/leads', { body: lead })).json.id;
  other = await otherProject(service);
  otherPlan = (await other.call('POST', '/plans', { body: { name: 'Theirs', price: 1 } })).json.id;
  readOnly = await fetchToken(service.baseUrl, service.client, 'read:*');
  writeOnly = await fetchToken(service.baseUrl, service.client, 'write:*');
  const { clientId, clientSecret } = service.client;
  const response = await fetch(`${service.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  refreshToken = ((await response.json()) as Json).refresh_token;
});
after(() => service.stop());

/** A meter order and a grid-fee reduction of a subscription of their own. */
async function createOrders(): Promise<[string, string]> {
  const { id: subscription } = await signUp(service);
  const order = await service.call('POST', '/meter-orders', { body: { subscription } });
  const reduction = await service.call('POST', '/grid-fee-reductions', { body: { subscription, module_1: true } });
  return [order.json.id, reduction.json.id];
}

/** One that has failed, of the endpoint and the event. */
async function createDelivery(): Promise<string> {
  const id = randomUUID();
  await service.database.query(sql`
    insert into webhook_deliveries
      (project_id, id, endpoint_id, event_id, subject_id, position, state, attempt_count, created_at)
    select project_id, ${id}::uuid, ${parseId('whe', mine.endpoint)}::uuid, id, subscription_id, 1, 'failed', 1, now()
    from events where id = ${parseId('evt', mine.event)}`);
  return formatId('whd', id);
}

async function createEndpoint(): Promise<string> {
  // Of a type that these tests do not cause: nothing is sent.
  const body = { url: 'https://example.com/mine', types: ['webhook_endpoint.*'] };
  const created = await service.call('POST', '/webhook-endpoints', { body });
  return created.json.id as string;
}

/** Operations that are no change. */
const CHANGES_NOTHING = new Set(['testWebhookEndpoint']);

/** A change leaves one entry in the audit log, under the id of its request; anything else none. */
async function expectAudit({ operationId, method }: RouteContract, reply: Reply): Promise<void> {
  const entries = await service.database.query<Json>(sql`
    select operation from audit_log where request_id = ${reply.headers.get('x-request-id')}`);
  const expected = method === 'GET' || CHANGES_NOTHING.has(operationId) ? [] : [{ operation: operationId }];
  assert.deepEqual(entries, expected, operationId);
}

interface Probe {
  readonly path: string;
  readonly body?: unknown;
}

interface Row {
  /** A request that succeeds for the owner. */
  readonly own: () => Probe;
  /** Requests that name what is mine, each beside one that names nothing; the other project cannot tell them apart. */
  readonly foreign: () => readonly (readonly [mine: Probe, nothing: Probe])[];
}

const page = (query: string): Probe => ({ path: `/subscriptions?${query}` });

const rows: Readonly<Record<string, Row>> = {
  createSubscription: {
    own: () => ({ path: '/subscriptions', body: signUpBody(mine.plan) }),
    foreign: () => {
      const ask = (overrides: object): Probe => ({
        path: '/subscriptions',
        body: signUpBody(otherPlan, { ...overrides }),
      });
      return [
        [ask({ plan: mine.plan }), ask({ plan: nothing.plan })],
        [ask({ lead: mine.lead }), ask({ lead: nothing.lead })],
        ...[{ plan: mine.plan }, { lead: mine.lead }].map((named): [Probe, Probe] => {
          const dryRun = (overrides: object): Probe => ({
            path: '/subscriptions?validate_only=true',
            body: { ...fixed, ...overrides },
          });
          const fixed = signUpBody(otherPlan) as object;
          return [dryRun(named), dryRun('plan' in named ? { plan: nothing.plan } : { lead: nothing.lead })];
        }),
      ];
    },
  },
  createLead: {
    own: () => ({ path: '/leads', body: { plan: mine.plan, address: { zip: '51147' } } }),
    foreign: () => [
      [
        { path: '/leads', body: { plan: mine.plan, address: { zip: '51147' } } },
        { path: '/leads', body: { plan: nothing.plan, address: { zip: '51147' } } },
      ],
    ],
  },
  listLeads: {
    own: () => ({ path: '/leads?limit=1' }),
    foreign: () => {
      const list = (filter: string, value: string): Probe => ({ path: `/leads?filter[${filter}][eq]=${value}` });
      return [
        [list('external_id', 'mine'), list('external_id', 'nothing')],
        [list('metadata.secret', 'mine'), list('metadata.secret', 'nothing')],
        [list('plan', mine.plan), list('plan', nothing.plan)],
        [list('customer.email', 'mine@example.com'), list('customer.email', 'nothing@example.com')],
        [list('subscription', mine.subscription), list('subscription', nothing.subscription)],
      ];
    },
  },
  ...Object.fromEntries(
    Object.entries({ readLead: undefined, updateLead: { customer: { first_name: 'Stolen' } } } as const).map(
      ([operation, body]): [string, Row] => {
        const probe = (id: string): Probe => ({ path: `/leads/${id}`, ...(body === undefined ? {} : { body }) });
        return [operation, { own: () => probe(mine.lead), foreign: () => [[probe(mine.lead), probe(nothing.lead)]] }];
      },
    ),
  ),
  listSubscriptions: {
    own: () => page('limit=1'),
    foreign: () => [
      [page('filter[external_id][eq]=mine'), page('filter[external_id][eq]=nothing')],
      [page('filter[metadata.secret][eq]=mine'), page('filter[metadata.secret][eq]=nothing')],
      [page(`filter[plan][eq]=${mine.plan}`), page(`filter[plan][eq]=${nothing.plan}`)],
      [page(`filter[customer][eq]=${mine.customer}`), page(`filter[customer][eq]=${nothing.customer}`)],
      [page(`filter[lead][eq]=${mine.lead}`), page(`filter[lead][eq]=${nothing.lead}`)],
      [page('filter[status][eq]=pending'), page('filter[status][eq]=ended')],
      [page(''), page('filter[external_id][eq]=nothing')],
    ],
  },
  readSubscription: {
    own: () => ({ path: `/subscriptions/${mine.subscription}` }),
    foreign: () => [
      [{ path: `/subscriptions/${mine.subscription}` }, { path: `/subscriptions/${nothing.subscription}` }],
      [
        { path: `/subscriptions/${mine.subscription}?expand[]=customer` },
        { path: `/subscriptions/${nothing.subscription}?expand[]=customer` },
      ],
      [{ path: `/subscriptions/${mine.plan}` }, { path: '/subscriptions/x' }],
    ],
  },
  ...Object.fromEntries(
    Object.entries({
      updateSubscription: ['', { metadata: { seen: true } }],
      terminateSubscription: ['/terminate', { reason: 'withdrawal' }],
      undoTermination: ['/undo-termination', undefined],
      retrySubscription: ['/retry', undefined],
      readTimeline: ['/timeline', undefined],
    } as const).map(([operation, [suffix, body]]): [string, Row] => {
      const probe = (id: string): Probe => ({ path: `/subscriptions/${id}${suffix}`, body });
      const owns = { undoTermination: 'ending', retrySubscription: 'stuck' } as const;
      const own = operation in owns ? owns[operation as keyof typeof owns] : 'subscription';
      return [
        operation,
        { own: () => probe(mine[own]), foreign: () => [[probe(mine[own]), probe(nothing.subscription)]] },
      ];
    }),
  ),
  createMeterOrder: {
    own: () => ({ path: '/meter-orders', body: { subscription: mine.ending } }),
    foreign: () => [
      [
        { path: '/meter-orders', body: { subscription: mine.subscription } },
        { path: '/meter-orders', body: { subscription: nothing.subscription } },
      ],
    ],
  },
  createGridFeeReduction: {
    own: () => ({ path: '/grid-fee-reductions', body: { subscription: mine.ending, module_1: true } }),
    foreign: () => [
      [
        { path: '/grid-fee-reductions', body: { subscription: mine.subscription, module_1: true } },
        { path: '/grid-fee-reductions', body: { subscription: nothing.subscription, module_1: true } },
      ],
    ],
  },
  ...Object.fromEntries(
    Object.entries({
      listMeterOrders: ['meter-orders', 'created'],
      listGridFeeReductions: ['grid-fee-reductions', 'intended'],
    } as const).map(([operation, [list, status]]): [string, Row] => {
      const probe = (filter: string, value: string): Probe => ({ path: `/${list}?filter[${filter}][eq]=${value}` });
      return [
        operation,
        {
          own: () => ({ path: `/${list}` }),
          foreign: () => [
            [probe('subscription', mine.subscription), probe('subscription', nothing.subscription)],
            [probe('status', status), probe('subscription', nothing.subscription)],
          ],
        },
      ];
    }),
  ),
  ...Object.fromEntries(
    Object.entries({
      readMeterOrder: ['meter-orders', '', 'meterOrder', 'meterOrder'],
      readMeterOrderTimeline: ['meter-orders', '/timeline', 'meterOrder', 'meterOrder'],
      readGridFeeReductionTimeline: ['grid-fee-reductions', '/timeline', 'reduction', 'reduction'],
      cancelMeterOrder: ['meter-orders', '/cancel', 'cancellable', 'meterOrder'],
      readGridFeeReduction: ['grid-fee-reductions', '', 'reduction', 'reduction'],
      endGridFeeReduction: ['grid-fee-reductions', '/end', 'endable', 'reduction'],
    } as const).map(([operation, [list, suffix, own, unknown]]): [string, Row] => {
      const probe = (id: string): Probe => ({ path: `/${list}/${id}${suffix}` });
      return [operation, { own: () => probe(mine[own]), foreign: () => [[probe(mine[own]), probe(nothing[unknown])]] }];
    }),
  ),
  listCustomers: {
    own: () => ({ path: '/customers?search=muster' }),
    foreign: () => [
      [{ path: '/customers' }, { path: '/customers?filter[type][eq]=company' }],
      [{ path: '/customers?search=mustermann' }, { path: '/customers?search=nobody' }],
      [{ path: '/customers?filter[email][ne]=x' }, { path: '/customers?filter[email][eq]=x' }],
    ],
  },
  ...Object.fromEntries(
    Object.entries({
      readCustomer: ['/customers', 'customer', '', undefined],
      updateCustomer: ['/customers', 'customer', '', { first_name: 'Stolen' }],
      readCustomerTimeline: ['/customers', 'customer', '/timeline', undefined],
      exportCustomer: ['/customers', 'customer', '/export', undefined],
      eraseCustomer: ['/customers', 'erasable', '/erase', undefined],
      readAddress: ['/addresses', 'address', '', undefined],
      readMeter: ['/meters', 'meter', '', undefined],
      readPaymentMethod: ['/payment_methods', 'method', '', undefined],
    } as const).map(([operation, [path, name, suffix, body]]): [string, Row] => {
      const probe = (id: string): Probe => ({ path: `${path}/${id}${suffix}`, body });
      const none = nothing[name === 'erasable' ? 'customer' : name];
      return [operation, { own: () => probe(mine[name]), foreign: () => [[probe(mine[name]), probe(none)]] }];
    }),
  ),
  readEvents: {
    own: () => ({ path: '/events?limit=1' }),
    foreign: () => [[{ path: '/events' }, { path: '/events?types=webhook_endpoint.disabled' }]],
  },
  readEvent: {
    own: () => ({ path: `/events/${mine.event}` }),
    foreign: () => [[{ path: `/events/${mine.event}` }, { path: `/events/${nothing.event}` }]],
  },
  listWebhookDeliveries: {
    own: () => ({ path: '/webhook-deliveries' }),
    foreign: () => {
      const list = (filter: string, value: string): Probe => ({
        path: `/webhook-deliveries?filter[${filter}][eq]=${value}`,
      });
      return [
        [list('endpoint', mine.endpoint), list('endpoint', nothing.endpoint)],
        [list('event', mine.event), list('event', nothing.event)],
        [list('state', 'failed'), list('state', 'succeeded')],
      ];
    },
  },
  ...Object.fromEntries(
    Object.entries({ readWebhookDelivery: '', resendWebhookDelivery: '/resend' } as const).map(
      ([operation, suffix]): [string, Row] => {
        const probe = (id: string): Probe => ({ path: `/webhook-deliveries/${id}${suffix}` });
        return [
          operation,
          { own: () => probe(mine.delivery), foreign: () => [[probe(mine.delivery), probe(nothing.delivery)]] },
        ];
      },
    ),
  ),
  listWebhookEndpoints: {
    own: () => ({ path: '/webhook-endpoints' }),
    // Of a project that has none.
    foreign: () => [[{ path: '/webhook-endpoints' }, { path: '/webhook-endpoints?limit=1' }]],
  },
  createWebhookEndpoint: {
    own: () => ({ path: '/webhook-endpoints', body: { url: 'https://example.com/', types: ['webhook_endpoint.*'] } }),
    foreign: () => [],
  },
  ...Object.fromEntries(
    Object.entries({
      readWebhookEndpoint: ['', undefined],
      updateWebhookEndpoint: ['', { url: 'https://example.com/stolen' }],
      deleteWebhookEndpoint: ['', undefined],
      rotateWebhookSecret: ['/rotate-secret', {}],
      replayWebhookEndpoint: ['/replay', { failed: true }],
      testWebhookEndpoint: ['/test', undefined],
    } as const).map(([operation, [suffix, body]]): [string, Row] => {
      const probe = (id: string): Probe => ({ path: `/webhook-endpoints/${id}${suffix}`, body });
      return [
        operation,
        {
          own: () => probe(operation === 'deleteWebhookEndpoint' ? mine.deletable : mine.endpoint),
          foreign: () => [[probe(mine.endpoint), probe(nothing.endpoint)]],
        },
      ];
    }),
  ),
  readSandboxClock: { own: () => ({ path: '/sandbox/clock' }), foreign: () => [] },
  advanceSandboxClock: { own: () => ({ path: '/sandbox/clock', body: { advance_by: 'PT1S' } }), foreign: () => [] },
  listAuditEntries: {
    own: () => ({ path: '/audit-log?limit=1' }),
    foreign: () => {
      const about = (id: string): Probe => ({ path: `/audit-log?filter[resource][eq]=${id}` });
      return [[about(mine.subscription), about(nothing.subscription)]];
    },
  },
  readPlanTimeline: {
    own: () => ({ path: `/plans/${mine.plan}/timeline` }),
    foreign: () => [[{ path: `/plans/${mine.plan}/timeline` }, { path: `/plans/${nothing.plan}/timeline` }]],
  },
  readLeadTimeline: {
    own: () => ({ path: `/leads/${mine.lead}/timeline` }),
    foreign: () => [[{ path: `/leads/${mine.lead}/timeline` }, { path: `/leads/${nothing.lead}/timeline` }]],
  },
  readWebhookEndpointTimeline: {
    own: () => ({ path: `/webhook-endpoints/${mine.endpoint}/timeline` }),
    foreign: () => [
      [
        { path: `/webhook-endpoints/${mine.endpoint}/timeline` },
        { path: `/webhook-endpoints/${nothing.endpoint}/timeline` },
      ],
    ],
  },
  listPlans: {
    own: () => ({ path: '/plans' }),
    foreign: () => [[{ path: '/plans?filter[slug][eq]=demo' }, { path: '/plans?filter[slug][eq]=nothing' }]],
  },
  createPlan: {
    own: () => ({ path: '/plans', body: { name: 'Mine', price: 1 } }),
    foreign: () => [],
  },
  readPlan: {
    own: () => ({ path: `/plans/${mine.plan}` }),
    foreign: () => [[{ path: `/plans/${mine.plan}` }, { path: `/plans/${nothing.plan}` }]],
  },
  updatePlan: {
    own: () => ({ path: `/plans/${mine.plan}`, body: { price: 12.9 } }),
    foreign: () => [
      [
        { path: `/plans/${mine.plan}`, body: { name: 'Stolen' } },
        { path: `/plans/${nothing.plan}`, body: { name: 'Stolen' } },
      ],
      [
        { path: `/plans/${mine.plan}`, body: {} },
        { path: `/plans/${nothing.plan}`, body: {} },
      ],
    ],
  },
  listSuppliers: { own: () => ({ path: '/suppliers?search=sandbox' }), foreign: () => [] },
  // Suppliers are shared by all projects; those of the simulated market by all sandbox projects.
  readSupplier: { own: () => ({ path: `/suppliers/${mine.supplier}` }), foreign: () => [] },
  readIdempotencyKey: {
    own: () => ({ path: `/idempotency-keys/${mine.key}` }),
    foreign: () => [[{ path: `/idempotency-keys/${mine.key}` }, { path: '/idempotency-keys/nothing' }]],
  },
};

/** Routes that need no access token, and what they answer without any credentials. */
const withoutToken: Readonly<Record<string, number>> = {
  'POST /oauth/token': 401,
  'POST /oauth/revoke': 401,
  'POST /oauth/introspect': 401,
  'GET /.well-known/oauth-authorization-server': 200,
  'GET /openapi.json': 200,
  'GET /health': 200,
  'GET /ready': 200,
  'GET /docs': 200,
  'GET /docs/errors': 200,
  'GET /docs/assets/start.js': 200,
  'GET /docs/assets/swagger-ui.css': 200,
  'GET /docs/assets/swagger-ui-bundle.js': 200,
};

function ask(contract: RouteContract, { path, body }: Probe, options: CallOptions): Promise<Reply> {
  return send(service.baseUrl, contract.method, path, { ...(body === undefined ? {} : { body }), ...options });
}

/** Every contract with its row; the first test proves that none is missing. */
function eachRoute(): { contract: RouteContract; row: Row }[] {
  return service.service.app.contracts.flatMap((contract) => {
    const row = rows[contract.operationId];
    return row === undefined ? [] : [{ contract, row }];
  });
}

/** `GET /path` of every route of the HTTP server, as its own tree tells it. */
function allRoutes(): string[] {
  const parents: string[] = [];
  return service.service.app.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)$/.exec(line);
      if (match === null) return [];
      const [, indent = '', part = '', methods = ''] = match;
      const depth = indent.length / 4;
      parents.length = depth;
      parents.push(part);
      return methods.split(', ').map((method) => `${method} ${parents.join('')}`);
    });
}

describe('the table is complete', () => {
  test('every operation has a row, and every row an operation', () => {
    const operations = service.service.app.contracts.map(({ operationId }) => operationId);
    assert.deepEqual(operations.toSorted(), Object.keys(rows).toSorted());
  });

  test('every route of the server is an operation with a token or is listed as one without', () => {
    const known = [
      ...service.service.app.contracts.map(({ method, path }) => `${method} ${path}`),
      ...Object.keys(withoutToken),
    ];
    const routes = allRoutes().filter((route) => !route.startsWith('HEAD '));
    assert.deepEqual(routes.toSorted(), known.toSorted());
  });

  test('every route stands in the API reference, but the reference itself', () => {
    const { paths } = service.service.app.openapi as { paths: Record<string, Json> };
    const unknown = allRoutes().filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      return method !== 'HEAD' && paths[path.replaceAll(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()] === undefined;
    });
    const reference = Object.keys(withoutToken).filter((route) => /^GET \/(docs\b|openapi\.json$)/.test(route));
    assert.deepEqual(unknown.toSorted(), reference.toSorted());
  });

  test('HEAD is there exactly where GET is', () => {
    const heads = allRoutes().filter((route) => route.startsWith('HEAD '));
    const gets = allRoutes().filter((route) => route.startsWith('GET '));
    assert.deepEqual(heads.map((route) => route.slice(5)).toSorted(), gets.map((route) => route.slice(4)).toSorted());
  });

  test('every row succeeds for its owner', async () => {
    for (const { contract, row } of eachRoute()) {
      const reply = await ask(contract, row.own(), { token: await service.token() });
      await expectAudit(contract, reply);
      assert.equal(reply.status, contract.response.status, `${contract.operationId}: ${reply.text}`);
    }
  });
});

describe('without access', () => {
  test('no token is 401 with a challenge, before anything else is looked at', async () => {
    for (const { contract, row } of eachRoute()) {
      const probes = [row.own(), { ...row.own(), body: contract.body === undefined ? undefined : '{"wrong' }];
      for (const probe of [
        ...probes,
        { ...row.own(), path: `${row.own().path}${row.own().path.includes('?') ? '&' : '?'}x=1` },
      ]) {
        const reply = await ask(contract, probe, { token: null });
        assert.equal(reply.status, 401, contract.operationId);
        assert.equal(reply.json.code, 'unauthorized');
        assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer realm="wattline", scope="(read|write):\*"$/);
        assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
      }
      if (contract.method !== 'GET') continue;
      const head = await fetch(`${service.baseUrl}${row.own().path}`, { method: 'HEAD' });
      assert.equal(head.status, 401, `HEAD ${contract.path}`);
    }
  });

  test('a token that is none, unknown, or a refresh token is 401 invalid_token', async () => {
    const unknown = `es_at_${'A'.repeat(43)}`;
    const token = await service.token();
    const headers = [
      'Bearer',
      'Bearer ',
      'Bearer garbage',
      `Bearer ${unknown}`,
      `Bearer ${refreshToken}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${token}, Bearer ${token}`,
      `Basic ${Buffer.from(`${service.client.clientId}:${service.client.clientSecret}`).toString('base64')}`,
      `Token ${token}`,
      token,
      'Bearer \u00ff\u00fe',
      `Bearer ${'x'.repeat(8_000)}`,
    ];
    for (const { contract, row } of eachRoute()) {
      for (const authorization of headers) {
        const reply = await ask(contract, row.own(), { headers: { authorization } });
        assert.equal(reply.status, 401, `${contract.operationId} ${authorization}`);
        assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer realm="wattline", error="invalid_token"/);
      }
    }
  });

  test('a token in the query or the body is none', async () => {
    const token = await service.token();
    const reply = await send(service.baseUrl, 'GET', `/subscriptions?access_token=${token}`);
    assert.equal(reply.status, 401);
  });

  test('a token of the other scope is 403 insufficient_scope, and changes nothing', async () => {
    for (const { contract, row } of eachRoute()) {
      const token = contract.access === 'read:*' ? writeOnly : readOnly;
      const before = await countRows();
      const reply = await ask(contract, row.own(), { token });
      assert.equal(reply.status, 403, contract.operationId);
      assert.equal(reply.json.code, 'insufficient_scope');
      const challenge = `Bearer realm="wattline", error="insufficient_scope", scope="${contract.access}"`;
      assert.equal(reply.headers.get('www-authenticate'), challenge);
      assert.deepEqual(await countRows(), before);
      const garbled = await ask(
        contract,
        { ...row.own(), ...(contract.body === undefined ? {} : { body: '{' }) },
        { token },
      );
      assert.equal(garbled.status, 403, 'the scope is asked before the body');
    }
  });

  test('a token of a revoked credential is 401 within two seconds', async () => {
    const { clientId } = other.client;
    await service.database.query(
      sql`update credentials set revoked_at = now() where client_id = ${`${clientId}-none`}`,
    );
    const gone = await otherProject(service);
    assert.equal((await gone.call('GET', '/plans')).status, 200);
    await service.database.query(
      sql`update credentials set revoked_at = now() where client_id = ${gone.client.clientId}`,
    );
    const started = performance.now();
    let { status } = await gone.call('GET', '/plans');
    while (status === 200 && performance.now() - started < 2_000) ({ status } = await gone.call('GET', '/plans'));
    assert.equal(status, 401);
  });
});

describe('with another project’s token', () => {
  test('what is mine answers exactly like what does not exist', async () => {
    for (const { contract, row } of eachRoute()) {
      for (const [foreign, unknown] of row.foreign()) {
        const [one, two] = [
          await ask(contract, foreign, { token: other.token }),
          await ask(contract, unknown, { token: other.token }),
        ];
        const what = `${contract.operationId} ${foreign.path}`;
        assert.equal(one.status, two.status, what);
        const isProblem = one.status >= 400;
        assert.deepEqual(
          isProblem ? withoutRequestId(one) : one.json,
          isProblem ? withoutRequestId(two) : two.json,
          what,
        );
        const names = (reply: Reply): string[] => [...reply.headers.keys()].toSorted();
        assert.deepEqual(names(one), names(two), what);
        for (const value of [mine.customer, 'mustermann', 'DE89']) assert.ok(!one.text.includes(value), what);
      }
    }
    assert.notEqual((await service.call('GET', `/plans/${mine.plan}`)).json.name, 'Stolen');
  });

  test('If-None-Match and If-Match tell nothing about what is mine', async () => {
    const tag = (await service.call('GET', `/plans/${mine.plan}`)).headers.get('etag') ?? '';
    for (const [method, headers] of [
      ['GET', { 'if-none-match': tag }],
      ['GET', { 'if-none-match': '*' }],
      ['PATCH', { 'if-match': tag }],
      ['PATCH', { 'if-match': '"x"' }],
    ] as const) {
      const body = method === 'PATCH' ? { body: { name: 'Stolen' } } : {};
      assert.equal((await other.call(method, `/plans/${mine.plan}`, { headers, ...body })).status, 404);
    }
  });

  test('its lists hold nothing of mine, also expanded', async () => {
    await signUp(service);
    const list = await other.call('GET', '/subscriptions?expand[]=customer&expand[]=payment_method&limit=100');
    assert.deepEqual(list.json.items, []);
    const plans = await other.call('GET', '/plans?limit=100');
    assert.deepEqual(
      plans.json.items.map((plan: Json) => plan.id),
      [otherPlan],
    );
  });

  test('a live project does not see the suppliers of the simulated market, nor sign up with one', async () => {
    const live = await otherProject(service, 'live');
    assert.deepEqual((await live.call('GET', '/suppliers')).json.items, []);
    assert.deepEqual((await live.call('GET', '/suppliers?search=sandbox')).json.items, []);
    const [one, two] = [
      await live.call('GET', `/suppliers/${mine.supplier}`),
      await live.call('GET', `/suppliers/${formatId('mp', randomUUID())}`),
    ];
    assert.equal(one.status, 404);
    assert.deepEqual(withoutRequestId(one), withoutRequestId(two));
    const plan = (await live.call('POST', '/plans', { body: { name: 'Live', price: 1 } })).json.id;
    const body = signUpBody(plan, { previous_supplier: mine.supplier });
    assert.equal((await live.call('POST', '/subscriptions', { body })).json.code, 'invalid_reference');
  });

  test('tokens can be neither introspected, refreshed nor revoked', async () => {
    const basic = Buffer.from(`${other.client.clientId}:${other.client.clientSecret}`).toString('base64');
    const post = async (path: string, form: Record<string, string>): Promise<{ status: number; body: Json }> => {
      const response = await fetch(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams(form),
      });
      return { status: response.status, body: await response.json() };
    };
    const token = await service.token();
    assert.deepEqual(await post('/oauth/introspect', { token }), { status: 200, body: { active: false } });
    assert.deepEqual(await post('/oauth/introspect', { token: refreshToken }), {
      status: 200,
      body: { active: false },
    });
    const refused = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error, 'invalid_grant');
    for (const mineToken of [token, refreshToken])
      assert.equal((await post('/oauth/revoke', { token: mineToken })).status, 200);
    assert.equal((await send(service.baseUrl, 'GET', '/plans', { token })).status, 200);
  });
});

describe('routes without token', () => {
  test('answer as listed, and OAuth asks for the client by Basic', async () => {
    for (const [route, status] of Object.entries(withoutToken)) {
      const [method = '', path = ''] = route.split(' ');
      const reply = await send(service.baseUrl, method, path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(reply.status, status, route);
      assert.match(reply.headers.get('x-request-id') ?? '', /^req_/, route);
      if (status !== 401) continue;
      assert.equal(reply.json.error, 'invalid_client');
      assert.match(reply.headers.get('www-authenticate') ?? '', /^Basic realm=/);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    }
  });

  test('an access token is no client authentication', async () => {
    for (const route of Object.keys(withoutToken).filter((name) => name.startsWith('POST'))) {
      const path = route.slice(5);
      const reply = await send(service.baseUrl, 'POST', path, {
        token: await service.token(),
        body: 'grant_type=client_credentials',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(reply.status, 401, path);
    }
  });
});

describe('what does not exist', () => {
  test('an unknown route is 404, whether or not there is a token', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/subscriptions/',
      '/Subscriptions',
      '/subscriptions/x/y',
      '//subscriptions',
      '/plans/%2F',
      '/docs/assets/../../package.json',
      '/docs/assets/package.json',
    ]) {
      for (const token of [null, await service.token()]) {
        const reply = await send(service.baseUrl, 'GET', path, { token });
        assert.ok([404, 401].includes(reply.status), `${path}: ${reply.status}`);
        assert.equal(reply.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      }
    }
  });

  test('a method that a route lacks is 405 with Allow', async () => {
    const routes = new Map<string, Set<string>>();
    for (const route of allRoutes()) {
      const [method = '', path = ''] = route.split(' ');
      routes.set(path, (routes.get(path) ?? new Set()).add(method));
    }
    for (const [path, methods] of routes) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (methods.has(method)) continue;
        const reply = await send(service.baseUrl, method, path.replaceAll(/:[a-z]+/g, 'x'), {
          token: await service.token(),
        });
        assert.equal(reply.status, 405, `${method} ${path}`);
        const allowed = (reply.headers.get('allow') ?? '').split(', ').toSorted();
        assert.deepEqual(allowed, [...methods].toSorted(), `${method} ${path}`);
      }
    }
  });
});

async function countRows(): Promise<Json> {
  const [row] = await service.database.query<Json>(sql`
    select (select count(*) from subscriptions) as subscriptions, (select count(*) from leads) as leads,
      (select max(revision) from leads) as revision, (select count(*) from plans) as plans,
      (select count(*) from idempotency_keys) as keys, (select max(updated_at) from plans) as changed`);
  return row;
}
