/** Who changed what, and why: written with the change, and nobody rewrites it unseen. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatId, parseId, type IdPrefix } from '#domain/identifiers.ts';
import { readLinked, readSettled } from '#features/audit-log/chain-store.ts';
import { listEntries, listEntriesOf } from '#features/audit-log/store.ts';
import { createCredential } from '#features/projects/index.ts';
import { sql } from '#platform/database/sql.ts';
import { otherProject, signUp, type Json } from '../support/builders.ts';
import { statementOf, unservedSteps } from '../support/plans.ts';
import { vacuumWhole } from '../support/rows.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const log = async (query = ''): Promise<Json[]> => must(await service.call('GET', `/audit-log?${query}`), 200).items;

describe('the audit log', () => {
  test('says who, what, when and why, newest first, and of a change which members it named', async () => {
    const subscription = await signUp(service);
    const changed = await service.call('PATCH', `/subscriptions/${subscription.id}`, {
      body: { metadata: { color: 'green' } },
      headers: { 'x-reason': Buffer.from('Kundin rief an: grün').toString('latin1') },
    });
    const [edit, creation] = await log(`filter[resource][eq]=${subscription.id}`);
    assert.deepEqual(
      [edit.operation, edit.fields, edit.reason, edit.request_id],
      ['updateSubscription', ['metadata'], 'Kundin rief an: grün', changed.headers.get('x-request-id')],
    );
    assert.deepEqual(
      [creation.operation, creation.fields, creation.reason, creation.resource],
      ['createSubscription', [], null, subscription.id],
    );
    assert.equal(edit.actor.type, 'credential');
    assert.match(edit.actor.credential, /^crd_/);
    assert.ok(Temporal.Instant.compare(edit.created_at, Temporal.Now.instant().subtract({ minutes: 1 })) > 0);
    const timeline = must(await service.call('GET', `/subscriptions/${subscription.id}/timeline`), 200).items;
    const told = timeline.find((entry: Json) => entry.request_id === edit.request_id);
    assert.equal(told.reason, 'Kundin rief an: grün');
    assert.equal(timeline[0].reason, null);
  });

  test('has one entry for a request that is repeated, and none for one that is refused', async () => {
    const count = async (): Promise<number> => (await log('limit=100')).length;
    const known = await count();
    const again = { body: { name: 'Audited', price: 3 }, headers: { 'idempotency-key': 'audited' } };
    const first = must(await service.call('POST', '/plans', again), 201);
    must(await service.call('POST', '/plans', again), 201);
    must(await service.call('POST', '/plans', { body: { name: 'x', price: 1, slug: first.slug } }), 409);
    must(await service.call('PATCH', `/plans/${first.id}`, { body: { name: '' } }), 400);
    assert.equal(await count(), known + 1);
    const story = must(await service.call('GET', `/plans/${first.id}/timeline`), 200).items;
    assert.deepEqual(
      story.map(({ operation }: Json) => operation),
      ['createPlan'],
    );
  });

  test('gives reasons in the stories of resources, also of those that the market moves', async () => {
    const { id } = await signUp(service, { product_orders: [{ type: 'smart-meter' }] });
    const [order] = must(await service.call('GET', `/meter-orders?filter[subscription][eq]=${id}`), 200).items;
    const headers = { 'x-reason': 'Changed her mind' };
    must(await service.call('POST', `/meter-orders/${order.id}/cancel`, { headers }), 200);
    const first = must(await service.call('GET', `/meter-orders/${order.id}/timeline?limit=1`), 200);
    const rest = must(await service.call('GET', `/meter-orders/${order.id}/timeline?cursor=${first.next_page}`), 200);
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ event, actor, reason }: Json) => [event.type, actor.type, reason]),
      [
        ['meter_order.created', 'api', null],
        ['meter_order.cancelled', 'api', 'Changed her mind'],
      ],
    );
    assert.equal(rest.items[0].event.previous_attributes.status, 'created');
    const lead = must(
      await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } }, headers }),
      201,
    );
    const [creation] = must(await service.call('GET', `/leads/${lead.id}/timeline`), 200).items;
    assert.deepEqual([creation.operation, creation.reason], ['createLead', 'Changed her mind']);
  });

  test('gives the reason of a changed name in the story of the subscription that goes on with it', async () => {
    const headers = { 'x-reason': 'She married' };
    const { id, customer } = await signUp(service, {}, '', { headers: { 'x-reason': 'She called' } });
    must(await service.call('PATCH', `/customers/${customer}`, { body: { last_name: 'Neu' }, headers }), 200);
    const { items } = must(await service.call('GET', `/subscriptions/${id}/timeline`), 200);
    assert.deepEqual(
      items
        .filter(({ actor, type }: Json) => actor.type === 'api' && type === 'event')
        .map(({ event, reason }: Json) => [event.type, reason]),
      [
        ['subscription.created', 'She called'],
        ['subscription.updated', 'She married'],
      ],
    );
  });

  test('tells the story of a resource under its own kind only, whatever else has its uuid', async () => {
    const { id, customer } = await signUp(service, { product_orders: [{ type: 'smart-meter' }] });
    const [order] = must(await service.call('GET', `/meter-orders?filter[subscription][eq]=${id}`), 200).items;
    const [plan] = must(await service.call('GET', '/plans'), 200).items;
    const body = { plan: plan.id, address: { zip: '51147' } };
    const lead = must(await service.call('POST', '/leads', { body }), 201);
    const kinds: readonly [path: string, prefix: IdPrefix, id: string | null][] = [
      ['subscriptions', 'sub', id],
      ['customers', 'cus', customer],
      ['meter-orders', 'mor', order.id],
      ['grid-fee-reductions', 'gfr', null],
      ['leads', 'lead', lead.id],
      ['plans', 'pln', plan.id],
      ['webhook-endpoints', 'whe', null],
    ];
    for (const [path, prefix, own] of kinds) {
      for (const [, otherPrefix, other] of kinds) {
        if (other === null) continue;
        const asked = formatId(prefix, parseId(otherPrefix, other) ?? '');
        const reply = await service.call('GET', `/${path}/${asked}/timeline`);
        assert.equal(reply.status, other === own ? 200 : 404, `${path} ${other}`);
      }
    }
  });

  test('is empty for what was made before there was one', async () => {
    const { id } = must(await service.call('POST', '/plans', { body: { name: 'Old', price: 1 } }), 201);
    await service.database.query(sql`update audit_log set resource = 'x' where resource = ${id}`);
    const { items } = must(await service.call('GET', `/plans/${id}/timeline`), 200);
    await service.database.query(sql`update audit_log set resource = ${id} where resource = 'x'`);
    assert.deepEqual(items, []);
  });

  test('refuses a reason that is too long or has control characters, and changes nothing', async () => {
    for (const reason of ['x'.repeat(501), 'a\tb', ' ']) {
      const reply = await service.call('POST', '/plans', {
        body: { name: 'n', price: 1 },
        headers: { 'x-reason': reason },
      });
      assert.deepEqual(
        [reply.status, reply.json?.errors?.[0]?.field],
        reason === ' ' ? [400, '#X-Reason'] : [400, '#X-Reason'],
      );
    }
  });

  test('keeps commands of the operator, and the first start', async () => {
    const { foundation } = service.service;
    const [project] = await service.database.query<Json>(sql`select id from projects where id = ${service.projectId}`);
    assert.ok(project !== undefined);
    const created = await createCredential(foundation, {
      projectId: (await log('limit=100')).find(({ operation }) => operation === 'project create')?.resource,
      name: 'Second',
    });
    assert.ok(created.ok);
    const [entry] = await log('limit=1');
    assert.deepEqual(
      [entry.operation, entry.resource, entry.actor, entry.request_id],
      ['credential create', created.id, { type: 'operator', credential: null }, null],
    );
  });

  test('is of one project only', async () => {
    const other = await otherProject(service);
    const [own] = await log('limit=1');
    const theirs = must(await other.call('GET', '/audit-log?limit=100'), 200).items;
    assert.ok(!theirs.some(({ id }: Json) => id === own.id));
  });

  test('gives what concerns no resource by an index of that', async () => {
    const { database, projectId } = service;
    await database.query(sql`
      insert into audit_log (project_id, id, occurred_at, operation, resource, seal, transaction_id)
      select ${projectId}::uuid, gen_random_uuid(), now(), 'createSubscription', 'sub_' || i, sha256('-'), null
      from generate_series(1, 2000) as i`);
    await vacuumWhole(database, sql`audit_log`);
    const general = [{ field: 'resource', operator: 'is_null', values: ['true'] }] as const;
    const statement = await statementOf((asked) => listEntries(asked, projectId, general, null, 21));
    const [row] = await database.query<Json>(sql`explain (format json) ${statement}`);
    assert.match(JSON.stringify(row), /audit_log_general/);
    assert.deepEqual(
      (await log('filter[resource][is_null]=true')).map(({ resource }) => resource),
      (await log('limit=100')).flatMap(({ resource }) => (resource === null ? [resource] : [])),
    );
  });

  test('is paged and filtered by indexes', async () => {
    const { database, projectId } = service;
    const place = crypto.randomUUID();
    const resource = { field: 'resource', operator: 'eq', values: ['sub_1'] } as const;
    const end = { chained: '5', oldest: '9', last_position: '0', last_hash: null, seal: null, has_earlier: false };
    const statements = {
      'the log': await statementOf((asked) => listEntries(asked, projectId, [], place, 21)),
      'what was done to one': await statementOf((asked) => listEntries(asked, projectId, [resource], place, 21)),
      'its story': await statementOf((asked) => listEntriesOf(asked, projectId, 'sub_1', place, 21)),
      'what is to be chained': await statementOf((asked) => readSettled(asked, end, 1000)),
      'the chain of earlier versions': await statementOf((asked) => readLinked(asked, '5', 1000)),
    };
    for (const [name, statement] of Object.entries(statements)) {
      const unserved = await unservedSteps(database, statement);
      // It has one row.
      assert.deepEqual(
        unserved.filter((step) => step !== 'Seq Scan audit_blocks_state'),
        [],
        name,
      );
    }
  });
});
