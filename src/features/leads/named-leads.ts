import { formatId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { SubscriptionDependencies } from '../subscriptions/index.ts';
import { presentLeadEvent, type PresentLeadDependencies } from './present.ts';
import { readLead } from './store.ts';

/** The leads that sign-ups name; the sign-up's own statement converts one, so that it happens once. */
export function createNamedLeads(
  dependencies: PresentLeadDependencies & { readonly database: Database },
): SubscriptionDependencies['leads'] {
  return {
    async find(projectId, id) {
      const row = await readLead(dependencies.database, projectId, id);
      if (row === undefined) return null;
      return {
        id,
        revision: row.revision,
        presentConverted(subscriptionId, at) {
          const { subscription_id: subscription, subscribed_at } = row;
          const converted = { ...row, subscription_id: subscriptionId, subscribed_at: at, updated_at: at };
          return presentLeadEvent(dependencies, projectId, converted, {
            subscription: subscription === null ? null : formatId('sub', subscription),
            subscribed_at,
          });
        },
      };
    },
  };
}
