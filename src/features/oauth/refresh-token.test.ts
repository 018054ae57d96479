import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeCredential } from '#features/projects/index.ts';
import { sha256 } from '#platform/crypto.ts';
import { sql } from '#platform/database/sql.ts';
import { parseId } from '#domain/identifiers.ts';
import {
  post,
  startOauthBench,
  type OauthBench,
  type OauthInstance,
  type OauthReply,
  type TestClient,
} from '#test/support/oauth.ts';
import { eventually } from '#test/support/process.ts';
import { selectClient, selectToken, spendRefreshToken, updateFamilyRevoked } from './store.ts';
import { mintPair } from './tokens.ts';

let bench: OauthBench;
let instance: OauthInstance;

before(async () => {
  bench = await startOauthBench();
  instance = await bench.newInstance();
});
after(() => bench.stop());

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

function tokensOf({ status, body }: OauthReply): Tokens {
  assert.equal(status, 200, JSON.stringify(body));
  return { access: String(body['access_token']), refresh: String(body['refresh_token']), scope: String(body['scope']) };
}

async function first(client: TestClient, scope?: string): Promise<Tokens> {
  const body = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  return tokensOf(await post(`${instance.url}/oauth/token`, client, body));
}

function refresh(client: TestClient, refreshToken: string, scope?: string): Promise<OauthReply> {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken, ...(scope === undefined ? {} : { scope }) };
  return post(`${instance.url}/oauth/token`, client, body);
}

async function isAlive(accessToken: string): Promise<boolean> {
  return (await instance.oauth.authenticate(accessToken)) !== null;
}

function assertRefused(reply: OauthReply, error: string): void {
  assert.equal(reply.body['error'], error);
  assert.equal(reply.status, 400);
}

test('a refresh gives new tokens and leaves the earlier access token alive', async () => {
  const client = await bench.newClient();
  const one = await first(client);
  const two = tokensOf(await refresh(client, one.refresh));
  assert.notEqual(two.refresh, one.refresh);
  assert.notEqual(two.access, one.access);
  assert.equal(await isAlive(one.access), true);
  assert.equal(await isAlive(two.access), true);
  const three = tokensOf(await refresh(client, two.refresh));
  assert.equal(await isAlive(three.access), true);
});

test('a refresh that the database undoes in favour of somebody else is to be sent again, and works then', async () => {
  const client = await bench.newClient();
  const one = await first(client);
  const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%with spent as%'`;
  const undone = await bench.database.transaction(async (transaction) => {
    // So that it is the refresh that finds the two waiting for each other.
    await transaction.query(sql`set local deadlock_timeout = '1min'`);
    await transaction.query(sql`select from credentials where id = ${parseId('crd', client.id)} for update`);
    const reply = refresh(client, one.refresh);
    await eventually(async () => (await bench.database.query(waiting)).length > 0, 'it waits for the credential');
    await transaction.query(sql`select from tokens where hash = ${sha256(one.refresh)} for update`);
    return reply;
  });
  assert.deepEqual([undone.status, undone.body['error']], [503, 'temporarily_unavailable']);
  tokensOf(await refresh(client, one.refresh));
});

test('using a spent refresh token revokes the whole family at once, and no other', async () => {
  const client = await bench.newClient();
  const one = await first(client);
  const other = await first(client);
  const two = tokensOf(await refresh(client, one.refresh));
  const three = tokensOf(await refresh(client, two.refresh));
  assertRefused(await refresh(client, one.refresh), 'invalid_grant');
  for (const { access } of [one, two, three]) assert.equal(await isAlive(access), false);
  assertRefused(await refresh(client, three.refresh), 'invalid_grant');
  assert.equal(await isAlive(other.access), true);
  tokensOf(await refresh(client, other.refresh));
});

test('of parallel refreshes with one token exactly one wins, and the others count as reuse', async () => {
  const client = await bench.newClient();
  const { refresh: refreshToken } = await first(client);
  const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(client, refreshToken)));
  const won = replies.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  for (const reply of replies) if (reply !== won[0]) assertRefused(reply, 'invalid_grant');
  // Nobody can tell which of them was the thief.
  for (const reply of won) {
    assert.equal(await isAlive(tokensOf(reply).access), false);
    assertRefused(await refresh(client, tokensOf(reply).refresh), 'invalid_grant');
  }
});

