import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatId } from '#domain/identifiers.ts';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import {
  ask,
  eventually,
  freePort,
  killProcess,
  startProcess,
  temporaryFolder,
  type ServiceProcess,
} from '#test/support/process.ts';
import { fetchToken, send } from '#test/support/service.ts';

const CLIENT = { clientId: 'crash', clientSecret: 'a-secret-that-outlives-every-kill-of-the-service' };
const CONNECTIONS = 12;
const SERVICE_KILLS = 10;
const SERVER_KILLS = 3;
/** A kill comes after so many answers since the last one, drawn anew each time. */
const ANSWERS_BEFORE_KILL = { from: 40, to: 400 } as const;
const PATIENCE_MS = 30_000;
const POLL_MS = 5;

/** One sign-up from the first attempt to its answer; every attempt sends the same bytes under the same key. */
interface Attempt {
  readonly key: string;
  readonly malo: string;
  readonly body: string;
  readonly orders: number;
  tries: number;
}

/** A sign-up that was answered 201. */
interface Acknowledged extends Attempt {
  readonly id: string;
  readonly answer: string;
  readonly replayed: boolean;
}

/** What one request came to; a status of 0 is a connection that broke. */
interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

const suite = { after };
const folder = temporaryFolder(suite, 'crash');
const dataDir = join(folder, 'data');
const state: { port: number; token: string; planId: string; service?: ServiceProcess } = {
  port: 0,
  token: '',
  planId: '',
};

/** Starts the service on the one data folder and port, and waits until it answers. */
async function startService(): Promise<void> {
  state.service = startProcess(suite, {
    DATA_DIR: dataDir,
    PORT: String(state.port),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
  });
  await state.service.ready();
}

/** One request on a connection of the agent. Never fails: a broken connection is an outcome, too. */
function exchange(
  agent: Agent,
  method: string,
  path: string,
  { body = '', headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const broken = (): void => resolve({ status: 0, text: '', replayed: false });
    const sent = request({ agent, host: '127.0.0.1', port: state.port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text,
          replayed: response.headers['idempotency-replayed'] === 'true',
        }),
      );
      response.on('error', broken);
      response.on('aborted', broken);
    });
    sent.on('error', broken);
    sent.setTimeout(PATIENCE_MS, () => sent.destroy());
    sent.end(body);
  });
}

/** An 11-digit market location whose check digit is right (BDEW: odd places once, even places twice). */
function maloOf(number: number): string {
  const digits = String(4_000_000_000 + number);
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 2), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function newAttempt(number: number): Attempt {
  const malo = maloOf(number);
  const orders = number % 5 === 0 ? [{ type: 'smart-meter' }] : [];
  const body = JSON.stringify({
    plan: state.planId,
    customer: { first_name: 'Erika', last_name: `Mustermann ${number}`, email: `erika.${number}@example.com` },
    address: { street: 'Heidestraße', house_number: String(number), zip: '51147', city: 'Köln' },
    meter: { number: `M-${number}`, type: 'modern', estimated_usage: 3500, malo },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'DE89370400440532013000', account_holder: `Erika Mustermann ${number}` },
    },
    next_possible_start: true,
    external_id: `order-${number}`,
    metadata: { number, channel: 'crash test' },
    ...(orders.length > 0 ? { product_orders: orders } : {}),
  });
  return { key: `key-${number}`, malo, body, orders: orders.length, tries: 0 };
}

/** Signs customers up on many connections until stopped, and repeats under its key what came to no answer. */
function startLoad(): { acknowledged: Acknowledged[]; odd: Outcome[]; stop(): Promise<void> } {
  const acknowledged: Acknowledged[] = [];
  const odd: Outcome[] = [];
  const running = { on: true, next: 0 };
  const connection = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (running.on) {
      const attempt = newAttempt((running.next += 1));
      const begin = performance.now();
      for (;;) {
        attempt.tries += 1;
        const { status, text, replayed } = await exchange(agent, 'POST', '/subscriptions', {
          body: attempt.body,
          headers: {
            authorization: `Bearer ${state.token}`,
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(attempt.body)),
            'idempotency-key': attempt.key,
          },
        });
        if (status === 201) {
          const { id } = JSON.parse(text) as { id: string };
          acknowledged.push({ ...attempt, id, answer: text, replayed });
          break;
        }
        // Killed (0) or its database away (503): nothing is known of this sign-up, so it is sent again.
        if (![0, 503].includes(status) || performance.now() - begin > PATIENCE_MS) {
          odd.push({ status, text, replayed });
          break;
        }
        await sleep(POLL_MS);
      }
    }
    agent.destroy();
  };
  const connections = Array.from({ length: CONNECTIONS }, connection);
  return {
    acknowledged,
    odd,
    async stop() {
      running.on = false;
      await Promise.all(connections);
    },
  };
}

