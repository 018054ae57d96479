/** Answers about a subscription of which very much is told: in portions, each at the cost of what it shows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { after, before, describe, test, type TestContext } from 'node:test';
import { formatId, parseId } from '#domain/identifiers.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { wallClock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import type { App } from '../../src/app.ts';
import { signUp, type Json } from '../support/builders.ts';
import { connectAsService, explainSettled, spyOn, type PlanStep } from '../support/plans.ts';
import { eventually } from '../support/process.ts';
import { createPromiseKeeper } from '../support/promises.ts';
import { vacuumWhole } from '../support/rows.ts';
import { must } from '../support/sandbox.ts';
import { createAppBeside, forceRows, startService, type TestService } from '../support/service.ts';

/** More than what lies between a service and a client who does not read can hold. */
const MANY = 1_500;
const LARGE = 'x'.repeat(9_000);

let service: TestService;
before(async () => {
  service = await startService({ LOG_LEVEL: 'silent' });
});
after(() => service.stop());

interface Told {
  readonly id: string;
  readonly customer: string;
}

/** A subscription with so many large events, and an entry of the audit log for each. */
async function tellMuch(count = MANY): Promise<Told> {
  const { id, customer } = await signUp(service, { product_orders: [{ type: 'smart-meter' }] });
  const uuid = parseId('sub', id) ?? '';
  const mint = createUuidMint(wallClock);
  const begin = wallClock.now().subtract({ hours: 1 });
  const at = (index: number): Temporal.Instant => begin.add({ milliseconds: 10 * index });
  const requests = Array.from({ length: count }, (_, index) => formatId('req', mint(at(index))));
  const entries = requests.map((_, index) => mint(at(index).add({ milliseconds: 5 })));
  const portion = 500;
  for (let from = 2; from <= count; from += portion) {
    const to = Math.min(count, from + portion - 1);
    await forceRows(
      service,
      sql`
      insert into events (project_id, id, subscription_id, sequence, type, occurred_at, caused_by, revision, request_id, data)
      select project_id, gen_random_uuid(), subscription_id, i, 'subscription.updated', occurred_at, 'api', i,
        (${requests}::text[])[i],
        json_build_object('subscription', data -> 'subscription',
          'previous_attributes', json_build_object('metadata', json_build_object('i', i, 'text', ${LARGE}::text)))
      from events, generate_series(${from}::integer, ${to}::integer) as i
      where subscription_id = ${uuid} and sequence = 1`,
    );
  }
  await forceRows(
    service,
    sql`
    with audited as (
      insert into audit_log (project_id, id, occurred_at, credential_id, request_id, operation, resource, seal)
      select project_id, (${entries}::uuid[])[i], occurred_at, credential_id, (${requests}::text[])[i], 'updateSubscription', resource, seal
      from audit_log, generate_series(2, ${count}::integer) as i
      where resource = ${id}
    )
    update subscriptions set event_sequence = ${count}, revision = ${count} where id = ${uuid}`,
  );
  return { id, customer };
}

/** A client who reads when he is told to, of an app of its own on this database. */
interface Client {
  readonly asked: readonly { readonly text: string }[];
  readonly app: App;
  get(path: string, method?: string): Promise<IncomingMessage>;
}

