/** A transaction anywhere on the server keeps the feed waiting: an operator finds out which. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { findFeedHolder, type FeedHolder } from '#features/events/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/receiver.ts';
import { signUp } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestDatabase;
before(async () => {
  service = await startService();
  other = await createTestDatabase();
});
after(async () => {
  await service.stop();
  await other.drop();
});

test('the transaction that events wait for is named, in whatever database it is, and by nobody once it is over', async () => {
  const client = new Client({ ...other.connection, application_name: 'a forgotten session' });
  await client.connect();
  await client.query('begin; select pg_current_xact_id()');
  const { rows } = await client.query<{ pid: number; name: string }>(
    'select pg_backend_pid() as pid, current_database() as name',
  );
  await signUp(service);
  // Other tests have transactions on this server too, which may be older but are soon over.
  const seen: { holder?: FeedHolder | undefined } = {};
  await until('ours is the oldest', async () => {
    seen.holder = await findFeedHolder(service.database);
    return seen.holder?.pid === rows[0]?.pid;
  });
  const { holder } = seen;
  assert.deepEqual(
    [holder?.application, holder?.database, holder?.prepared],
    ['a forgotten session', rows[0]?.name, null],
  );
  assert.ok(Number.isInteger(holder?.seconds));
  await client.query('commit');
  await client.end();
  await until('the events are in the feed', async () => (await findFeedHolder(service.database)) === undefined);
});