async function askDatabase<Row>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
  return ask(await eventually(() => findRunningEmbedded(dataDir), 'the database server runs'), statement, values);
}

/** For each subscription how many rows it has of what a sign-up writes; then what belongs to none. */
const WHOLENESS = `
  select
    id, malo, external_id, event_sequence, metadata ->> 'number' as number,
    (select count(*)::int from customers c where c.project_id = s.project_id and c.id = s.customer_id) as customers,
    (select count(*)::int from addresses a where a.project_id = s.project_id and a.id = s.address_id) as addresses,
    (select count(*)::int from meters m where m.project_id = s.project_id and m.id = s.meter_id and m.malo = s.malo)
      as meters,
    (select count(*)::int from payment_methods p where p.project_id = s.project_id and p.id = s.payment_method_id)
      as payment_methods,
    (select count(*)::int from market_processes m where m.project_id = s.project_id and m.subscription_id = s.id)
      as processes,
    (select count(*)::int from product_orders o where o.project_id = s.project_id and o.subscription_id = s.id) as orders,
    (select count(*)::int from subscription_metadata m where m.project_id = s.project_id and m.subscription_id = s.id)
      as metadata,
    -- The market process begins in the background: with one message, or not yet.
    (select count(*) = s.revision - 1 and s.revision <= 2 from market_messages x
      where x.project_id = s.project_id and x.subscription_id = s.id) as is_begun_once,
    (select array_agg(sequence || ' ' || type) from events e where e.project_id = s.project_id and e.subscription_id = s.id)
      as events
  from subscriptions s`;

const LEFT_OVER = `
  select
    (select count(*)::int from customers c where not exists (select from subscriptions where customer_id = c.id))
      as customers,
    (select count(*)::int from addresses a where not exists (select from subscriptions where address_id = a.id))
      as addresses,
    (select count(*)::int from meters m where not exists (select from subscriptions where meter_id = m.id)) as meters,
    (select count(*)::int from payment_methods p
      where not exists (select from subscriptions where payment_method_id = p.id)) as payment_methods`;

/** Holds everything that was acknowledged against everything that is stored. */
async function verify(acknowledged: readonly Acknowledged[]): Promise<void> {
  const stored = await askDatabase<Record<string, unknown>>(WHOLENESS);
  const byId = new Map(stored.map((row) => [formatId('sub', String(row['id'])), row]));
  const keys = await askDatabase<{ key: string; body: string; status: number }>(
    'select key, body, status from idempotency_keys',
  );
  const records = new Map(keys.map((record) => [record.key, record]));
  assert.equal(new Set(acknowledged.map(({ id }) => id)).size, acknowledged.length, 'no two keys share a subscription');
  for (const { id, key, malo, orders, answer } of acknowledged) {
    const { id: _, ...row } = byId.get(id) ?? {};
    assert.deepEqual(row, {
      malo,
      external_id: key.replace('key', 'order'),
      event_sequence: 1,
      number: key.replace('key-', ''),
      customers: 1,
      addresses: 1,
      meters: 1,
      payment_methods: 1,
      processes: 1,
      orders,
      metadata: 2,
      is_begun_once: true,
      events: ['1 subscription.created'],
    });
    assert.deepEqual(records.get(key), { key, body: answer, status: 201 });
  }
  // Every sign-up was repeated until it was answered, so that nothing more may be there than was acknowledged.
  assert.equal(stored.length, acknowledged.length, 'every subscription was acknowledged, once');
  assert.equal(keys.length, acknowledged.length);
  const [left] = await askDatabase<Record<string, number>>(LEFT_OVER);
  assert.deepEqual({ ...left }, { customers: 0, addresses: 0, meters: 0, payment_methods: 0 });
}

