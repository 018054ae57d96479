/** What waits for an endpoint that is far behind is counted without reading all that ever happened in its project. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { countBacklogs } from '#features/webhooks/store.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { type Json } from '../support/builders.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

const EVENTS = 60_000;
const COUNTED = 10_000;

let service: TestService;
before(async () => {
  service = await startService();
  await service.service.app.webhooks.stop();
  await service.service.app.feed.stop();
  await forceRows(
    service,
    sql`insert into events (project_id, id, resource_id, sequence, type, occurred_at, caused_by, data)
    select ${service.projectId}::uuid, gen_random_uuid(), gen_random_uuid(), 1,
      case when place % 4 = 0 then 'customer.updated' else 'lead.created' end, now(), 'operator', '{}'
    from generate_series(1, ${EVENTS}::integer) as place`,
  );
  await forceRows(
    service,
    sql`insert into event_feed (project_id, position, event_id)
    select project_id, row_number() over (order by type, id) - ${EVENTS}::integer, id from events
    where type in ('customer.updated', 'lead.created')`,
  );
});
after(() => service.stop());

test('counts by type, up to its end, by looking up events one by one', async () => {
  const ids: string[] = [];
  for (const types of [['*'], ['customer.*'], ['lead.created', 'customer.erased'], ['subscription.*']]) {
    const body = { url: 'https://hooks.example.com/wattline', types, enabled: false };
    const created = await service.call('POST', '/webhook-endpoints', { body });
    ids.push(parseId('whe', created.json.id) ?? '');
  }
  const behind = EVENTS - EVENTS / 4 + 3;
  await service.database.query(sql`update webhook_endpoints set position = ${-behind}`);
  await service.database.query(sql`analyze events, event_feed, webhook_endpoints`);
  const asked: Sql[] = [];
  const spy = {
    query: <Row>(statement: Sql): Promise<Row[]> => {
      asked.push(statement);
      return service.database.query<Row>(statement);
    },
  };
  const counts = await countBacklogs(spy, service.projectId, ids);
  assert.deepEqual(
    ids.map((id) => counts.get(id)),
    [COUNTED, 3, COUNTED - 3, 0],
  );
  const [row] = await service.database.query<Json>(sql`explain (format json) ${asked[0] ?? sql``}`);
  const nodes = nodesOf(JSON.parse(row['QUERY PLAN'])[0].Plan).filter((node) => node['Relation Name'] === 'events');
  assert.deepEqual(
    nodes.map((node) => [node['Node Type'], node['Index Name']]),
    [['Index Scan', 'events_pkey']],
  );
});

function nodesOf(node: Json): Json[] {
  return [node, ...((node.Plans ?? []) as Json[]).flatMap(nodesOf)];
}
