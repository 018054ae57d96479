/** Advances of a sandbox clock beside other requests: they keep nobody waiting but each other. */
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { otherProject } from '../support/builders.ts';
import { berlin, must, openSandbox } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const MONDAY = berlin('2030-01-07T10:00');
/** More than the pool has connections. */
const MANY = 60;

/** Somebody who holds the row of a project until the test ends or lets go of it. */
async function holdProject(context: TestContext, projectId: string): Promise<() => Promise<unknown>> {
  const client = new Client(service.connection);
  // A test that fails ends the database under it.
  client.on('error', () => {});
  await client.connect();
  context.after(() => client.end());
  await client.query('begin');
  await client.query('select from projects where id = $1 for update', [projectId]);
  return () => client.query('rollback');
}

async function projectOf(planId: string): Promise<string> {
  const client = new Client(service.connection);
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select project_id as id from plans where id = $1', [
    parseId('pln', planId),
  ]);
  await client.end();
  return rows[0]?.id ?? '';
}

const HELD: Readonly<Record<string, unknown>> = {
  '/sandbox/clock': { advance_by: 'PT1H' },
  '/webhook-endpoints': { url: 'https://hooks.example.com/' },
};
for (const [path, body] of Object.entries(HELD)) {
  test(`many POST ${path} that wait for their project leave connections for all others`, async (context) => {
    const sandbox = await openSandbox(service, MONDAY);
    const release = await holdProject(context, await projectOf(sandbox.planId));
    const waiting: Promise<Reply>[] = Array.from({ length: MANY }, () => sandbox.call('POST', path, { body }));
    const other = await otherProject(service);
    for (let call = 0; call < 20; call += 1) {
      must(await other.call('GET', '/customers?limit=1'), 200);
    }
    await release();
    for (const { status, text } of await Promise.all(waiting)) assert.ok(status < 500 || status === 503, text);
  });
}
