/** The service as a process of its own, with the most talkative log: nothing personal and no secret stands in it, nor in the database in clear. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { signUpBody, uniqueMalo, type Json } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fetchToken, send, type Reply } from '../support/service.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const client = { clientId: 'log-privacy', clientSecret: 'S3cret-of-this-test-that-nobody-may-log' };
const encryptionKey = Buffer.alloc(32, 0xa5).toString('base64');

/** What must not be logged; every text occurs nowhere else. */
const personal = {
  firstName: 'Xaverine',
  lastName: 'Quintessenz',
  companyName: 'Zwirbelwerk',
  email: 'xaverine.privat@quintessenz.example.com',
  vatId: 'DE987654321',
  street: 'Geheimgasse',
  city: 'Verstecklingen',
  iban: 'DE75512108001245126199',
  ibanAsTyped: 'DE75 5121 0800 1245 1261 99',
  accountHolder: 'Kontoinhaberin Verborgen',
  wrongIban: 'DE00512108001245126199',
  wrongEmail: 'kein-klammeraffe-quintessenz',
  meterNumber: '1GEHEIM0042',
  malo: uniqueMalo(),
  metadata: 'Vertrauliches-aus-den-Metadaten',
};
/** Tokens and other secrets that were sent or received. */
const secrets: string[] = [client.clientSecret, encryptionKey, basicOf(client.clientSecret)];

let database: TestDatabase;
let child: ChildProcess;
let baseUrl: string;
const output = { text: '' };
let plan: string;

function basicOf(secret: string): string {
  return Buffer.from(`${client.clientId}:${secret}`).toString('base64');
}

before(async () => {
  database = await createTestDatabase();
  child = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: encryptionKey,
      BOOTSTRAP_CLIENT_ID: client.clientId,
      BOOTSTRAP_CLIENT_SECRET: client.clientSecret,
      LOG_LEVEL: 'trace',
      RATE_LIMIT: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const listening = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk;
      const url = /"url":"([^"]+)","msg":"listening"/.exec(output.text)?.[1];
      if (url !== undefined) listening.resolve(url);
    });
  }
  child.once('exit', () => listening.reject(new Error(`the service ended: ${output.text}`)));
  baseUrl = await listening.promise;
  await talk();
});

after(async () => {
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await database.drop();
});

function privateBody(overrides: Json = {}): Json {
  const body = signUpBody(plan, {
    customer: {
      type: 'company',
      company_name: personal.companyName,
      first_name: personal.firstName,
      last_name: personal.lastName,
      email: personal.email,
      vat_id: personal.vatId,
    },
    address: { street: personal.street, house_number: '1', zip: '51147', city: personal.city },
    meter: { number: personal.meterNumber, type: 'smart', estimated_usage: 1, malo: personal.malo },
    payment_method: {
      type: 'sepa_debit',
      sepa_debit: { iban: personal.ibanAsTyped, account_holder: personal.accountHolder },
    },
    metadata: { note: personal.metadata },
  });
  return { ...body, ...overrides };
}

