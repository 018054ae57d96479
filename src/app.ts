import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';
import { manualGateway } from '#market/manual/gateway.ts';
import { sandboxGateway } from '#market/sandbox/gateway.ts';
import { chainEntries, createAuditLogRoutes } from '#features/audit-log/index.ts';
import { formats } from '#features/formats.ts';
import { createIdempotencyKeyRoutes } from '#features/idempotency-keys/index.ts';
import { createLeadRoutes, createNamedLeads } from '#features/leads/index.ts';
import { createOauth, renderProblemForOauth } from '#features/oauth/index.ts';
import { createOperationsRoutes, operationsPaths } from '#features/operations/index.ts';
import { createKnownPlans, createPlanRoutes } from '#features/plans/index.ts';
import { createReferenceRoutes, describeInterface } from '#features/reference/index.ts';
import { createCustomerRoutes, mergeIntoSearch } from '#features/customers/index.ts';
import {
  createEventRoutes,
  createFeedCursors,
  createFeedSignal,
  createFeedWatch,
  findFeedHolder,
  publishRound,
  waitForFeed,
} from '#features/events/index.ts';
import { createProjectClocks } from '#features/projects/index.ts';
import { createSandboxRoutes } from '#features/sandbox/index.ts';
import {
  createMeterOrderRoutes,
  createReductionRoutes,
  createSubscriptionParts,
  createSubscriptionRoutes,
  findDueProjects,
  workOn,
  type SupplyDependencies,
} from '#features/subscriptions/index.ts';
import { createSupplierRoutes } from '#features/suppliers/index.ts';
import {
  createDeliveryEngine,
  createDeliveryRoutes,
  createWebhookClient,
  type AttemptOutcome,
  type Deliverer,
} from '#features/webhooks/delivery/index.ts';
import { createSafeLookup } from '#features/webhooks/targets.ts';
import { createWebhookEndpointRoutes } from '#features/webhooks/index.ts';
import { ping } from '#platform/database/ping.ts';
import type { RouteContract } from '#platform/http/contract.ts';
import type { OpenApiNode } from '#platform/http/openapi.ts';
import { forNobody } from '#platform/deadline.ts';
import { createAdmission } from '#platform/http/admission.ts';
import { createPager } from '#platform/http/paging.ts';
import { createRateLimiter } from '#platform/http/rate-limit.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import type { Logger } from '#platform/log.ts';
import { createPortions } from '#platform/portions.ts';
import { sharedCheck } from '#platform/readiness.ts';
import { createReconciler, type PortionResult, type Reconciler } from '#platform/reconcile/reconciler.ts';
import { createTraffic, noTraffic } from '#platform/reconcile/traffic.ts';
import { createMetrics, type Metrics } from '#platform/metrics.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';
import type { Foundation } from './foundation.ts';

/** The service, wired; nothing listens yet. */
export interface App {
  readonly http: FastifyInstance;
  readonly metrics: Metrics;
  readonly maintenance: Maintenance;
  /** Carries subscriptions through the market. */
  readonly reconciler: Reconciler;
  /** Gives events their places in the feed. */
  readonly feed: Reconciler;
  /** Sends events to webhook endpoints. */
  readonly webhooks: Deliverer;
  /** Chains the entries of the audit log. */
  readonly auditChain: Reconciler;
  /** Keeps the index for searches of customers short of what is pending. */
  readonly customerSearch: Reconciler;
  readonly contracts: readonly RouteContract[];
  readonly openapi: OpenApiNode;
  /** Something may be due for the background work of this process. */
  wake(work: Work): void;
  /** Another process has published events: those who wait for them here are told. */
  tellPublished(): void;
  /** Sign-ups that wait here to be written. */
  pendingSignUps(): number;
  /** From now on `/ready` answers 503, so that no new work is sent here. */
  drain(): void;
}

/** Background work that something written may be for. */
export type Work = 'supply' | 'feed' | 'webhooks';

/** What this process has to do with others of the same service; nothing, when it is alone. */
export interface Links {
  /** Tells the process with the background work, when that is another one, that something may be due. */
  readonly wake?: (work: Work) => void;
  /** Tells the others that events were published here. */
  readonly tellPublished?: () => void;
  /** Sign-ups that wait in others to be written. */
  readonly pendingSignUps?: () => number;
}

/** What wiring needs of the settings. */
export type AppConfig = Pick<Config, 'rateLimit' | 'webhooks'> &
  Partial<Pick<Config, 'processes' | 'trustedProxies'>> & { readonly publicUrl: string };

/** Portions of market processes at work at once: while the database writes one, the next is decided. */
const WORKERS = 2;

/** Who carries messages to the market; live projects have no transport of their own. */
const gateways = { live: manualGateway, sandbox: sandboxGateway } as const;