test('a family revoked while it is being refreshed leaves no token alive', async () => {
  const client = await bench.newClient();
  const one = await first(client);
  const hash = sha256(one.refresh);
  const now = bench.clock.now();
  const row = await selectClient(bench.database, client.clientId, now.toString());
  const token = await selectToken(bench.database, hash);
  assert.ok(row !== undefined && token !== undefined);
  const { accessToken, refreshToken, pair } = mintPair(now);
  const underWay: Promise<void>[] = [];
  await bench.database.transaction(async (transaction) => {
    assert.ok(await spendRefreshToken(transaction, row, hash, null, pair));
    underWay.push(updateFamilyRevoked(bench.database, token.family_id, now.toString()));
    await untilSomebodyWaits();
  });
  await Promise.all(underWay);
  assert.equal(await isAlive(accessToken), false);
  assert.equal(await isAlive(one.access), false);
  assertRefused(await refresh(client, refreshToken), 'invalid_grant');
});

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const waiting = await bench.database.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (waiting.length > 0) return;
  }
}

test('a refresh token of another client is refused and stays usable for its owner', async () => {
  const owner = await bench.newClient();
  const sibling = await bench.newClient({ projectId: owner.projectId });
  const stranger = await bench.newClient();
  const one = await first(owner);
  for (const other of [sibling, stranger]) assertRefused(await refresh(other, one.refresh), 'invalid_grant');
  const two = tokensOf(await refresh(owner, one.refresh));
  for (const other of [sibling, stranger]) assertRefused(await refresh(other, one.refresh), 'invalid_grant');
  assert.equal(await isAlive(two.access), true);
  tokensOf(await refresh(owner, two.refresh));
});

test('a refresh narrows the access token only; the grant stays what it was and can never be widened', async () => {
  const client = await bench.newClient();
  const one = await first(client);
  const two = tokensOf(await refresh(client, one.refresh, 'read:*'));
  assert.equal(two.scope, 'read:*');
  assert.deepEqual((await instance.oauth.authenticate(two.access))?.scopes, ['read:*']);
  const three = tokensOf(await refresh(client, two.refresh));
  assert.equal(three.scope, 'read:* write:*');

  const narrow = await first(client, 'read:*');
  assertRefused(await refresh(client, narrow.refresh, 'read:* write:*'), 'invalid_scope');
  assertRefused(await refresh(client, narrow.refresh, 'write:*'), 'invalid_scope');
  assertRefused(await refresh(client, narrow.refresh, 'admin'), 'invalid_scope');
  // A refused scope has not spent the token.
  assert.equal(tokensOf(await refresh(client, narrow.refresh)).scope, 'read:*');
});

test('what is no refresh token is refused', async () => {
  const client = await bench.newClient();
  const { access } = await first(client);
  for (const text of [access, 'x', `es_rt_${'a'.repeat(43)}`, '\0', 'ä'.repeat(1000)]) {
    assertRefused(await refresh(client, text), 'invalid_grant');
  }
  const missing = await post(`${instance.url}/oauth/token`, client, { grant_type: 'refresh_token' });
  assertRefused(missing, 'invalid_request');
  assert.equal(await isAlive(access), true);
});

test('a refresh token lives 30 days to the second, and 30 more after each use', async () => {
  const client = await bench.newClient();
  const days = 30 * 24 * 3600 * 1000;
  const [one, late] = [await first(client), await first(client)];
  bench.clock.pass(days - 1);
  const two = tokensOf(await refresh(client, one.refresh));
  bench.clock.pass(1);
  assertRefused(await refresh(client, late.refresh), 'invalid_grant');
  bench.clock.pass(days - 2);
  tokensOf(await refresh(client, two.refresh));
});

test('the tokens of a revoked or expired credential give nothing any more', async () => {
  const revoked = await bench.newClient();
  const expiring = await bench.newClient({ expiresAt: bench.clock.now().add({ minutes: 10 }) });
  const [one, two] = [await first(revoked), await first(expiring)];
  await revokeCredential(bench, revoked);
  bench.clock.pass(1000);
  assert.equal(await isAlive(one.access), false);
  assert.equal(await isAlive(two.access), true);
  bench.clock.pass(10 * 60_000 - 1001);
  assert.equal(await isAlive(two.access), true);
  bench.clock.pass(1);
  assert.equal(await isAlive(two.access), false);
  for (const [client, tokens] of [
    [revoked, one],
    [expiring, two],
  ] as const) {
    assert.equal((await refresh(client, tokens.refresh)).body['error'], 'invalid_client');
  }
});
