import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { revokeCredential } from '#features/projects/index.ts';
import { DatabaseUnavailable } from '#platform/database/errors.ts';
import { createRateLimiter } from '#platform/http/rate-limit.ts';
import { describeError } from '#platform/log.ts';
import {
  basic,
  post,
  startOauthBench,
  type OauthBench,
  type OauthInstance,
  type OauthReply,
} from '#test/support/oauth.ts';

let bench: OauthBench;
let instance: OauthInstance;
let tokenUrl: string;

before(async () => {
  bench = await startOauthBench();
  instance = await bench.newInstance();
  tokenUrl = `${instance.url}/oauth/token`;
});
after(() => bench.stop());

const FIRST = { grant_type: 'client_credentials' };

function assertRefused(reply: OauthReply, status: number, error: string): void {
  assert.equal(reply.body['error'], error);
  assert.equal(reply.status, status);
  assert.deepEqual(Object.keys(reply.body), ['error', 'error_description']);
  assert.match(String(reply.body['error_description']), /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  assertNotKept(reply);
}

function assertNotKept({ headers }: OauthReply): void {
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('pragma'), 'no-cache');
  assert.match(headers.get('x-request-id') ?? '', /^req_/);
}

describe('client credentials', () => {
  test('give an access and a refresh token', async () => {
    const client = await bench.newClient();
    const reply = await post(tokenUrl, client, FIRST);
    assert.equal(reply.status, 200);
    assertNotKept(reply);
    const { access_token: accessToken, refresh_token: refreshToken, ...rest } = reply.body;
    assert.match(String(accessToken), /^es_at_[A-Za-z0-9_-]{43}$/);
    assert.match(String(refreshToken), /^es_rt_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'read:* write:*' });
    const caller = await instance.oauth.authenticate(String(accessToken));
    assert.equal(caller?.mode, 'sandbox');
    assert.deepEqual(caller?.scopes, ['read:*', 'write:*']);
    assert.equal(caller?.apiVersion, '2026-11-21');
  });

  test('give a token that expires with the credential when that is sooner', async () => {
    const client = await bench.newClient({ expiresAt: bench.clock.now().add({ seconds: 90 }) });
    const { body } = await post(tokenUrl, client, FIRST);
    assert.equal(body['expires_in'], 90);
    bench.clock.pass(30_500);
    const refreshing = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
    assert.equal((await post(tokenUrl, client, refreshing)).body['expires_in'], 59);
  });

  test('that have less than a second left give no token, which would be dead at once, and spend none', async () => {
    const client = await bench.newClient({ expiresAt: bench.clock.now().add({ seconds: 90 }) });
    const { body } = await post(tokenUrl, client, FIRST);
    const refreshing = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
    bench.clock.pass(89_000);
    assert.equal((await post(tokenUrl, client, FIRST)).body['expires_in'], 1);
    bench.clock.pass(1);
    const refused: OauthReply[] = [];
    for (const asked of [FIRST, refreshing, { grant_type: 'password' }]) {
      refused.push(await post(tokenUrl, client, asked));
    }
    const described = await post(`${instance.url}/oauth/introspect`, client, { token: String(body['refresh_token']) });
    assert.equal(described.body['active'], true);
    bench.clock.pass(1_000);
    const expired = await post(tokenUrl, client, FIRST);
    for (const reply of refused) {
      assertRefused(reply, 401, 'invalid_client');
      assert.equal(reply.headers.get('www-authenticate'), 'Basic realm="wattline"');
      assert.deepEqual(reply.body, expired.body);
    }
  });

  test('are refused beyond the allowance of the credential, at every endpoint, and write nothing', async () => {
    const { url } = await bench.newInstance({ rateLimiter: createRateLimiter(2) });
    const [client, other] = [await bench.newClient(), await bench.newClient()];
    const ask = (path: string, by = client): Promise<OauthReply> =>
      post(`${url}/oauth/${path}`, by, { ...FIRST, token: 'es_at_x' });
    const allowance = ({ headers }: OauthReply): unknown[] => [
      headers.get('ratelimit'),
      headers.get('ratelimit-policy'),
    ];
    const policy = '"default";q=4;w=2';
    for (const left of [3, 2, 1, 0]) {
      const granted = await ask('token');
      assert.equal(granted.status, 200);
      assert.deepEqual(allowance(granted), [`"default";r=${left};t=${Math.ceil((4 - left) / 2)}`, policy]);
    }
    const before = bench.statements();
    for (const path of ['token', 'introspect', 'revoke']) {
      const refused = await ask(path);
      assertRefused(refused, 429, 'slow_down');
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.deepEqual(allowance(refused), ['"default";r=0;t=1', policy]);
    }
    assert.equal(bench.statements() - before, 3, 'each asks who the client is');
    assert.equal((await ask('token', other)).status, 200, 'nobody else is held up');
    const malformed = await post(`${url}/oauth/token`, other, { grant_type: 'password' });
    assert.deepEqual([malformed.status, ...allowance(malformed)], [400, '"default";r=2;t=1', policy]);
    const stranger = await ask('token', { ...other, clientSecret: 'wrong' });
    assert.deepEqual([stranger.status, ...allowance(stranger)], [401, null, null], 'nobody is counted');
    bench.clock.pass(500);
    assert.equal((await ask('token')).status, 200);
  });

  test('cost two statements', async () => {
    const client = await bench.newClient();
    const before = bench.statements();
    const { body } = await post(tokenUrl, client, FIRST);
    assert.equal(bench.statements() - before, 2);
    await post(tokenUrl, client, { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) });
    assert.equal(bench.statements() - before, 4);
  });

  test('are accepted raw, form-decoded, and with every character percent-encoded', async () => {
    const client = await bench.newClient({ clientId: 'my-client_1', clientSecret: `${'a-b_'.repeat(10)}x` });
    const everything = (text: string): string =>
      text.replaceAll(/./g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
    const dashes = (text: string): string => text.replaceAll('-', '%2D').replaceAll('_', '%5f');
    for (const encode of [String, everything, dashes]) {
      for (const scheme of ['Basic', 'basic', 'BASIC']) {
        const credentials = basic(encode(client.clientId), encode(client.clientSecret)).replace('Basic', scheme);
        assert.equal((await post(tokenUrl, credentials, FIRST)).status, 200, `${scheme} ${encode.name}`);
      }
    }
  });

  test('are accepted in the body, as a form and as JSON', async () => {
    const { clientId, clientSecret } = await bench.newClient();
    const body = { ...FIRST, client_id: clientId, client_secret: clientSecret };
    assert.equal((await post(tokenUrl, null, body)).status, 200);
    const json = JSON.stringify({ ...body, audience: ['unknown', 'members', 'are', 'ignored'] });
    assert.equal((await post(tokenUrl, null, json, 'application/json')).status, 200);
  });

  test('in two places at once are an invalid request', async () => {
    const client = await bench.newClient();
    const { clientId, clientSecret } = client;
    const both = { ...FIRST, client_id: clientId, client_secret: clientSecret };
    assertRefused(await post(tokenUrl, client, both), 400, 'invalid_request');
    assertRefused(await post(tokenUrl, client, { ...FIRST, client_id: 'another' }), 400, 'invalid_request');
    assert.equal((await post(tokenUrl, client, { ...FIRST, client_id: clientId })).status, 200);
  });

  test('that are wrong, absent, malformed, revoked or expired are answered alike, with a challenge', async () => {
    const client = await bench.newClient();
    const expiring = await bench.newClient({ expiresAt: bench.clock.now().add({ seconds: 60 }) });
    const revoked = await bench.newClient();
    await revokeCredential(bench, revoked);
    assert.equal((await post(tokenUrl, expiring, FIRST)).status, 200);
    bench.clock.pass(60_000);
    const attempts = [
      { ...client, clientSecret: `${client.clientSecret}x` },
      { ...client, clientId: 'nobody' },
      { ...client, clientId: 'nobody\0' },
      { ...client, clientId: '%00' },
      { ...client, clientSecret: '' },
      revoked,
      expiring,
      'Basic ???',
      `Basic ${Buffer.from('no-colon').toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
      'Bearer es_at_x',
      'Basic',
      null,
    ];
    for (const attempt of attempts) {
      const reply = await post(tokenUrl, attempt, FIRST);
      assertRefused(reply, 401, 'invalid_client');
      assert.equal(reply.headers.get('www-authenticate'), 'Basic realm="wattline"');
    }
    const posted = { ...FIRST, client_id: client.clientId, client_secret: 'wrong' };
    assertRefused(await post(tokenUrl, null, posted), 401, 'invalid_client');
  });
});

describe('a request', () => {
  test('with a missing or unknown grant type is refused as RFC 6749 says', async () => {
    const client = await bench.newClient();
    for (const body of ['', 'grant_type=', 'scope=read:*', '&&']) {
      assertRefused(await post(tokenUrl, client, body), 400, 'invalid_request');
    }
    assertRefused(await post(tokenUrl, client, '', null), 400, 'invalid_request');
    for (const grantType of [
      'password',
      'authorization_code',
      'CLIENT_CREDENTIALS',
      'client_credentials ',
      '__proto__',
    ]) {
      assertRefused(await post(tokenUrl, client, { grant_type: grantType }), 400, 'unsupported_grant_type');
    }
  });

  test('with a repeated parameter, known or not, is invalid', async () => {
    const client = await bench.newClient();
    const form = 'grant_type=client_credentials';
    for (const body of [
      `${form}&${form}`,
      `${form}&x=1&x=2`,
      `${form}&grant%5Ftype=password`,
      `${form}&scope&scope=read:*`,
    ]) {
      assertRefused(await post(tokenUrl, client, body), 400, 'invalid_request');
    }
    const json = '{"grant_type":"client_credentials","grant_type":"client_credentials"}';
    assertRefused(await post(tokenUrl, client, json, 'application/json'), 400, 'invalid_request');
  });

  test('that is not percent-encoded UTF-8 is invalid', async () => {
    const client = await bench.newClient();
    const form = 'grant_type=client_credentials';
    for (const body of [`${form}&x=%`, `${form}&x=%zz`, `${form}&%f=1`, `${form}&x=%ff`, `${form}&x=%ed%a0%80`]) {
      assertRefused(await post(tokenUrl, client, body), 400, 'invalid_request');
    }
    const bytes = Uint8Array.from([...Buffer.from(`${form}&x=`), 0xc3, 0x28]);
    assertRefused(await post(tokenUrl, client, bytes), 400, 'invalid_request');
  });

  test('of another content type, or with JSON that is no object of strings, is invalid', async () => {
    const client = await bench.newClient();
    const form = 'grant_type=client_credentials';
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=latin1', null]) {
      assertRefused(await post(tokenUrl, client, form, type), 400, 'invalid_request');
    }
    for (const body of [
      '[]',
      '"x"',
      'null',
      '{',
      '{"grant_type":1}',
      '{"grant_type":null}',
      '{"grant_type":"\\ud800"}',
      '{}',
    ]) {
      assertRefused(await post(tokenUrl, client, body, 'application/json'), 400, 'invalid_request');
    }
  });

  test('with a Content-Encoding is invalid at every endpoint, packed or not, but for identity', async () => {
    const { clientId, clientSecret } = await bench.newClient();
    const form = new URLSearchParams({ ...FIRST, token: 'x', client_id: clientId, client_secret: clientSecret });
    const json = JSON.stringify(Object.fromEntries(form));
    const send = async (path: string, encoding: string, type: string, body: string): Promise<OauthReply> => {
      const headers = { 'content-type': type, 'content-encoding': encoding };
      const response = await fetch(`${instance.url}/oauth/${path}`, {
        method: 'POST',
        headers,
        body: Buffer.from(body),
      });
      const { status, headers: answered } = response;
      return { status, headers: answered, body: (await response.json()) as OauthReply['body'] };
    };
    for (const path of ['token', 'revoke', 'introspect']) {
      for (const [type, body] of [
        ['application/x-www-form-urlencoded', form.toString()],
        ['application/json', json],
      ] as const) {
        for (const encoding of ['gzip', 'br', 'identity, gzip', 'x']) {
          assertRefused(await send(path, encoding, type, body), 400, 'invalid_request');
        }
        for (const encoding of ['identity', 'Identity', '']) {
          assert.equal((await send(path, encoding, type, body)).status, 200, `${path} ${encoding}`);
        }
      }
    }
  });

  test('is a form whatever its letter case and its charset', async () => {
    const client = await bench.newClient();
    for (const type of [
      'Application/X-WWW-Form-URLencoded;charset=UTF-8',
      'application/x-www-form-urlencoded ; Charset="utf-8"',
      // As Apache HttpClient 5 sends it.
      'application/x-www-form-urlencoded; charset=ISO-8859-1',
    ]) {
      assert.equal((await post(tokenUrl, client, 'grant_type=client_credentials', type)).status, 200, type);
      assertRefused(await post(tokenUrl, client, 'grant_type=client_credentials&x=%e4', type), 400, 'invalid_request');
    }
  });

  test('may carry unknown parameters and empty ones', async () => {
    const client = await bench.newClient();
    const body = 'grant_type=client_credentials&scope=&refresh_token&audience=%C3%A4+b&client_secret=';
    assert.equal((await post(tokenUrl, client, body)).body['scope'], 'read:* write:*');
  });

  test('by GET gives no token and is told to POST', async () => {
    const client = await bench.newClient();
    const response = await fetch(`${tokenUrl}?grant_type=client_credentials`, {
      headers: { authorization: basic(client.clientId, client.clientSecret) },
    });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST');
    const body = (await response.json()) as Record<string, unknown>;
    assertRefused({ status: response.status, headers: response.headers, body }, 405, 'invalid_request');
  });
});

describe('scope', () => {
  test('narrows a token, in any order and once each', async () => {
    const client = await bench.newClient();
    for (const [scope, granted] of [
      ['read:*', 'read:*'],
      ['write:*', 'write:*'],
      ['write:* read:*', 'read:* write:*'],
      ['read:* read:*', 'read:*'],
    ] as const) {
      const { body } = await post(tokenUrl, client, { ...FIRST, scope });
      assert.equal(body['scope'], granted);
      assert.deepEqual((await instance.oauth.authenticate(String(body['access_token'])))?.scopes, granted.split(' '));
    }
  });

  test('that is unknown, malformed or beyond the credential is refused', async () => {
    const client = await bench.newClient({ scopes: ['read:*'] });
    assert.equal((await post(tokenUrl, client, FIRST)).body['scope'], 'read:*');
    for (const scope of [
      'write:*',
      'read:* write:*',
      'admin',
      'read:*  read:*',
      'read:*,write:*',
      'READ:*',
      ' ',
      '\0',
    ]) {
      assertRefused(await post(tokenUrl, client, { ...FIRST, scope }), 400, 'invalid_scope');
    }
  });
});

describe('when the service cannot', () => {
  /** An instance whose database fails in that way, and what it logs. */
  const failing = async (failure: Error): Promise<{ url: string; lines: string[] }> => {
    const lines: string[] = [];
    const log = pino({ serializers: { err: describeError } }, { write: (line: string) => void lines.push(line) });
    const database = { ...bench.database, query: () => Promise.reject(failure) };
    const { url } = await bench.newInstance({ database, log });
    return { url: `${url}/oauth/token`, lines };
  };

  test('reach its database, it says so and when to come back', async () => {
    const client = await bench.newClient();
    const { url, lines } = await failing(new DatabaseUnavailable('away'));
    const reply = await post(url, client, FIRST);
    assertRefused(reply, 503, 'temporarily_unavailable');
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal(lines.length, 1);
  });

  test('because of a defect, it tells nothing, and logs it once without secrets', async () => {
    const client = await bench.newClient();
    const { url, lines } = await failing(new Error('a defect'));
    const reply = await post(url, client, FIRST);
    assertRefused(reply, 500, 'server_error');
    assert.doesNotMatch(JSON.stringify(reply.body), /a defect/);
    assert.equal(lines.length, 1);
    assert.match(lines.join(''), /a defect/);
    assert.equal(lines.join('').includes(client.clientSecret), false);
  });
});

describe('wrong secrets', () => {
  const wrongTimes = async (client: { clientId: string }, times: number): Promise<void> => {
    for (let attempt = 0; attempt < times; attempt += 1) {
      const reply = await post(tokenUrl, { clientId: client.clientId, clientSecret: 'wrong' }, FIRST);
      assertRefused(reply, 401, 'invalid_client');
    }
  };

  test('slow their sender down after ten, a little more each time, and a right one ends it', async () => {
    const client = await bench.newClient();
    await wrongTimes(client, 10);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const reply = await post(tokenUrl, client, FIRST);
      assertRefused(reply, 429, 'slow_down');
      assert.equal(reply.headers.get('retry-after'), String(seconds));
      bench.clock.pass(seconds * 1000);
      await wrongTimes(client, 1);
    }
    bench.clock.pass(60_000);
    assert.equal((await post(tokenUrl, client, FIRST)).status, 200);
    await wrongTimes(client, 9);
    assert.equal((await post(tokenUrl, client, FIRST)).status, 200);
  });

  test('under an id that no client can have are not kept, however many and long', async () => {
    const client = { clientId: `${'x'.repeat(5_000)}é` };
    await wrongTimes(client, 12);
  });

  test('for one client id do not slow another one down', async () => {
    const [client, other] = [await bench.newClient(), await bench.newClient()];
    await wrongTimes(client, 10);
    assert.equal((await post(tokenUrl, client, FIRST)).status, 429);
    assert.equal((await post(tokenUrl, other, FIRST)).status, 200);
  });

  test('count for every endpoint and every way of writing the client id', async () => {
    const { clientId, clientSecret } = await bench.newClient({ clientId: 'throttled-client' });
    const attempts = ['token', 'revoke', 'introspect'].flatMap((path) => [
      post(`${instance.url}/oauth/${path}`, { clientId, clientSecret: 'wrong' }, FIRST),
      post(`${instance.url}/oauth/${path}`, { clientId: 'throttled%2dclient', clientSecret: 'wrong' }, FIRST),
      post(`${instance.url}/oauth/${path}`, null, { ...FIRST, client_id: clientId, client_secret: 'wrong' }),
      post(`${instance.url}/oauth/${path}`, { clientId: '%74hrottled-client', clientSecret: 'wrong' }, FIRST),
    ]);
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [...Array.from({ length: 10 }, () => 401), 429, 429],
    );
    assert.equal((await post(tokenUrl, { clientId, clientSecret }, FIRST)).status, 429);
  });

  test('sent all at once reveal nothing after the tenth', async () => {
    const client = await bench.newClient();
    const wrong = { clientId: client.clientId, clientSecret: 'wrong' };
    const replies = await Promise.all(Array.from({ length: 40 }, () => post(tokenUrl, wrong, FIRST)));
    assert.equal(replies.filter(({ status }) => status === 401).length, 10);
    assert.equal(replies.filter(({ status }) => status === 429).length, 30);
  });
});
