import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';
import { createAuditLogRoutes } from '#features/audit-log/index.ts';
import { eventSchema } from '#features/event-schema.ts';
import { formats } from '#features/formats.ts';
import { createIdempotencyKeyRoutes } from '#features/idempotency-keys/index.ts';
import { createLeadRoutes, createNamedLeads } from '#features/leads/index.ts';
import { createOauth, renderProblemForOauth } from '#features/oauth/index.ts';
import { createOperationsRoutes, operationsPaths } from '#features/operations/index.ts';
import { createKnownPlans, createPlanRoutes } from '#features/plans/index.ts';
import { createReferenceRoutes, describeInterface } from '#features/reference/index.ts';
import { createCustomerRoutes } from '#features/customers/index.ts';
import { createEventRoutes, createFeedCursors, waitForFeed } from '#features/events/index.ts';
import { createProjectClocks } from '#features/projects/index.ts';
import { createSandboxRoutes } from '#features/sandbox/index.ts';
import {
  createMeterOrderRoutes,
  createReductionRoutes,
  createSubscriptionParts,
  createSubscriptionRoutes,
  workOn,
} from '#features/subscriptions/index.ts';
import { createSupplierRoutes } from '#features/suppliers/index.ts';
import { createDeliveryRoutes, STOP_PATIENCE_MS } from '#features/webhooks/delivery/index.ts';
import { createWebhookEndpointRoutes } from '#features/webhooks/index.ts';
import { ping } from '#platform/database/ping.ts';
import type { RouteContract } from '#platform/http/contract.ts';
import type { OpenApiNode } from '#platform/http/openapi.ts';
import { createAdmission } from '#platform/http/admission.ts';
import { createPager } from '#platform/http/paging.ts';
import { createRateLimiter } from '#platform/http/rate-limit.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import type { Logger } from '#platform/log.ts';
import { sharedCheck } from '#platform/readiness.ts';
import { createMetrics, type Metrics } from '#platform/metrics.ts';
import { createBackground, type Links, type Work, type Workers } from './background.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';
import type { Foundation } from './foundation.ts';

/** The service, wired; nothing listens yet. */
export interface App extends Workers {
  readonly http: FastifyInstance;
  readonly metrics: Metrics;
  readonly maintenance: Maintenance;
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

/** What wiring needs of the settings. */
export type AppConfig = Pick<Config, 'rateLimit' | 'webhooks'> &
  Partial<Pick<Config, 'processes' | 'trustedProxies'>> & { readonly publicUrl: string };

/** Wires the service: foundation → platform → features → http; the background work is wired for it (`createBackground`). */
export function createApp(foundation: Foundation, config: AppConfig, log: Logger, links: Links = {}): App {
  const { database, clock, keys, mintUuid } = foundation;
  const metrics = createMetrics(() => database.counts());
  const pager = createPager(keys);
  const state = { draining: false };
  const stopped = new AbortController();
  const rateLimiter = config.rateLimit === null ? null : createRateLimiter(config.rateLimit);
  const oauth = createOauth({ database, clock, mintUuid, log, rateLimiter, publicUrl: config.publicUrl });
  const background = createBackground({
    foundation,
    webhooks: config.webhooks,
    metrics,
    log,
    links,
    pendingSignUps: () => parts.signUps.pending(),
  });
  const { supply, delivering, feedSignal, rouse, wake, workers } = background;
  const parts = createSubscriptionParts(database, {
    observeBatch: (items) => metrics.batchSize.observe({ batch: 'sign_up' }, items),
    onWritten: (count, others) => {
      metrics.events.inc({ type: 'subscription.created' }, count);
      for (const type of others) metrics.events.inc({ type });
      wake();
      rouse('feed');
    },
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
      stopped: stopped.signal,
    }),
    ...createEventRoutes({ ...shared, feedSignal, isStopping }, eventSchema),
    ...createWebhookEndpointRoutes({ ...shared, log, webhooks: config.webhooks, wakeWebhooks }),
    ...createDeliveryRoutes({ ...shared, ...delivering, wakeWebhooks, stopped: stopped.signal }),
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
    ...workers,
    maintenance: createMaintenance(foundation, log),
    contracts,
    openapi,
    wake: background.wakeHere,
    tellPublished: () => feedSignal.notify(),
    pendingSignUps: () => parts.signUps.pending(),
    drain: () => {
      state.draining = true;
      feedSignal.notify();
      setTimeout(() => stopped.abort(), STOP_PATIENCE_MS).unref();
    },
  };
}
