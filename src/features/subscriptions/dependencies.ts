import type { Gatherer } from '#platform/gather.ts';
import type { Pager } from '#platform/http/paging.ts';
import type { FeedCursors } from '../events/index.ts';
import type { ProjectClocks } from '../projects/index.ts';
import type { KnownPlans } from '../plans/index.ts';
import type { SupplierRow } from '../suppliers/index.ts';
import type { FirstRequests } from './sign-up/first-requests.ts';
import type { SignUpRows } from './sign-up/rows.ts';
import type { AskedPage, FoundPage } from './list-pages-store.ts';
import type { SubscriptionReader } from './reader.ts';
import type { ChangeDependencies } from './supply/change.ts';

/** A lead that a sign-up names, as it was read. */
export interface NamedLead {
  /** uuid */
  readonly id: string;
  /** Counts its changes. */
  readonly revision: number;
  /** JSON text of what `lead.converted` tells. @param at when the subscription, a uuid, was created */
  presentConverted(subscriptionId: string, at: string): string;
}

/** What the operations on subscriptions need. */
export interface SubscriptionDependencies extends ChangeDependencies {
  readonly randomBytes: (count: number) => Uint8Array;
  readonly clocks: ProjectClocks;
  readonly pager: Pager;
  readonly feedCursors: FeedCursors;
  /** Commits sign-ups in groups; answers whether this one was written. */
  readonly signUps: Gatherer<SignUpRows, boolean>;
  readonly reader: SubscriptionReader;
  /** Reads pages of whole lists, each as it stands after it was asked for. */
  readonly pages: Gatherer<AskedPage, FoundPage>;
  readonly firstRequests: FirstRequests;
  readonly plans: KnownPlans;
  /** Finds a lead of the project, converted or not. */
  readonly leads: { find(projectId: string, id: string): Promise<NamedLead | null> };
  /** Finds a supplier that a project of this mode may name. */
  readonly suppliers: { find(mode: 'live' | 'sandbox', id: string): Promise<SupplierRow | null> };
}
