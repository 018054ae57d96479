import assert from 'node:assert/strict';
import type { Queryable } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import { otherProject, type Json, type OtherProject } from './builders.ts';
import { until } from './receiver.ts';
import type { TestService } from './service.ts';

/** A project with a feed of its own. */
export interface FeedProject extends OtherProject {
  /** `pln_…` of its only plan */
  readonly planId: string;
}

/** Creates a project with a plan, about which nothing has been told yet. */
export async function openFeed(service: TestService): Promise<FeedProject> {
  const other = await otherProject(service);
  const plan = await other.call('POST', '/plans', { body: { name: 'Plan', price: 10 } });
  return { ...other, planId: plan.json.id as string };
}

/** A page of the feed. @param query as it stands behind the question mark */
export async function askFeed(project: FeedProject, query: string): Promise<Json> {
  const reply = await project.call('GET', `/events?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

/** Resolves when every event that is written has its place in the feed. */
export function published(database: Queryable): Promise<void> {
  return until('the feed has all', async () => {
    const rows = await database.query(sql`
      select from events
      where not exists (select from event_feed where event_feed.event_id = events.id) limit 1`);
    return rows.length === 0;
  });
}