async function oauth(path: string, form: Record<string, string>, secret = client.clientSecret): Promise<Json> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${basicOf(secret)}` },
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as Json;
  for (const name of ['access_token', 'refresh_token']) if (body[name] !== undefined) secrets.push(body[name]);
  return body;
}

/** Says everything that is private, in as many ways as there are to be answered. */
async function talk(): Promise<void> {
  const token = await fetchToken(baseUrl, client);
  secrets.push(token);
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    send(baseUrl, method, path, { token, headers, ...(body === undefined ? {} : { body }) });
  plan = (await call('GET', '/plans')).json.items[0].id;
  const expand = '?expand[]=customer&expand[]=payment_method&expand[]=address&expand[]=meter';
  const created = await call('POST', `/subscriptions${expand}`, privateBody(), { 'idempotency-key': 'private-1' });
  assert.equal(created.status, 201, created.text);
  await call('POST', `/subscriptions${expand}`, privateBody(), { 'idempotency-key': 'private-1' });
  assert.equal((await call('POST', '/subscriptions', privateBody())).status, 409);
  await call('GET', `/subscriptions/${created.json.id}${expand}`);
  await call(
    'GET',
    `/subscriptions?filter[customer.email][eq]=${personal.email}&filter[meter.number][eq]=${personal.meterNumber}`,
  );
  await call(
    'GET',
    `/subscriptions?filter[metadata.note][eq]=${personal.metadata}&filter[nothing][eq]=${personal.lastName}`,
  );
  await call('GET', `/${personal.lastName}?iban=${personal.iban}`);
  await call('GET', `/subscriptions?access_token=${token}`);
  const wrong = privateBody();
  wrong.customer.email = personal.wrongEmail;
  wrong.payment_method.sepa_debit.iban = personal.wrongIban;
  assert.equal((await call('POST', '/subscriptions', wrong, { 'idempotency-key': 'private-2' })).status, 400);
  await call('POST', '/subscriptions', JSON.stringify(privateBody()).slice(0, -5));
  await call('POST', '/subscriptions', JSON.stringify(privateBody()).replace('51147', String.raw`\u0000`));
  await call('POST', '/subscriptions', JSON.stringify(privateBody()), { 'content-type': 'text/plain' });
  await call('POST', '/subscriptions', privateBody({ metadata: { note: personal.metadata.repeat(10_000) } }));
  await call('POST', '/plans', { name: personal.companyName, price: 1, slug: 'demo' });
  await send(baseUrl, 'GET', '/plans', { token: `${token}x` });
  await oauth('/oauth/token', { grant_type: 'client_credentials' }, 'a-wrong-secret-that-is-still-a-secret');
  secrets.push('a-wrong-secret-that-is-still-a-secret', basicOf('a-wrong-secret-that-is-still-a-secret'));
  const { refresh_token: first } = await oauth('/oauth/token', { grant_type: 'client_credentials' });
  await oauth('/oauth/token', { grant_type: 'refresh_token', refresh_token: first });
  assert.equal(
    (await oauth('/oauth/token', { grant_type: 'refresh_token', refresh_token: first })).error,
    'invalid_grant',
  );
  await oauth('/oauth/introspect', { token });
  // The database breaks while sign-ups are on their way: that is when errors with rows in them are made.
  const admin = new Client(database.connection);
  await admin.connect();
  await admin.query('alter table customers rename column email to mail');
  const broken = await call(
    'POST',
    '/subscriptions',
    privateBody({ meter: { ...privateBody().meter, malo: uniqueMalo() } }),
  );
  assert.equal(broken.status, 500);
  await admin.query('alter table customers rename column mail to email');
  await admin.query(`alter table customers add constraint none check (last_name <> '${personal.lastName}') not valid`);
  const refused = await call(
    'POST',
    '/subscriptions',
    privateBody({ meter: { ...privateBody().meter, malo: uniqueMalo() } }),
  );
  assert.equal(refused.status, 500);
  for (const reply of [broken, refused]) {
    assert.equal(reply.json.code, 'internal_error');
    assert.doesNotMatch(reply.text, /customers|constraint|column|\n\s+at /);
  }
  await admin.query('alter table customers drop constraint none');
  await admin.end();
}

describe('the log', () => {
  test('is there: every request with its id and status, and the causes of the 500s', () => {
    assert.ok((output.text.match(/"msg":"answered"/g) ?? []).length > 20, 'requests are logged');
    assert.match(output.text, /"status":201/);
    assert.match(output.text, /"msg":"request failed"/);
    assert.match(output.text, /req_[0-9a-z]{26}/);
  });

  for (const [name, text] of Object.entries(personal)) {
    test(`has no ${name}`, () => {
      const line = output.text.split('\n').find((one) => one.toLowerCase().includes(text.toLowerCase()));
      assert.equal(line, undefined);
    });
  }

  test('has no token and no secret, nor the digest of one', () => {
    const digestsOf = (secret: string): string[] => {
      const digest = createHash('sha256').update(secret).digest();
      return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')];
    };
    for (const text of secrets.flatMap((secret) => [secret, ...digestsOf(secret)])) {
      const line = output.text.split('\n').find((one) => one.includes(text));
      assert.equal(line, undefined);
    }
  });
});

describe('the database', () => {
  let rows: { table: string; text: string }[];
  before(async () => {
    const reader = new Client(database.connection);
    await reader.connect();
    const tables = await reader.query<{ table: string }>(
      "select table_name as table from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    rows = [];
    for (const { table } of tables.rows) {
      const found = await reader.query<{ text: string }>(`select t::text as text from "${table}" t`);
      rows.push(...found.rows.map(({ text }) => ({ table, text })));
    }
    await reader.end();
  });

  /** The tables in which a text stands, as it is or as bytes. */
  const tablesWith = (text: string): string[] => {
    const hex = Buffer.from(text).toString('hex');
    return [
      ...new Set(rows.filter((row) => row.text.includes(text) || row.text.includes(hex)).map(({ table }) => table)),
    ];
  };

  test('holds what was signed up', () => {
    assert.ok(tablesWith(personal.lastName).includes('customers'));
  });

  test('holds no token and no client secret', () => {
    for (const secret of secrets) assert.deepEqual(tablesWith(secret), []);
  });

  test('holds no IBAN in clear', () => {
    for (const text of [personal.iban, personal.ibanAsTyped, personal.iban.slice(4, 18)]) {
      assert.deepEqual(tablesWith(text), []);
    }
  });

  test('holds no account holder in clear, not even in a remembered answer', () => {
    assert.deepEqual(tablesWith(personal.accountHolder), []);
  });
});

test('SIGTERM ends the process with 0 within ten seconds', async () => {
  const started = performance.now();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  assert.equal(code, 0);
  assert.ok(performance.now() - started < 10_000);
});
