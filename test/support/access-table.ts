import { signUpBody } from './builders.ts';
import { nothing, type Owned } from './access-owner.ts';

/** A request of one route, whose method is the route's. */
export interface Probe {
  readonly path: string;
  readonly body?: unknown;
}

/** How the access to one operation is tried. */
export interface AccessRow {
  /** A request that succeeds for the owner. */
  readonly own: (mine: Owned) => Probe;
  /**
   * Requests that name what is mine, each beside one that names nothing; the other project cannot tell them apart.
   * @param otherPlan `pln_…` of that project
   */
  readonly foreign: (mine: Owned, otherPlan: string) => readonly (readonly [mine: Probe, nothing: Probe])[];
}

const page = (query: string): Probe => ({ path: `/subscriptions?${query}` });

/** A row for every operation. */
export const accessRows: Readonly<Record<string, AccessRow>> = {
  createSubscription: {
    own: (mine) => ({ path: '/subscriptions', body: signUpBody(mine.plan) }),
    foreign: (mine, otherPlan) => {
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
    own: (mine) => ({ path: '/leads', body: { plan: mine.plan, address: { zip: '51147' } } }),
    foreign: (mine) => [
      [
        { path: '/leads', body: { plan: mine.plan, address: { zip: '51147' } } },
        { path: '/leads', body: { plan: nothing.plan, address: { zip: '51147' } } },
      ],
    ],
  },
  listLeads: {
    own: () => ({ path: '/leads?limit=1' }),
    foreign: (mine) => {
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
    Object.entries({
      readLead: ['', undefined],
      updateLead: ['', { customer: { first_name: 'Stolen' } }],
      eraseLead: ['/erase', undefined],
    } as const).map(([operation, [action, body]]): [string, AccessRow] => {
      const probe = (id: string): Probe => ({ path: `/leads/${id}${action}`, ...(body === undefined ? {} : { body }) });
      return [
        operation,
        { own: (mine) => probe(mine.lead), foreign: (mine) => [[probe(mine.lead), probe(nothing.lead)]] },
      ];
    }),
  ),
  listSubscriptions: {
    own: () => page('limit=1'),
    foreign: (mine) => [
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
    own: (mine) => ({ path: `/subscriptions/${mine.subscription}` }),
    foreign: (mine) => [
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
    } as const).map(([operation, [suffix, body]]): [string, AccessRow] => {
      const probe = (id: string): Probe => ({ path: `/subscriptions/${id}${suffix}`, body });
      const owns = { undoTermination: 'ending', retrySubscription: 'stuck' } as const;
      const own = operation in owns ? owns[operation as keyof typeof owns] : 'subscription';
      return [
        operation,
        { own: (mine) => probe(mine[own]), foreign: (mine) => [[probe(mine[own]), probe(nothing.subscription)]] },
      ];
    }),
  ),
  createMeterOrder: {
    own: (mine) => ({ path: '/meter-orders', body: { subscription: mine.ending } }),
    foreign: (mine) => [
      [
        { path: '/meter-orders', body: { subscription: mine.subscription } },
        { path: '/meter-orders', body: { subscription: nothing.subscription } },
      ],
    ],
  },
  createGridFeeReduction: {
    own: (mine) => ({ path: '/grid-fee-reductions', body: { subscription: mine.ending, module_1: true } }),
    foreign: (mine) => [
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
    } as const).map(([operation, [list, status]]): [string, AccessRow] => {
      const probe = (filter: string, value: string): Probe => ({ path: `/${list}?filter[${filter}][eq]=${value}` });
      return [
        operation,
        {
          own: () => ({ path: `/${list}` }),
          foreign: (mine) => [
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
    } as const).map(([operation, [list, suffix, own, unknown]]): [string, AccessRow] => {
      const probe = (id: string): Probe => ({ path: `/${list}/${id}${suffix}` });
      return [
        operation,
        { own: (mine) => probe(mine[own]), foreign: (mine) => [[probe(mine[own]), probe(nothing[unknown])]] },
      ];
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
    } as const).map(([operation, [path, name, suffix, body]]): [string, AccessRow] => {
      const probe = (id: string): Probe => ({ path: `${path}/${id}${suffix}`, body });
      const none = nothing[name === 'erasable' ? 'customer' : name];
      return [operation, { own: (mine) => probe(mine[name]), foreign: (mine) => [[probe(mine[name]), probe(none)]] }];
    }),
  ),
  readEvents: {
    own: () => ({ path: '/events?limit=1' }),
    foreign: () => [[{ path: '/events' }, { path: '/events?types=webhook_endpoint.disabled' }]],
  },
  readEvent: {
    own: (mine) => ({ path: `/events/${mine.event}` }),
    foreign: (mine) => [[{ path: `/events/${mine.event}` }, { path: `/events/${nothing.event}` }]],
  },
  listWebhookDeliveries: {
    own: () => ({ path: '/webhook-deliveries' }),
    foreign: (mine) => {
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
      ([operation, suffix]): [string, AccessRow] => {
        const probe = (id: string): Probe => ({ path: `/webhook-deliveries/${id}${suffix}` });
        return [
          operation,
          { own: (mine) => probe(mine.delivery), foreign: (mine) => [[probe(mine.delivery), probe(nothing.delivery)]] },
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
    } as const).map(([operation, [suffix, body]]): [string, AccessRow] => {
      const probe = (id: string): Probe => ({ path: `/webhook-endpoints/${id}${suffix}`, body });
      return [
        operation,
        {
          own: (mine) => probe(operation === 'deleteWebhookEndpoint' ? mine.deletable : mine.endpoint),
          foreign: (mine) => [[probe(mine.endpoint), probe(nothing.endpoint)]],
        },
      ];
    }),
  ),
  readSandboxClock: { own: () => ({ path: '/sandbox/clock' }), foreign: () => [] },
  advanceSandboxClock: { own: () => ({ path: '/sandbox/clock', body: { advance_by: 'PT1S' } }), foreign: () => [] },
  listAuditEntries: {
    own: () => ({ path: '/audit-log?limit=1' }),
    foreign: (mine) => {
      const about = (id: string): Probe => ({ path: `/audit-log?filter[resource][eq]=${id}` });
      return [[about(mine.subscription), about(nothing.subscription)]];
    },
  },
  readPlanTimeline: {
    own: (mine) => ({ path: `/plans/${mine.plan}/timeline` }),
    foreign: (mine) => [[{ path: `/plans/${mine.plan}/timeline` }, { path: `/plans/${nothing.plan}/timeline` }]],
  },
  readLeadTimeline: {
    own: (mine) => ({ path: `/leads/${mine.lead}/timeline` }),
    foreign: (mine) => [[{ path: `/leads/${mine.lead}/timeline` }, { path: `/leads/${nothing.lead}/timeline` }]],
  },
  readWebhookEndpointTimeline: {
    own: (mine) => ({ path: `/webhook-endpoints/${mine.endpoint}/timeline` }),
    foreign: (mine) => [
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
    own: (mine) => ({ path: `/plans/${mine.plan}` }),
    foreign: (mine) => [[{ path: `/plans/${mine.plan}` }, { path: `/plans/${nothing.plan}` }]],
  },
  updatePlan: {
    own: (mine) => ({ path: `/plans/${mine.plan}`, body: { price: 12.9 } }),
    foreign: (mine) => [
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
  readSupplier: { own: (mine) => ({ path: `/suppliers/${mine.supplier}` }), foreign: () => [] },
  readIdempotencyKey: {
    own: (mine) => ({ path: `/idempotency-keys/${mine.key}` }),
    foreign: (mine) => [[{ path: `/idempotency-keys/${mine.key}` }, { path: '/idempotency-keys/nothing' }]],
  },
};

/** Routes that need no access token, and what they answer without any credentials. */
export const withoutToken: Readonly<Record<string, number>> = {
  'POST /oauth/token': 401,
  'POST /oauth/revoke': 401,
  'POST /oauth/introspect': 401,
  'GET /.well-known/oauth-authorization-server': 200,
  'GET /openapi.json': 200,
  'GET /health': 200,
  'GET /ready': 200,
  'GET /docs': 200,
  'GET /docs/errors': 200,
  'GET /docs/market.md': 200,
  'GET /docs/assets/start.js': 200,
  'GET /docs/assets/swagger-ui.css': 200,
  'GET /docs/assets/swagger-ui-bundle.js': 200,
};
