import type { Database } from '#platform/database/pool.ts';
import { createShortCache } from '#platform/short-cache.ts';
import { readPlans, type VersionedPlan } from './store.ts';

/** The plans that sign-ups name, known for at most a second: what is written checks that they are the same still. */
export interface KnownPlans {
  /** `null` when the project has no such plan. */
  find(projectId: string, id: string): Promise<VersionedPlan | null>;
  /** To be called when a plan has changed, so that this process knows at once. */
  forget(projectId: string, id: string): void;
}

const LIFETIME_MS = 1_000;
const MAX_PLANS = 1_000;

/** Remembers plans between sign-ups. */
export function createKnownPlans(database: Database): KnownPlans {
  const cache = createShortCache<VersionedPlan>(LIFETIME_MS, MAX_PLANS);
  return {
    find: (projectId, id) =>
      cache.find(`${projectId}/${id}`, async () => (await readPlans(database, projectId, [id]))[0] ?? null),
    forget: (projectId, id) => cache.forget(`${projectId}/${id}`),
  };
}
