import type { Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import type { GroupCommit } from '#platform/group-commit.ts';
import type { Pager } from '#platform/http/paging.ts';
import type { MintUuid } from '#platform/uuid.ts';
import type { KnownPlans } from '../plans/index.ts';
import type { SupplierRow } from '../suppliers/index.ts';
import type { SignUpRows } from './sign-up/store.ts';

/** What the operations on subscriptions need. */
export interface SubscriptionDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly keys: Keys;
  readonly pager: Pager;
  /** Writes sign-ups in groups; answers whether this one was written. */
  readonly signUps: GroupCommit<SignUpRows, boolean>;
  readonly plans: KnownPlans;
  /** Finds a supplier that a project of this mode may name. */
  readonly suppliers: { find(mode: 'live' | 'sandbox', id: string): Promise<SupplierRow | null> };
}