async function openClient(context: TestContext, of: Database = service.database): Promise<Client> {
  const { database, asked } = spyOn(of);
  const app = createAppBeside(service, { database });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${await service.token()}` };
  context.after(async () => {
    app.http.server.closeAllConnections();
    await app.http.close();
  });
  return {
    asked,
    app,
    async get(path, method = 'GET') {
      const outgoing = httpRequest({ port, path, headers, method }).end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return response;
    },
  };
}

/** The answer has come to a stop: its reader reads nothing, the next portion is not asked for, and no connection is held. */
async function comesToAStop({ asked }: Client): Promise<number> {
  return eventually(async () => {
    const known = asked.length;
    for (let round = 0; round < 20; round += 1) must(await service.call('GET', '/plans'), 200);
    const { total, idle } = service.database.counts();
    return known === asked.length && idle === total ? known : undefined;
  }, 'no more is asked of the database, and no connection is held');
}

/** Everything of the subscription is there; beside it the order has told of itself. */
const isWholeOf = (held: Json, count: number, audited = count): void => {
  const sequences = held.events.flatMap(({ data, sequence }: Json) =>
    data.subscription === undefined ? [] : [sequence],
  );
  assert.deepEqual(
    sequences,
    Array.from({ length: count }, (_, index) => index + 1),
  );
  const [{ entries }] = held.timelines;
  assert.equal(entries.filter(({ type }: Json) => type === 'event').length, count);
  assert.equal(entries.at(-1).event.previous_attributes.metadata.text, LARGE);
  assert.equal(held.audit_entries.length, audited);
};

const erase = (customer: string): Promise<void> =>
  forceRows(
    service,
    sql`
    update customers set first_name = 'erased', last_name = 'erased', email = 'erased@erased.invalid', erased_at = now()
    where id = ${parseId('cus', customer)}`,
  );

describe('an export of very much', () => {
  test('is read a portion at a time as its reader takes it, and holds no connection when he does not', async (context) => {
    const { customer } = await tellMuch();
    const client = await openClient(context);
    const answer = await client.get(`/customers/${customer}/export`);
    assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [200, 'no-store']);
    const begun = await comesToAStop(client);
    const held: Json = JSON.parse(await readAll(answer));
    isWholeOf(held, MANY);
    assert.ok(begun < client.asked.length / 2, `${begun} of ${client.asked.length} statements`);
    assert.ok(client.asked.length > (2 * MANY) / 100, 'no portion is large');
  });

  test('tells of nothing that happens while it is sent', async (context) => {
    const { id, customer } = await tellMuch();
    const { email } = must(await service.call('GET', `/customers/${customer}`), 200);
    const lead = { plan: service.planId, address: { zip: '51147' }, customer: { first_name: 'Erika', email } };
    const { id: leadId } = must(await service.call('POST', '/leads', { body: lead }), 201);
    const client = await openClient(context);
    const answer = await client.get(`/customers/${customer}/export`);
    await comesToAStop(client);
    const stranger = { customer: { first_name: 'Max', email: 'stranger@example.com' } };
    must(await service.call('PATCH', `/leads/${leadId}`, { body: stranger }), 200);
    must(await service.call('PATCH', `/subscriptions/${id}`, { body: { metadata: { later: true } } }), 200);
    must(await service.call('PATCH', `/customers/${customer}`, { body: { last_name: 'Later' } }), 200);
    const held: Json = JSON.parse(await readAll(answer));
    isWholeOf(held, MANY, MANY + 1);
    assert.deepEqual([held.customer.last_name, held.history, held.subscriptions[0].metadata], ['Mustermann', [], null]);
    assert.deepEqual([held.leads[0].id, held.leads[0].customer.email], [leadId, email]);
    const now = must(await service.call('GET', `/customers/${customer}/export`), 200);
    assert.deepEqual(
      [now.customer.last_name, now.history.length, now.events.length - held.events.length, now.leads],
      // Three more, and the lead's is the stranger's.
      ['Later', 1, 3 - 1, []],
    );
  });

  test('is broken off when the database fails in the middle, and nobody takes it for whole', async (context) => {
    const { customer } = await tellMuch();
    const failing = { isAway: false };
    const client = await openClient(context, {
      ...service.database,
      query: (statement) => (failing.isAway ? Promise.reject(new Error('gone')) : service.database.query(statement)),
    });
    const answer = await client.get(`/customers/${customer}/export`);
    await comesToAStop(client);
    failing.isAway = true;
    await assert.rejects(readAll(answer), { code: 'ECONNRESET' });
    assert.equal(answer.complete, false);
  });

  test('is broken off by a reset where its end is that of the connection, as for a proxy that speaks HTTP/1.0', async (context) => {
    const { customer } = await tellMuch();
    const client = await openClient(context);
    const { port } = client.app.http.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').pause();
    const lines = [
      `GET /customers/${customer}/export HTTP/1.0`,
      `Authorization: Bearer ${await service.token()}`,
      '',
      '',
    ];
    socket.write(lines.join('\r\n'));
    await comesToAStop(client);
    await erase(customer);
    await assert.rejects(readAll(socket), { code: 'ECONNRESET' });
  });

  test('is broken off when the customer is erased in the middle', async (context) => {
    const { customer } = await tellMuch();
    const client = await openClient(context);
    const answer = await client.get(`/customers/${customer}/export`);
    await comesToAStop(client);
    await erase(customer);
    await assert.rejects(readAll(answer), { code: 'ECONNRESET' });
  });

  test('is refused as the reference says when the customer is erased before anything of it was sent', async () => {
    const { customer } = await signUp(service);
    const path = `/customers/${customer}/export`;
    const app = createAppBeside(service, {
      database: {
        ...service.database,
        async transaction(...work) {
          const begun = await service.database.transaction(...work);
          await erase(customer);
          return begun;
        },
      },
    });
    const headers = { authorization: `Bearer ${await service.token()}` };
    const answer = await app.http.inject({ url: path, headers });
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'customer_erased']);
    const { statusCode: status, body: text } = answer;
    const reply = { status, text, json: answer.json(), headers: new Headers(answer.headers as Record<string, string>) };
    createPromiseKeeper(app)('GET', path, reply);
  });

  test('asks for nothing more when its client hangs up, nor where only its head is asked for', async (context) => {
    const { customer } = await tellMuch();
    const client = await openClient(context);
    const answer = await client.get(`/customers/${customer}/export`);
    const begun = await comesToAStop(client);
    answer.destroy();
    await eventually(async () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      client.app.http.server.getConnections((_, count) => resolve(count));
      return (await promise) === 0 ? true : undefined;
    }, 'the connection is closed');
    assert.ok((await comesToAStop(client)) <= begun + 1);
    const before = client.asked.length;
    const head = await client.get(`/customers/${customer}/export`, 'HEAD');
    assert.deepEqual([head.statusCode, await readAll(head)], [200, '']);
    assert.ok(client.asked.length - before < 20);
  });
});

describe('a page of a timeline costs what it shows, wherever it begins', () => {
  let told: Told;
  let headers: Readonly<Record<string, string>>;
  before(async () => {
    told = await tellMuch(4_000);
    await vacuumWhole(service.database, sql`events`, sql`audit_log`);
    headers = { authorization: `Bearer ${await service.token()}` };
  });

  /** Reads an answer, and looks at what the database does for it. */
  async function readCheaply(path: string): Promise<Json> {
    const { database, asked } = spyOn(service.database);
    const reply = await createAppBeside(service, { database }).http.inject({ url: path, headers });
    assert.equal(reply.statusCode, 200, reply.body);
    const statements = asked.filter(({ text }) => /from (?:events|audit_log)\b/.test(text));
    assert.equal(statements.length, 2);
    const client = await connectAsService(service.connection);
    try {
      for (const statement of statements) {
        const steps = stepsOf(await explainSettled(client, statement));
        const most = Math.max(...steps.map(({ rows, discarded }) => rows + discarded));
        assert.ok(most < 500, `${most} rows: ${statement.text}`);
      }
    } finally {
      await client.end();
    }
    return reply.json();
  }
  const stepsOf = (step: PlanStep): PlanStep[] => [step, ...step.steps.flatMap(stepsOf)];

  test('of a subscription', async () => {
    const path = `/subscriptions/${told.id}/timeline?limit=100`;
    const sequences: number[] = [];
    let cursor = '';
    for (let page = 0; page < 40; page += 1) {
      const isLookedAt = page === 0 || page === 20 || page === 38;
      const { items, next_page: next } = isLookedAt
        ? await readCheaply(path + cursor)
        : must(await service.call('GET', path + cursor), 200);
      sequences.push(...items.flatMap(({ event }: Json) => (event === null ? [] : [event.sequence])));
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    assert.deepEqual(
      sequences,
      Array.from({ length: sequences.length }, (_, index) => index + 1),
    );
    assert.ok(sequences.length > 3_900);
  });

  test('of a meter order, which also tells why its subscription was changed', async () => {
    const [order] = must(await service.call('GET', `/meter-orders?filter[subscription][eq]=${told.id}`), 200).items;
    const { items } = await readCheaply(`/meter-orders/${order.id}/timeline`);
    assert.equal(items.length, 1);
  });
});
