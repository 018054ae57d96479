/** Who changed what, and why: written with the change, and nobody rewrites it unseen. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { parseId } from '#domain/identifiers.ts';
import { chainEntries, eraseReasons, verifyChain } from '#features/audit-log/index.ts';
import { createCredential } from '#features/projects/index.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { otherProject, signUp, signUpBody, type Json } from '../support/builders.ts';
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

  test('is paged and filtered by indexes', async () => {
    const asked: Sql[] = [
      sql`select id from audit_log where project_id = ${service.projectId} and id < gen_random_uuid() order by id desc limit 21`,
      sql`select id from audit_log where project_id = ${service.projectId} and resource = 'sub_1' order by id desc limit 21`,
      sql`select id from audit_log where position is null order by id limit 1000`,
      sql`select id from audit_log where position > 5 order by position limit 1000`,
    ];
    for (const statement of asked) {
      const plan = await service.database.transaction(async (transaction) => {
        await transaction.query(sql`set local enable_seqscan = off`);
        await transaction.query(sql`set local enable_sort = off`);
        return transaction.query<Json>(sql`explain (format json) ${statement}`);
      });
      assert.doesNotMatch(JSON.stringify(plan), /Seq Scan|"Sort"/, JSON.stringify(plan));
    }
  });
});

describe('the chain of the audit log', () => {
  /** Runs with the chain as an attacker with the tables in hand leaves it, and undoes that. */
  const tampered = async (statement: Sql): Promise<string[]> => {
    const { database } = service;
    const found: string[] = [];
    await database
      .transaction(async (transaction) => {
        await transaction.query(statement);
        const within = { ...database, query: transaction.query.bind(transaction) };
        const inside = {
          ...within,
          transaction: (work: (t: typeof transaction) => Promise<unknown>) => work(transaction),
        };
        const { faults } = await verifyChain(
          { ...service.service.foundation, database: inside as typeof database },
          null,
        );
        found.push(...faults.map(({ position, kind }) => `${position} ${kind}`));
        throw new Error('undone');
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'undone') throw error;
      });
    return found;
  };
  const verify = (head: string | null = null): ReturnType<typeof verifyChain> =>
    verifyChain(service.service.foundation, head);

  before(async () => {
    await service.service.app.auditChain.stop();
    for (let index = 0; index < 6; index += 1) await signUp(service);
  });
  beforeEach(async () => {
    assert.deepEqual((await verify()).faults, []);
  });

  test('is intact when nobody touched it, and covers every entry', async () => {
    const { entries, head } = await verify();
    const [counted] = await service.database.query<Json>(sql`select count(*)::integer as count from audit_log`);
    assert.equal(entries, counted.count);
    assert.match(head ?? '', new RegExp(`^${entries}:[0-9a-f]{64}$`));
  });

  test('shows an entry that was changed, whatever of it was', async () => {
    const changes = [
      sql`operation = 'x'`,
      sql`resource = 'sub_x'`,
      sql`occurred_at = occurred_at - interval '1 second'`,
      sql`credential_id = null`,
      sql`request_id = 'req_x'`,
      sql`fields = '{x}'`,
      sql`reason_digest = sha256('x')`,
      sql`seal = sha256('x')`,
      sql`id = gen_random_uuid()`,
      sql`reason_encrypted = null`,
    ];
    const [row] = await service.database.query<Json>(sql`
      select position from audit_log where operation = 'updateSubscription'`);
    for (const change of changes) {
      const found = await tampered(sql`update audit_log set ${change} where position = ${row.position}`);
      assert.equal(found[0], `${row.position} changed`, JSON.stringify(found));
    }
  });

  test('shows entries that were removed: in the middle, at the end, all', async () => {
    assert.deepEqual(await tampered(sql`delete from audit_log where position = 4`), ['4 removed']);
    assert.deepEqual(await tampered(sql`delete from audit_log where position = 1`), ['1 removed']);
    const { entries } = await verify();
    assert.deepEqual(
      await tampered(sql`delete from audit_log where position = (select max(position) from audit_log)`),
      [`${entries} removed`],
    );
    assert.notDeepEqual(await tampered(sql`delete from audit_log`), []);
  });

  test('shows entries that changed places, and one that was put in', async () => {
    const swap = sql`
      update audit_log as a set position = -b.position from audit_log b
      where (a.position, b.position) in ((4, 5), (5, 4))`;
    const swapped = await service.database
      .transaction(async (transaction) => {
        await transaction.query(swap);
        await transaction.query(sql`update audit_log set position = -position where position < 0`);
        const within = { ...service.database, query: transaction.query.bind(transaction) };
        const inside = {
          ...within,
          transaction: (work: (t: typeof transaction) => Promise<unknown>) => work(transaction),
        };
        const tools = { ...service.service.foundation, database: inside as typeof service.database };
        const { faults } = await verifyChain(tools, null);
        throw Object.assign(new Error('undone'), { faults });
      })
      .catch((error: { faults?: { position: string; kind: string }[] }) => error.faults ?? []);
    assert.deepEqual(swapped.map(({ position, kind }) => `${position} ${kind}`).slice(0, 2), [
      '4 reordered',
      '5 reordered',
    ]);
    const forged = await tampered(sql`
      insert into audit_log (project_id, id, occurred_at, operation, fields, seal)
      select project_id, gen_random_uuid(), now(), 'forged', '{}', sha256('x') from audit_log limit 1`);
    assert.match(forged[0] ?? '', /changed$/);
  });

  test('shows an end that was cut off together with what it is noted by', async () => {
    const { entries, head } = await verify();
    const cut = sql`
      with gone as (delete from audit_log where position = ${entries} returning true)
      update audit_chain set last_position = last_position - 1,
        last_hash = (select hash from audit_log where position = ${entries - 1}) where exists (select from gone)`;
    assert.deepEqual(await tampered(cut), [`${entries - 1} end_changed`]);
    await service.call('POST', '/subscriptions', { body: signUpBody(service.planId) });
    const grown = await verify(head);
    assert.deepEqual([grown.faults, grown.entries], [[], entries + 1]);
    const [wrong] = (await verify(`${entries}:${'0'.repeat(64)}`)).faults;
    assert.equal(wrong?.kind, 'head_not_found');
  });

  test('grows by what two processes chain at once, each entry once', async () => {
    await Promise.all(Array.from({ length: 30 }, () => signUp(service)));
    const chain = (): Promise<unknown> => chainEntries(service.service.foundation);
    await Promise.all([chain(), chain(), chain()]);
    const { entries, faults } = await verify();
    assert.deepEqual(faults, []);
    const [last] = await service.database.query<Json>(sql`select max(position)::integer as last from audit_log`);
    assert.equal(last.last, entries);
  });

  test('lets a reason be erased, and says how many are', async () => {
    const made = await service.call('POST', '/plans', {
      body: { name: 'Reasoned', price: 2 },
      headers: { 'x-reason': 'Frau Muster wollte es' },
    });
    const before = await verify();
    const plan = must(made, 201);
    const [gone] = await tampered(sql`update audit_log set reason_encrypted = null where resource = ${plan.id}`);
    assert.match(gone ?? '', /changed$/);
    const { keys } = service.service.foundation;
    await service.database.transaction((transaction) =>
      eraseReasons(keys, transaction, service.projectId, [plan.id as string]),
    );
    const { faults, erasedReasons } = await verify(before.head);
    assert.deepEqual([faults, erasedReasons], [[], before.erasedReasons + 1]);
    assert.equal((await log(`filter[resource][eq]=${plan.id}`))[0].reason, null);
    assert.ok(parseId('pln', plan.id) !== null);
  });
});