async function answersSince(list: readonly unknown[], begin: number): Promise<void> {
  const wanted = begin + randomInt(ANSWERS_BEFORE_KILL.from, ANSWERS_BEFORE_KILL.to);
  await eventually(() => list.length >= wanted, 'sign-ups are answered');
}

function serverPid(): number | undefined {
  const file = join(dataDir, 'postgres/postmaster.pid');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^\d+(?=\n)/.test(text) ? Number.parseInt(text, 10) : undefined;
}

describe('a kill at any moment', () => {
  const all: Acknowledged[] = [];
  const load = { running: undefined as ReturnType<typeof startLoad> | undefined };

  before(async () => {
    state.port = await freePort();
    await startService();
    const url = `http://127.0.0.1:${state.port}`;
    state.token = await fetchToken(url, CLIENT);
    const plans = await send(url, 'GET', '/plans', { token: state.token });
    state.planId = plans.json.items[0].id as string;
    load.running = startLoad();
  });

  after(() => load.running?.stop());

  test(`of the service, ${SERVICE_KILLS} times under load, loses nothing that was acknowledged`, async (context) => {
    const { acknowledged = [] } = load.running ?? {};
    for (let round = 1; round <= SERVICE_KILLS; round += 1) {
      await answersSince(acknowledged, acknowledged.length);
      assert.ok(state.service !== undefined);
      await killProcess(state.service);
      const known = acknowledged.length;
      await startService();
      const ids = acknowledged.slice(0, known).map(({ malo }) => malo);
      const [row] = await askDatabase<{ count: number }>(
        'select count(*)::int from subscriptions where malo = any($1)',
        [ids],
      );
      assert.equal(row?.count, known, `after kill ${round}`);
    }
    context.diagnostic(`${acknowledged.length} acknowledged`);
  });

  test(`of its database server, ${SERVER_KILLS} times under load, loses nothing and is got over without a restart`, async (context) => {
    const { acknowledged = [] } = load.running ?? {};
    const { service } = state;
    for (let round = 1; round <= SERVER_KILLS; round += 1) {
      await answersSince(acknowledged, acknowledged.length);
      const begin = performance.now();
      const pid = await eventually(serverPid, 'the database server runs');
      process.kill(pid, 'SIGKILL');
      // What had been asked of the server before may still be answered by what is left of it.
      await eventually(() => ![undefined, pid].includes(serverPid()), 'another database server is there');
      const known = acknowledged.length;
      await eventually(() => acknowledged.length >= known + 2 * CONNECTIONS, 'sign-ups are answered again');
      context.diagnostic(`kill ${round}: answered again after ${(performance.now() - begin).toFixed(0)} ms`);
    }
    assert.equal(state.service, service);
    assert.equal(service?.child.exitCode, null);
  });

  test('leaves every sign-up whole and once, and nothing half', async (context) => {
    const { running } = load;
    assert.ok(running !== undefined);
    await running.stop();
    all.push(...running.acknowledged);
    assert.deepEqual(running.odd, [], 'nothing was answered but 201, and 503 while the database was away');
    const repeated = all.filter(({ tries }) => tries > 1);
    const replayed = all.filter((one) => one.replayed);
    context.diagnostic(
      `${all.length} sign-ups, ${repeated.length} repeated, ${replayed.length} of them had been stored`,
    );
    assert.ok(repeated.length >= SERVICE_KILLS, 'the kills hit requests on their way');
    await verify(all);
  });

  test('leaves what is read back equal to what was acknowledged', async () => {
    const step = Math.max(1, Math.floor(all.length / 200));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const { id, answer } of all.filter((_, index) => index % step === 0)) {
      const headers = { authorization: `Bearer ${state.token}` };
      const { status, text } = await exchange(agent, 'GET', `/subscriptions/${id}`, { headers });
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(text), JSON.parse(answer));
    }
    agent.destroy();
  });
});
