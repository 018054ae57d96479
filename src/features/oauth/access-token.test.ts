import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { revokeCredential } from '#features/projects/index.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { type Database } from '#platform/database/pool.ts';
import { sql } from '#platform/database/sql.ts';
import {
  createTestClock,
  post,
  startOauthBench,
  type OauthBench,
  type OauthInstance,
  type OauthReply,
  type TestClient,
} from '#test/support/oauth.ts';
import { createTokenAuthenticator } from './authenticate-token.ts';
import { deleteExpiredTokens } from './index.ts';

let bench: OauthBench;
let here: OauthInstance;
let there: OauthInstance;

before(async () => {
  bench = await startOauthBench();
  here = await bench.newInstance();
  there = await bench.newInstance();
});
after(() => bench.stop());

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

async function issue(client: TestClient): Promise<Tokens> {
  const { body } = await post(`${here.url}/oauth/token`, client, { grant_type: 'client_credentials' });
  return { access: String(body['access_token']), refresh: String(body['refresh_token']) };
}

function revoke(client: TestClient, token: string, instance = here): Promise<OauthReply> {
  return post(`${instance.url}/oauth/revoke`, client, { token, token_type_hint: 'whatever' });
}

function introspect(client: TestClient, token: string): Promise<OauthReply> {
  return post(`${here.url}/oauth/introspect`, client, { token });
}

async function isAlive(accessToken: string, instance = here): Promise<boolean> {
  return (await instance.oauth.authenticate(accessToken)) !== null;
}

describe('an access token', () => {
  test('lives 3600 seconds, to the millisecond', async () => {
    const { access } = await issue(await bench.newClient());
    bench.clock.pass(3_599_999);
    assert.equal(await isAlive(access), true);
    bench.clock.pass(1);
    assert.equal(await isAlive(access), false);
    assert.equal(await isAlive(access, there), false);
  });

  test('expires within the second for which it is trusted', async () => {
    const { access } = await issue(await bench.newClient());
    bench.clock.pass(3_599_500);
    assert.equal(await isAlive(access), true);
    bench.clock.pass(500);
    const before = bench.statements();
    assert.equal(await isAlive(access), false);
    assert.equal(bench.statements(), before);
  });

  test('is read once a second, however often it is used', async () => {
    const { access } = await issue(await bench.newClient());
    const before = bench.statements();
    await Promise.all(Array.from({ length: 50 }, () => isAlive(access)));
    bench.clock.pass(999);
    await Promise.all(Array.from({ length: 50 }, () => isAlive(access)));
    assert.equal(bench.statements() - before, 1);
    bench.clock.pass(1);
    await Promise.all(Array.from({ length: 50 }, () => isAlive(access)));
    assert.equal(bench.statements() - before, 2);
  });

  test('does not live longer when the wall clock is set back', async () => {
    const { access } = await issue(await bench.newClient());
    bench.clock.pass(3_000_000);
    assert.equal(await isAlive(access), true);
    bench.clock.set(-86_400_000);
    assert.equal(await isAlive(access), true);
    bench.clock.pass(599_999);
    assert.equal(await isAlive(access), true);
    bench.clock.pass(1);
    assert.equal(await isAlive(access), false);
    bench.clock.pass(1000);
    assert.equal(await isAlive(access), false);
    bench.clock.set(86_400_000);
  });

  test('that was issued by a clock set back since is not taken by a process that has never seen it', async () => {
    const client = await bench.newClient();
    const { access, refresh } = await issue(client);
    bench.clock.set(-60_000);
    assert.equal(await isAlive(access), true);
    bench.clock.set(-1);
    assert.equal(await isAlive(access, there), false);
    assert.equal(await isAlive(access), true);
    for (const token of [access, refresh]) assert.equal((await introspect(client, token)).body['active'], false);
    const body = { grant_type: 'refresh_token', refresh_token: refresh };
    assert.equal((await post(`${there.url}/oauth/token`, client, body)).body['error'], 'invalid_grant');
    bench.clock.set(60_001);
    assert.equal(await isAlive(access, there), true);
    assert.equal((await post(`${there.url}/oauth/token`, client, body)).status, 200);
  });

  test('is nothing that the database is asked about when it has not the form of one', async () => {
    const { refresh } = await issue(await bench.newClient());
    const before = bench.statements();
    for (const text of ['', 'x', refresh, 'es_at_', `es_at_${'a'.repeat(44)}`, `es_at_${'\0'.repeat(43)}`]) {
      assert.equal(await isAlive(text), false);
    }
    assert.equal(bench.statements(), before);
    assert.equal(await isAlive(`es_at_${'a'.repeat(43)}`), false);
  });

  test('is not taken for valid, nor for unknown, while the database is away', async () => {
    const { database } = bench;
    const clock = createTestClock();
    const away = { ...database, query: () => Promise.reject(new DatabaseUnavailable('away')) };
    const authenticator = createTokenAuthenticator({ database: away, clock, monotonicMs: clock.monotonicMs });
    await assert.rejects(async () => authenticator.authenticate(`es_at_${'a'.repeat(43)}`), DatabaseUnavailable);
  });
});

