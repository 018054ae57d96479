/** Deliveries that somebody asks for while an attempt of theirs is on its way. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createLog } from '#platform/log.ts';
import { createMaintenance } from '../../src/maintenance.ts';
import { startReceiver, until, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { openProject, type WebhookProject } from '../support/webhooks.ts';

/** A project with one event, whose receiver keeps one of the attempts waiting. */
async function openHeld(
  context: TestContext,
  { schedule, attempt }: { readonly schedule: string; readonly attempt: number },
): Promise<{ own: WebhookProject; receiver: Receiver; held: ServerResponse }> {
  const service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: schedule });
  context.after(() => service.stop());
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response, index) => {
    if (index + 1 === attempt) held.push(response);
    else response.writeHead(index + 1 < attempt ? 500 : 204).end();
  });
  context.after(() => receiver.close());
  const own = await openProject(service);
  await own.endpoint(receiver.url);
  await own.signUp();
  await until('the attempt', () => held.length === 1);
  return { own, receiver, held: held[0] as ServerResponse };
}

describe('a delivery that is asked for while an attempt is on its way', () => {
  for (const [name, schedule, attempt] of [
    ['is attempted again as soon as that fails, whatever its schedule says', '3600', 1],
    ['is attempted again also when that was its last attempt', '0.1', 2],
  ] as const) {
    test(name, async (context) => {
      const { own, receiver, held } = await openHeld(context, { schedule, attempt });
      const [delivery] = await own.deliveries();
      must(await own.call('POST', `/webhook-deliveries/${delivery.id}/resend`), 200);
      held.writeHead(500).end();
      await until('it has succeeded', () => own.isAny('succeeded'));
      assert.equal(receiver.received.length, attempt + 1);
      const [{ attempts }] = await own.deliveries();
      const statuses = attempts.map(({ status_code: status }: { status_code: number }) => status);
      assert.deepEqual(statuses, [...Array.from({ length: attempt }, () => 500), 204]);
    });
  }

  test('is not sent a second time when that succeeds', async (context) => {
    const { own, receiver, held } = await openHeld(context, { schedule: '3600', attempt: 1 });
    const [delivery] = await own.deliveries();
    must(await own.call('POST', `/webhook-deliveries/${delivery.id}/resend`), 200);
    held.writeHead(204).end();
    await until('it has succeeded', () => own.isAny('succeeded'));
    await own.signUp();
    await until('the next one', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 2);
    assert.equal(receiver.received.length, 2);
  });
});

/** A project that is told of changes of customers, and how the first or the second of them is changed. */
async function openChanging(
  context: TestContext,
  schedule: string,
): Promise<{
  own: WebhookProject;
  receiver: Receiver;
  service: TestService;
  change: (index?: number) => Promise<void>;
}> {
  const service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: schedule });
  context.after(() => service.stop());
  const receiver = await startReceiver();
  context.after(() => receiver.close());
  const own = await openProject(service);
  await own.endpoint(receiver.url, { types: ['customer.updated'] });
  const customers: string[] = [];
  for (const id of await own.signUp(2))
    customers.push(must(await own.call('GET', `/subscriptions/${id}`), 200).customer);
  let changes = 0;
  const change = async (index = 0): Promise<void> => {
    changes += 1;
    const body = { first_name: `Erika ${changes}` };
    must(await own.call('PATCH', `/customers/${customers[index]}`, { body }), 200);
    await until('its delivery', async () => (await own.deliveries()).length === changes);
  };
  return { own, receiver, service, change };
}

test('an earlier delivery that is asked for again keeps its own schedule when a later one fails', async (context) => {
  const { own, receiver, change } = await openChanging(context, '1,3600');
  const attempted = async (count: number): Promise<void> =>
    until('the attempts', async () => {
      const deliveries = await own.deliveries();
      return deliveries.reduce((sum, { attempts }) => sum + Number(attempts.length), 0) === count;
    });
  await change();
  await attempted(1);
  const held: ServerResponse[] = [];
  // The later one fails, and is attempted once more; meanwhile the earlier one is asked for, and fails too.
  receiver.answer = (response, index) => {
    if (index === 2) held.push(response);
    else response.writeHead(index < 4 ? 500 : 204).end();
  };
  await change();
  await until('the second attempt', () => held.length === 1);
  const [, earlier] = await own.deliveries();
  must(await own.call('POST', `/webhook-deliveries/${earlier.id}/resend`), 200);
  await attempted(3);
  held[0]?.writeHead(500).end();
  await until('it has succeeded again', async () => (await own.deliveries())[1]?.state === 'succeeded');
});

