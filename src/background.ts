import type { Config } from '#config';
import { gateways } from '#market/gateways.ts';
import { chainEntries } from '#features/audit-log/index.ts';
import { mergeIntoSearch } from '#features/customers/index.ts';
import {
  createFeedSignal,
  createFeedWatch,
  findFeedHolder,
  createPublisher,
  type FeedSignal,
} from '#features/events/index.ts';
import { findDueProjects, workOn, type SupplyDependencies } from '#features/subscriptions/index.ts';
import {
  createDeliveryEngine,
  createWebhookClient,
  type AttemptOutcome,
  type Deliverer,
} from '#features/webhooks/delivery/index.ts';
import { createSafeLookup } from '#features/webhooks/index.ts';
import { forNobody } from '#platform/deadline.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { createPortions } from '#platform/portions.ts';
import { createReconciler, type PortionResult, type Reconciler } from '#platform/reconcile/reconciler.ts';
import { createTraffic, noTraffic } from '#platform/reconcile/traffic.ts';
import type { Foundation } from './foundation.ts';

/** What works in the background of a process; each is started and stopped for itself. */
export interface Workers {
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

/** The background work, wired, and what requests have to do with it. */
export interface Background {
  readonly workers: Workers;
  /** What carries subscriptions through the market stands on; requests that do the same stand on it too. */
  readonly supply: SupplyDependencies;
  /** What attempts of deliveries stand on, whoever asks for them. */
  readonly delivering: Parameters<typeof createDeliveryEngine>[0];
  readonly feedSignal: FeedSignal;
  /** Something may be due for the background work of this process. */
  readonly wakeHere: (work: Work) => void;
  /** Something may be due, wherever it is worked on. */
  readonly rouse: (work: Work) => void;
  /** A request has written what is to be carried through the market. */
  readonly wake: () => void;
}

/** What the background work stands on. */
interface BackgroundDependencies {
  readonly foundation: Foundation;
  readonly webhooks: Config['webhooks'];
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly links: Links;
  /** Sign-ups that wait here to be written: they go first. */
  readonly pendingSignUps: () => number;
}

/** Portions of market processes at work at once: while the database writes one, the next is decided. */
const WORKERS = 2;

/** Wires the background work of a process; nothing runs yet. */
export function createBackground(dependencies: BackgroundDependencies): Background {
  const { foundation, metrics, log, links, pendingSignUps } = dependencies;
  const feedSignal = createFeedSignal();
  const traffic = createTraffic(() => pendingSignUps() + (links.pendingSignUps?.() ?? 0));
  const wakeHere = (work: Work): void => {
    // Also what other processes have written is heard of here.
    if (work === 'supply') traffic.visit();
    forNobody(() => ({ supply: workers.reconciler, feed: workers.feed, webhooks: workers.webhooks })[work].wake());
  };
  const rouse = links.wake ?? wakeHere;
  const countEvents = (types: readonly string[]): void => {
    for (const type of types) metrics.events.inc({ type });
    if (types.length > 0) rouse('feed');
  };
  const portions = createPortions();
  const supply = { ...foundation, gateways, log, countEvents, traffic, portions };
  const delivering = {
    ...foundation,
    log,
    countEvents,
    observeAttempt: ({ error, latencyMs }: AttemptOutcome): void => {
      metrics.webhookAttempts.inc({ outcome: error ?? 'succeeded' });
      metrics.webhookAttemptSeconds.observe(latencyMs / 1000);
    },
    traffic,
    client: createWebhookClient(createSafeLookup(dependencies.webhooks)),
    webhooks: dependencies.webhooks,
  };
  const announce = (): void => {
    feedSignal.notify();
    links.tellPublished?.();
    workers.webhooks.wake();
  };
  const workers: Workers = {
    reconciler: createReconciler({
      name: 'supply',
      findWork: async () => (await findDueProjects(supply)).map(({ id }) => id),
      workOn: (projectId) => workOn(supply, projectId),
      maxInFlight: WORKERS,
      traffic,
      log,
    }),
    feed: createFeedWorker(supply, { ...feedSignal, notify: announce }),
    webhooks: createDeliveryEngine(delivering),
    auditChain: createKeeper('audit chain', log, () => chainEntries(foundation)),
    customerSearch: createKeeper('customer search', log, async () => {
      await mergeIntoSearch(foundation.database);
      return 'idle';
    }),
  };
  const wake = (): void => {
    traffic.visit();
    rouse('supply');
  };
  return { workers, supply, delivering, feedSignal, wakeHere, rouse, wake };
}

function createFeedWorker({ database, traffic, portions, log }: SupplyDependencies, signal: FeedSignal): Reconciler {
  const watchFeed = createFeedWatch({ log, findHolder: () => findFeedHolder(database) });
  const publish = createPublisher(database, signal, portions);
  return createReconciler({
    name: 'event feed',
    findWork: async () => ['feed'],
    workOn: async () => watchFeed(await publish()),
    maxInFlight: 1,
    traffic,
    log,
  });
}

/** Keeps something in order: `keep` does a portion of it, as long as there is any, and is asked again each second. */
function createKeeper(name: string, log: Logger, keep: () => Promise<PortionResult>): Reconciler {
  return createReconciler({
    name,
    findWork: async () => [name],
    workOn: keep,
    maxInFlight: 1,
    traffic: noTraffic,
    log,
  });
}