/** The one place that wires: foundation → platform → features → http. */
export function createApp(foundation: Foundation, config: AppConfig, log: Logger, links: Links = {}): App {
  const { database, clock, keys, mintUuid } = foundation;
  const metrics = createMetrics(() => database.counts());
  const pager = createPager(keys);
  const state = { draining: false };
  const rateLimiter = config.rateLimit === null ? null : createRateLimiter(config.rateLimit);
  const oauth = createOauth({ database, clock, mintUuid, log, rateLimiter, publicUrl: config.publicUrl });
  const feedSignal = createFeedSignal();
  const webhookClient = createWebhookClient(createSafeLookup(config.webhooks));
  const traffic = createTraffic(() => parts.signUps.pending() + (links.pendingSignUps?.() ?? 0));
  const countEvents = (types: readonly string[]): void => {
    for (const type of types) metrics.events.inc({ type });
    if (types.length > 0) rouse('feed');
  };
  const observeAttempt = ({ error, latencyMs }: AttemptOutcome): void => {
    metrics.webhookAttempts.inc({ outcome: error ?? 'succeeded' });
    metrics.webhookAttemptSeconds.observe(latencyMs / 1000);
  };
  const delivering = {
    ...foundation,
    log,
    countEvents,
    observeAttempt,
    traffic,
    client: webhookClient,
    webhooks: config.webhooks,
  };
  const webhooks = createDeliveryEngine(delivering);
  const announce = (): void => {
    feedSignal.notify();
    links.tellPublished?.();
    webhooks.wake();
  };
  const portions = createPortions();
  const watchFeed = createFeedWatch({ log, findHolder: () => findFeedHolder(database) });
  const feed = createReconciler({
    name: 'event feed',
    findWork: async () => ['feed'],
    workOn: async () => watchFeed(await publishRound(database, { ...feedSignal, notify: announce }, portions)),
    maxInFlight: 1,
    traffic,
    log,
  });
  const supply: SupplyDependencies = { ...foundation, gateways, log, countEvents, traffic, portions };
  const wakeHere = (work: Work): void => {
    // Also what other processes have written is heard of here.
    if (work === 'supply') traffic.visit();
    forNobody(() => ({ supply: reconciler, feed, webhooks })[work].wake());
  };
  const rouse = links.wake ?? wakeHere;
  const wake = (): void => {
    traffic.visit();
    rouse('supply');
  };
  const parts = createSubscriptionParts(database, {
    observeBatch: (items) => metrics.batchSize.observe({ batch: 'sign_up' }, items),
    onWritten: (count, others) => {
      metrics.events.inc({ type: 'subscription.created' }, count);
      for (const type of others) metrics.events.inc({ type });
      wake();
      rouse('feed');
    },
  });
  const reconciler = createReconciler({
    name: 'supply',
    findWork: async () => (await findDueProjects(supply)).map(({ id }) => id),
    workOn: (projectId) => workOn(supply, projectId),
    maxInFlight: WORKERS,
    traffic,
    log,
  });
  /** Work of one place, which is looked for once a second; nobody waits for it. */
  const createKeeper = (name: string, keep: () => Promise<PortionResult>): Reconciler =>
    createReconciler({
      name,
      findWork: async () => [name],
      workOn: keep,
      maxInFlight: 1,
      traffic: noTraffic,
      log,
    });
  const auditChain = createKeeper('audit chain', () => chainEntries(foundation));
  const customerSearch = createKeeper('customer search', async () => {
    await mergeIntoSearch(database);
    return 'idle';
  });
  const clocks = createProjectClocks(database, clock);
  const feedCursors = createFeedCursors(keys);
  const isStopping = (): boolean => state.draining;
  const wakeWebhooks = (): void => rouse('webhooks');
  const shared = { ...foundation, ...supply, pager, clocks, wake, feedCursors, plans: createKnownPlans(database) };
  const { publicUrl } = config;
  const leads = createNamedLeads({ ...foundation, publicUrl });
  const routes = [
    ...createSubscriptionRoutes({ ...shared, ...parts, leads }),
    ...createLeadRoutes({ ...shared, ...parts, leads, publicUrl }),
    ...createMeterOrderRoutes({ ...shared, ...parts, leads }),
    ...createReductionRoutes({ ...shared, ...parts, leads }),
    ...createSandboxRoutes({
      ...shared,
      workOn: (projectId) => workOn(supply, projectId),
      forgetClock: (projectId) => clocks.forget(projectId),
      waitForFeed: () => waitForFeed(database, feedSignal),
    }),
    ...createEventRoutes({ ...shared, feedSignal, isStopping }),
    ...createWebhookEndpointRoutes({ ...shared, log, webhooks: config.webhooks, wakeWebhooks }),
    ...createDeliveryRoutes({ ...shared, ...delivering, wakeWebhooks }),
    ...createCustomerRoutes({ ...shared, publicUrl }),
    ...createPlanRoutes(shared),
    ...createSupplierRoutes(shared),
    ...createIdempotencyKeyRoutes(shared),
    ...createAuditLogRoutes(shared),
  ];
  const contracts = routes.map(({ contract }) => contract);
  const basePath = new URL(publicUrl).pathname.replace(/\/+$/, '');
  const openapi = describeInterface(contracts, { ...oauth.documentation, ...operationsPaths }, basePath);
  const readiness = {
    // Migrations are applied before anything listens.
    checkDatabase: sharedCheck(() => ping(database)),
    isDraining: () => state.draining,
  };
  const http = createHttpServer(
    {
      database,
      keys,
      clock,
      log,
      metrics,
      mintUuid,
      schemas: createSchemaCompiler(formats),
      rateLimiter,
      admission: createAdmission(config.processes),
      trustedProxies: config.trustedProxies ?? [],
      docsUrl: `${publicUrl}/docs`,
      basePath,
      authenticate: oauth.authenticate,
      ownProblems: { below: '/oauth/', render: renderProblemForOauth },
    },
    routes,
    [...oauth.routes, ...createOperationsRoutes(readiness), ...createReferenceRoutes(openapi)],
  );
  return {
    http,
    metrics,
    reconciler,
    feed,
    webhooks,
    auditChain,
    customerSearch,
    maintenance: createMaintenance(foundation, log),
    contracts,
    openapi,
    wake: wakeHere,
    tellPublished: () => feedSignal.notify(),
    pendingSignUps: () => parts.signUps.pending(),
    drain: () => {
      state.draining = true;
      feedSignal.notify();
    },
  };
}