test('a delivery that is laid out while those before it are taken again does not wait with them', async (context) => {
  const { own, receiver, service, change } = await openChanging(context, '3600');
  const succeeded = (count: number): Promise<void> =>
    until(`${count}`, async () => (await own.deliveries('filter[state][eq]=succeeded')).length === count);
  receiver.answer = (response) => response.writeHead(500).end();
  await change();
  await until('it has failed once', async () => (await own.deliveries())[0]?.attempts.length === 1);
  await change();
  receiver.answer = (response) => response.writeHead(204).end();
  // The endpoint is well again; what was put off waits all the same.
  await change(1);
  await succeeded(1);
  // From now on what is laid out is committed when we say so.
  const gate = new Client(service.connection);
  await gate.connect();
  await gate.query(`
    create function hold() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(77); return null; end $$;
    create trigger hold after insert on webhook_deliveries for each row execute function hold();
    select pg_advisory_lock(77)`);
  try {
    const last = change();
    const waiting = `select from pg_locks where locktype = 'advisory' and objid = 77 and not granted`;
    await until('it is laid out', async () => (await gate.query(waiting)).rowCount === 1);
    const first = (await own.deliveries()).at(-1);
    must(await own.call('POST', `/webhook-deliveries/${first?.id}/resend`), 200);
    await succeeded(3);
    assert.equal((await gate.query(waiting)).rowCount, 1, 'it is not committed yet');
    await gate.query('select pg_advisory_unlock(77)');
    await last;
    await succeeded(4);
  } finally {
    await gate.end();
  }
});

test('a delivery that was laid out then, by a process that was cut off before it saw to it, is sent soon all the same', async (context) => {
  const { own, receiver, service, change } = await openChanging(context, '3600');
  const attempts = async (): Promise<unknown[]> =>
    (await own.deliveries()).map(({ state, attempts: made }) => [state, made.length]);
  receiver.answer = (response) => response.writeHead(500).end();
  await change();
  await change(1);
  await until('each has failed once', async () =>
    (await own.deliveries()).every(({ attempts: made }) => made.length === 1),
  );
  await change();
  await change(1);
  const [, , , first] = await own.deliveries();
  receiver.answer = (response) => response.writeHead(204).end();
  // What a success puts on is lost for the last one, as if it had been laid out at that moment.
  const database = new Client(service.connection);
  await database.connect();
  try {
    await database.query(`
      create function keep() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger keep before update on webhook_deliveries for each row
        when (old.attempt_count = 0 and new.attempt_count = 0) execute function keep()`);
    must(await own.call('POST', `/webhook-deliveries/${first.id}/resend`), 200);
    await until('it has succeeded', () => own.isAny('succeeded'));
    await database.query('drop trigger keep on webhook_deliveries');
  } finally {
    await database.end();
  }
  await createMaintenance(service.service.foundation, createLog('silent', 2)).run();
  await until('the one behind it', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 2);
  // What waits behind one that is to be attempted again goes on waiting.
  assert.deepEqual(await attempts(), [
    ['pending', 0],
    ['succeeded', 1],
    ['pending', 1],
    ['succeeded', 2],
  ]);
});

test('an old delivery that is asked for again is sent, also when what is old is removed at that moment', async (context) => {
  const service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  context.after(() => service.stop());
  const receiver = await startReceiver();
  context.after(() => receiver.close());
  const own = await openProject(service);
  await own.endpoint(receiver.url);
  await own.signUp();
  await until('it has succeeded', () => own.isAny('succeeded'));
  // From now on what a request has written is committed when we say so.
  const gate = new Client(service.connection);
  await gate.connect();
  await gate.query(`
    update webhook_deliveries set created_at = now() - interval '31 days';
    create function hold() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(77); return null; end $$;
    create trigger hold after update on webhook_deliveries for each row execute function hold();
    select pg_advisory_lock(77)`);
  try {
    const [delivery] = await own.deliveries();
    const asked = own.call('POST', `/webhook-deliveries/${delivery.id}/resend`);
    const waiting = (on: string) => async (): Promise<boolean> =>
      (await gate.query('select from pg_locks where locktype = $1 and not granted', [on])).rowCount === 1;
    await until('it is asked for', waiting('advisory'));
    const removal = { isOver: false };
    const removed = createMaintenance(service.service.foundation, createLog('silent', 2))
      .run()
      .finally(() => (removal.isOver = true));
    const waits = waiting('transactionid');
    await until('what is old is removed', async () => removal.isOver || (await waits()));
    await gate.query('select pg_advisory_unlock(77)');
    must(await asked, 200);
    await removed;
    await until('it is sent again', () => receiver.received.length === 2);
    await until('it has succeeded again', async () => (await own.deliveries())[0]?.attempts.length === 2);
  } finally {
    await gate.end();
  }
});
