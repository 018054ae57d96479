import type { Pager } from '#platform/http/paging.ts';
import type { DeliverDependencies } from './deliver.ts';

/** What the routes of deliveries need. */
export interface DeliveryDependencies extends DeliverDependencies {
  readonly pager: Pager;
  /** Told when deliveries are due. */
  readonly wakeWebhooks: () => void;
  /** Aborted when the service stops and has waited for long enough for what is on its way. */
  readonly stopped: AbortSignal;
}
