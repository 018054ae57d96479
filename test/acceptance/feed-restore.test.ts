/** The feed in a server that was restored into, where transactions are numbered anew. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { createFeedCursors, createPublisher, mendFeed } from '#features/events/index.ts';
import { createKeys } from '#platform/crypto.ts';
import { createDatabase } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import { signUpBody, type Json } from '../support/builders.ts';
import { askFeed as ask, openFeed } from '../support/feed.ts';
import { eventually } from '../support/process.ts';
import { forceRows, startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
  // The tests publish by themselves, at the moment that they are about.
  await service.service.app.feed.stop();
});
after(() => service.stop());

describe('the feed after a restore', () => {
  /** Publishes all there is; others on the same server may keep it waiting for a moment. */
  const publish = async (): Promise<void> => {
    const publishRound = createPublisher(service.database, { notify: (): void => {} });
    while ((await publishRound()) !== 'idle') await sleep(10);
  };

  /** As if everything had been written on a server whose transactions had come further, by so many. */
  const moveToForeignIds = async (ahead: number): Promise<void> => {
    await service.database.query(sql`
      update events set transaction_id = (pg_current_xact_id()::text::bigint + ${ahead}::integer)::text::xid8`);
    await service.database.query(sql`
      update event_feed_state
      set published = (pg_current_xact_id()::text::bigint + ${ahead}::integer + 1)::text::xid8`);
  };

  test('goes on in a server whose transactions count anew, and forgets nothing', async () => {
    const own = await openFeed(service);
    await service.database.query(sql`update event_feed_state set published = '999999999999'`);
    const { id } = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json;
    await mendFeed(service.database);
    const [event, ...more] = (await ask(own, '')).items;
    assert.deepEqual([event.data.subscription.id, more], [id, []]);
    await mendFeed(service.database);
    assert.equal((await ask(own, '')).items.length, 1);
  });

  test('tells who has read beyond the backup what comes after, also where transactions have come further', async () => {
    const own = await openFeed(service);
    const signUp = async (): Promise<string> =>
      (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json.id;
    await signUp();
    await publish();
    const { next_page: cursor } = await ask(own, '');
    await mendFeed(service.database);
    // As if this were a backup of then in another database: the reader is beyond it, in numbers that are given anew.
    await service.database.query(
      sql`update event_feed_state set origin = 'another', last_position = last_position - 1`,
    );
    await forceRows(service, sql`delete from event_feed where position > (select last_position from event_feed_state)`);
    await mendFeed(service.database);
    const id = await signUp();
    await publish();
    const told = (await ask(own, `after=${cursor}`)).items.map((event: Json) => event.data.subscription.id);
    assert.ok(told.includes(id), JSON.stringify(told));
  });

  for (const [name, origin] of [
    ['a standby that lacked the last commits has taken over', sql`regexp_replace(origin, '[^/]+$', 'FFFFFFFF')`],
    ['another server has taken its place', sql`'another'`],
  ] as const) {
    test(`tells who has read further what comes after, without a start, when ${name}`, async () => {
      const own = await openFeed(service);
      const signUp = async (): Promise<string> =>
        (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json.id;
      await publish();
      const kept = await signUp();
      await publish();
      await signUp();
      await publish();
      const { items, next_page: cursor } = await ask(own, '');
      // What the last one wrote is not here; its reader has seen it.
      const [{ id: lost }] = items.slice(-1);
      await forceRows(
        service,
        sql`
        with lost as (delete from events where id = ${parseId('evt', lost)} returning id)
        delete from event_feed where event_id in (select id from lost)`,
      );
      await service.database.query(sql`
        update event_feed_state set origin = ${origin}, last_position = last_position - 1`);
      const id = await signUp();
      await publish();
      const told = (await ask(own, `after=${cursor}`)).items.map((event: Json) => event.data.subscription.id);
      assert.deepEqual(told, [id]);
      const all = (await ask(own, '')).items.map((event: Json) => event.data.subscription.id);
      assert.deepEqual(all, [kept, id]);
    });
  }

  test('is published where the server does not say which one it is', async (context) => {
    const role = `reader_${randomUUID().replaceAll('-', '')}`;
    const own = await openFeed(service);
    const admin = new Client(service.connection);
    await admin.connect();
    await admin.query(`
      revoke execute on function pg_control_system() from public;
      create role ${role} login;
      grant all on all tables in schema public to ${role}`);
    const connection = { ...service.connection, user: role };
    const database = createDatabase({ connection, maxConnections: 2, onIdleError: () => {} });
    context.after(async () => {
      await database.close();
      await admin.query(
        `drop owned by ${role}; drop role ${role}; grant execute on function pg_control_system() to public`,
      );
      await admin.end();
    });
    await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
    await mendFeed(database);
    const publishRound = createPublisher(database, { notify: (): void => {} });
    await eventually(async () => (await publishRound()) === 'idle', 'it is published');
    assert.equal((await ask(own, '')).items.length, 1);
  });

  test('tells nothing again when the new server comes to the numbers of the old one', async () => {
    const own = await openFeed(service);
    await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) });
    await publish();
    await moveToForeignIds(20);
    await mendFeed(service.database);
    for (let index = 0; index < 60; index += 1) await service.database.query(sql`select pg_current_xact_id()`);
    await publish();
    assert.equal((await ask(own, '')).items.length, 1);
  });

  test('loses nothing for cursors from before it, neither with a snapshot nor beyond what was restored', async () => {
    const own = await openFeed(service);
    const known = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json;
    await publish();
    const first = await ask(own, '');
    await moveToForeignIds(1_000_000);
    // What the old server had given out before its end: a snapshot of its transactions, and a place that was not restored.
    const [place] = await service.database.query<{ project_id: string; position: string; beyond: string }>(sql`
      select project_id, last_position as position, last_position + 500 as beyond from event_feed_state, subscriptions
      where id = ${parseId('sub', known.id)}`);
    const { project_id: projectId = '', position = '', beyond = '' } = place ?? {};
    const cursors = createFeedCursors(createKeys(Buffer.alloc(32, 7)));
    const snapshot = cursors.format(projectId, { position, snapshot: '999999999:999999999:' });
    const further = cursors.format(projectId, { position: beyond, snapshot: null });
    await mendFeed(service.database);
    const { id } = (await own.call('POST', '/subscriptions', { body: signUpBody(own.planId) })).json;
    await publish();
    for (const cursor of [first.next_page, snapshot, further]) {
      const { items, next_page: next } = await ask(own, `after=${cursor}`);
      assert.deepEqual(
        items.map(({ data }: Json) => data.subscription.id),
        [id],
      );
      assert.deepEqual((await ask(own, `after=${next}`)).items, []);
    }
  });

  test('is left as it is by an instance that starts while others publish', async () => {
    const state = sql`select last_position, origin from event_feed_state`;
    await mendFeed(service.database);
    const before = await service.database.query(state);
    // Otherwise it finds nothing to write, and does not wait.
    await service.database.query(sql`update event_feed_state set origin = null`);
    const publisher = new Client(service.connection);
    await publisher.connect();
    await publisher.query('begin; select from event_feed_state for no key update');
    const mending = mendFeed(service.database);
    await eventually(async () => {
      const [row] = await service.database.query(sql`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%event_feed_state%' and datname = current_database()`);
      return row !== undefined;
    }, 'the start waits for them');
    // They come further than the server had when the start began to wait.
    await service.database.query(sql`select pg_current_xact_id()`);
    await service.database.query(sql`select pg_current_xact_id()`);
    await publisher.query('update event_feed_state set published = pg_snapshot_xmax(pg_current_snapshot()); commit');
    await publisher.end();
    await mending;
    assert.deepEqual(await service.database.query(state), before);
  });

  test('is mended for as long as that takes, beyond what a statement of a request may', async () => {
    const holder = new Client(service.connection);
    await holder.connect();
    await moveToForeignIds(1_000_000);
    await holder.query('begin; lock table event_feed in share mode');
    const mending = mendFeed(service.database);
    await eventually(async () => {
      // What a transaction has seen of the activity it sees again.
      await holder.query('select pg_stat_clear_snapshot()');
      const { rows } = await holder.query(
        `select from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%event_feed%' and clock_timestamp() - query_start > '4.6 s'
           and datname = current_database()`,
      );
      return rows.length > 0;
    }, 'it has waited beyond the limits of the pool');
    await holder.query('commit');
    await holder.end();
    await mending;
    const [state] = await service.database.query<{ is_mended: boolean }>(sql`
      select published <= pg_snapshot_xmax(pg_current_snapshot()) as is_mended from event_feed_state`);
    assert.equal(state?.is_mended, true);
  });
});