describe('a revocation', () => {
  test('is effective at once where it was asked for, and within a second in another process', async () => {
    const client = await bench.newClient();
    const { access } = await issue(client);
    assert.equal(await isAlive(access, here), true);
    assert.equal(await isAlive(access, there), true);
    bench.clock.pass(500);
    assert.equal((await revoke(client, access)).status, 200);
    assert.equal(await isAlive(access, here), false);
    bench.clock.pass(500);
    assert.equal(await isAlive(access, there), false);
  });

  test('is effective at once also when the token was being read meanwhile', async () => {
    const [read, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const state = { isFirst: true };
    const database: Database = {
      ...bench.database,
      async query(statement) {
        const { isFirst } = state;
        state.isFirst = false;
        const rows = await bench.database.query<never>(statement);
        if (isFirst) {
          read.resolve();
          await told.promise;
        }
        return rows;
      },
    };
    const slow = await bench.newInstance({ database });
    const client = await bench.newClient();
    const { access } = await issue(client);
    const before = isAlive(access, slow);
    await read.promise;
    assert.equal((await revoke(client, access, slow)).status, 200);
    told.resolve();
    await before;
    assert.equal(await isAlive(access, slow), false);
  });

  test('of a credential reaches every process within a second', async () => {
    const client = await bench.newClient();
    const { access } = await issue(client);
    assert.equal(await isAlive(access, there), true);
    await revokeCredential(bench, client);
    bench.clock.pass(1000);
    assert.equal(await isAlive(access, here), false);
    assert.equal(await isAlive(access, there), false);
  });

  test('of an access token leaves its refresh token, that of a refresh token takes the family', async () => {
    const client = await bench.newClient();
    const one = await issue(client);
    await revoke(client, one.access);
    const { status, body } = await post(`${here.url}/oauth/token`, client, {
      grant_type: 'refresh_token',
      refresh_token: one.refresh,
    });
    assert.equal(status, 200);
    assert.equal(await isAlive(String(body['access_token'])), true);
    assert.equal((await revoke(client, String(body['refresh_token']))).status, 200);
    assert.equal(await isAlive(String(body['access_token'])), false);
  });

  test('of an unknown, revoked or foreign token is a success without effect', async () => {
    const client = await bench.newClient();
    const stranger = await bench.newClient();
    const { access, refresh } = await issue(client);
    for (const token of ['x', `es_rt_${'a'.repeat(43)}`, '\0']) {
      const reply = await revoke(client, token);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    }
    assert.equal((await revoke(stranger, access)).status, 200);
    assert.equal((await revoke(stranger, refresh)).status, 200);
    assert.equal(await isAlive(access), true);
    assert.equal((await revoke(client, access)).status, 200);
    assert.equal((await revoke(client, access)).status, 200);
  });

  test('of a token of another credential of the project is refused', async () => {
    const client = await bench.newClient();
    const sibling = await bench.newClient({ projectId: client.projectId });
    const { access } = await issue(client);
    assert.equal((await revoke(sibling, access)).body['error'], 'invalid_grant');
    assert.equal(await isAlive(access), true);
  });

  test('needs a token and a client', async () => {
    const client = await bench.newClient();
    assert.equal((await post(`${here.url}/oauth/revoke`, client, {})).body['error'], 'invalid_request');
    assert.equal((await post(`${here.url}/oauth/revoke`, null, { token: 'x' })).body['error'], 'invalid_client');
  });
});

describe('introspection', () => {
  test('describes an active token to any credential of its project', async () => {
    const client = await bench.newClient();
    const sibling = await bench.newClient({ projectId: client.projectId });
    const issuedAt = Math.floor(bench.clock.now().epochMilliseconds / 1000);
    const { access, refresh } = await issue(client);
    const common = {
      active: true,
      scope: 'read:* write:*',
      client_id: client.clientId,
      sub: client.clientId,
      iss: 'https://energy.test',
      iat: issuedAt,
    };
    const reply = await introspect(sibling, access);
    assert.deepEqual(reply.body, { ...common, token_type: 'Bearer', exp: issuedAt + 3600 });
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.deepEqual((await introspect(client, refresh)).body, { ...common, exp: issuedAt + 30 * 24 * 3600 });
  });

  test('tells nothing of a token that is unknown, foreign, revoked, spent or expired', async () => {
    const client = await bench.newClient();
    const stranger = await bench.newClient();
    const [one, two] = [await issue(client), await issue(client)];
    await revoke(client, one.access);
    await post(`${here.url}/oauth/token`, client, { grant_type: 'refresh_token', refresh_token: one.refresh });
    const inactive = { active: false };
    for (const token of ['x', `es_at_${'a'.repeat(43)}`, one.access, one.refresh]) {
      assert.deepEqual((await introspect(client, token)).body, inactive);
    }
    assert.deepEqual((await introspect(stranger, two.access)).body, inactive);
    bench.clock.pass(3_600_000);
    assert.deepEqual((await introspect(client, two.access)).body, inactive);
    assert.equal((await introspect(client, '')).body['error'], 'invalid_request');
  });
});

test('neither token nor secret is in the database', async () => {
  const client = await bench.newClient();
  const { access, refresh } = await issue(client);
  const tables = await bench.database.query<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  assert.ok(tables.length > 10);
  const [dump] = await bench.database.query<{ text: string }>(sql`
    select string_agg(query_to_xml('select * from ' || name, true, false, '')::text, '') as text
    from unnest(${tables.map(({ name }) => name)}::text[]) name`);
  assert.ok(dump !== undefined);
  assert.ok(dump.text.includes(client.clientId));
  // Bytes are shown in base64 there.
  for (const secret of [client.clientSecret, access, refresh]) {
    assert.equal(dump.text.includes(secret), false);
    assert.equal(dump.text.includes(secret.slice(-43)), false);
    assert.equal(dump.text.includes(Buffer.from(secret).toString('base64')), false);
    assert.equal(dump.text.includes(Buffer.from(secret).toString('hex')), false);
  }
});

test('expired tokens are deleted a few at a time, living ones never', async () => {
  const client = await bench.newClient();
  const old = await issue(client);
  bench.clock.pass(3_600_000);
  const young = await issue(client);
  const deleted: number[] = [];
  do deleted.push(await deleteExpiredTokens(bench, 2));
  while (deleted.at(-1) !== 0);
  assert.ok(deleted.every((count) => count <= 2));
  assert.equal(await isAlive(young.access), true);
  const { status } = await post(`${here.url}/oauth/token`, client, {
    grant_type: 'refresh_token',
    refresh_token: old.refresh,
  });
  assert.equal(status, 200);
});

test('the metadata name every endpoint below the issuer', async () => {
  const response = await fetch(`${here.url}/.well-known/oauth-authorization-server`);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  const metadata = (await response.json()) as Record<string, unknown>;
  assert.equal(metadata['issuer'], 'https://energy.test');
  assert.equal(metadata['token_endpoint'], 'https://energy.test/oauth/token');
  assert.equal(metadata['revocation_endpoint'], 'https://energy.test/oauth/revoke');
  assert.equal(metadata['introspection_endpoint'], 'https://energy.test/oauth/introspect');
  assert.deepEqual(metadata['grant_types_supported'], ['client_credentials', 'refresh_token']);
  assert.deepEqual(metadata['response_types_supported'], []);
});
