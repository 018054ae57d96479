/** The token, refresh, refused reuse and revocation of every well-known client library, against the whole service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { OAuth2Client, OAuth2HttpError } from '@badgateway/oauth2-client';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { startService, type TestService } from '#test/support/service.ts';

let service: TestService;

before(async () => {
  // Every character that some client encodes.
  service = await startService({
    BOOTSTRAP_CLIENT_ID: 'crd_with-dash_and_line',
    BOOTSTRAP_CLIENT_SECRET: 'es_test_a-b_c-d_e-f_g-h_i-j_k-l_m-n_o-p_q',
  });
});
after(() => service.stop());

/** Whether the API itself takes the token. */
async function opens(token: string | undefined): Promise<boolean> {
  const { status } = await service.call('GET', '/plans', { token: token ?? '' });
  assert.ok(status === 200 || status === 401, `status ${status}`);
  return status === 200;
}

describe('openid-client', () => {
  for (const [name, authentication] of [
    ['Basic', openid.ClientSecretBasic],
    ['the body', openid.ClientSecretPost],
  ] as const) {
    test(`discovers, gets, refreshes, is refused reuse, introspects and revokes with its secret in ${name}`, async () => {
      const { clientId, clientSecret } = service.client;
      const server = new URL(service.baseUrl);
      const options: openid.DiscoveryRequestOptions = { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] };
      const config = await openid.discovery(server, clientId, undefined, authentication(clientSecret), options);

      const first = await openid.clientCredentialsGrant(config, { scope: 'read:*' });
      assert.equal(first.expires_in, 3600);
      assert.equal(await opens(first.access_token), true);
      const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '');
      assert.equal(await opens(second.access_token), true);
      assert.equal((await openid.tokenIntrospection(config, second.access_token)).active, true);
      await assert.rejects(
        openid.refreshTokenGrant(config, first.refresh_token ?? ''),
        (error) => error instanceof openid.ResponseBodyError && error.error === 'invalid_grant' && error.status === 400,
      );
      assert.equal(await opens(second.access_token), false);

      const third = await openid.clientCredentialsGrant(config);
      await openid.tokenRevocation(config, third.access_token);
      assert.equal(await opens(third.access_token), false);
      assert.equal((await openid.tokenIntrospection(config, third.access_token)).active, false);
    });
  }

  test('learns from the challenge that its secret is wrong', async () => {
    const { clientId } = service.client;
    const options: openid.DiscoveryRequestOptions = { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] };
    const wrong = openid.ClientSecretBasic('wrong');
    const config = await openid.discovery(new URL(service.baseUrl), clientId, undefined, wrong, options);
    await assert.rejects(
      openid.clientCredentialsGrant(config),
      (error) =>
        (error instanceof openid.WWWAuthenticateChallengeError || error instanceof openid.ResponseBodyError) &&
        error.status === 401,
    );
  });
});

test('oauth4webapi discovers, gets, refreshes, is refused reuse, introspects and revokes', async () => {
  const { clientId, clientSecret } = service.client;
  const issuer = new URL(service.baseUrl);
  const insecure = { [oauth4webapi.allowInsecureRequests]: true } as const;
  const discovered = await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth4webapi.processDiscoveryResponse(issuer, discovered);
  const client = { client_id: clientId };
  const secret = oauth4webapi.ClientSecretBasic(clientSecret);
  const get = async () => {
    const response = await oauth4webapi.clientCredentialsGrantRequest(server, client, secret, {}, insecure);
    return oauth4webapi.processClientCredentialsResponse(server, client, response);
  };
  const refresh = async (refreshToken = '') => {
    const response = await oauth4webapi.refreshTokenGrantRequest(server, client, secret, refreshToken, insecure);
    return oauth4webapi.processRefreshTokenResponse(server, client, response);
  };

  const first = await get();
  assert.equal(await opens(first.access_token), true);
  const second = await refresh(first.refresh_token);
  assert.equal(await opens(second.access_token), true);
  await assert.rejects(
    refresh(first.refresh_token),
    (error) => error instanceof oauth4webapi.ResponseBodyError && error.error === 'invalid_grant',
  );
  assert.equal(await opens(second.access_token), false);

  const third = await get();
  const described = await oauth4webapi.introspectionRequest(server, client, secret, third.access_token, insecure);
  const introspection = await oauth4webapi.processIntrospectionResponse(server, client, described);
  assert.equal(introspection.active, true);
  const revoked = await oauth4webapi.revocationRequest(server, client, secret, third.refresh_token ?? '', insecure);
  await oauth4webapi.processRevocationResponse(revoked);
  assert.equal(await opens(third.access_token), false);
});

for (const authorizationMethod of ['header', 'body'] as const) {
  for (const bodyFormat of ['form', 'json'] as const) {
    const how = `its secret in the ${authorizationMethod} and a ${bodyFormat} body`;
    test(`simple-oauth2 gets, refreshes, is refused reuse and revokes with ${how}`, async () => {
      const { clientId: id, clientSecret: secret } = service.client;
      const client = new ClientCredentials({
        client: { id, secret },
        auth: { tokenHost: service.baseUrl },
        options: { authorizationMethod, bodyFormat },
      });
      const first = await client.getToken({ scope: 'read:*' });
      assert.equal(await opens(String(first.token['access_token'])), true);
      const second = await first.refresh();
      assert.equal(await opens(String(second.token['access_token'])), true);
      await assert.rejects(first.refresh(), /400/);
      assert.equal(await opens(String(second.token['access_token'])), false);

      const third = await client.getToken({});
      await third.revokeAll();
      assert.equal(await opens(String(third.token['access_token'])), false);
      await assert.rejects(third.refresh(), /400/);
    });
  }
}

for (const authenticationMethod of [
  undefined,
  'client_secret_basic',
  'client_secret_basic_interop',
  'client_secret_post',
] as const) {
  test(`@badgateway/oauth2-client does it all with ${authenticationMethod ?? 'what it finds out itself'}`, async () => {
    const client = new OAuth2Client({
      ...service.client,
      server: service.baseUrl,
      ...(authenticationMethod === undefined ? {} : { authenticationMethod }),
    });
    const first = await client.clientCredentials({ scope: ['read:*', 'write:*'] });
    assert.deepEqual(first.scope, ['read:*', 'write:*']);
    assert.equal(await opens(first.accessToken), true);
    const second = await client.refreshToken(first);
    assert.equal(await opens(second.accessToken), true);
    assert.equal((await client.introspect(second)).active, true);
    await assert.rejects(
      client.refreshToken(first),
      (error) => error instanceof OAuth2HttpError && error.oauth2Code === 'invalid_grant',
    );
    assert.equal(await opens(second.accessToken), false);

    const third = await client.clientCredentials();
    await client.revoke(third, 'refresh_token');
    assert.equal(await opens(third.accessToken), false);
  });
}

test('curl gets, refreshes, is refused reuse and revokes', async () => {
  const { clientId, clientSecret } = service.client;
  const run = promisify(execFile);
  const curl = async (path: string, ...fields: string[]) => {
    const form = fields.flatMap((field) => ['--data-urlencode', field]);
    const url = `${service.baseUrl}/oauth/${path}`;
    const { stdout } = await run('curl', ['-sS', '-u', `${clientId}:${clientSecret}`, ...form, url]);
    return JSON.parse(stdout) as { access_token?: string; refresh_token?: string; error?: string };
  };
  const refresh = (refreshToken = '') => curl('token', 'grant_type=refresh_token', `refresh_token=${refreshToken}`);

  const first = await curl('token', 'grant_type=client_credentials', 'scope=read:* write:*');
  assert.equal(await opens(first.access_token), true);
  const second = await refresh(first.refresh_token);
  assert.equal(await opens(second.access_token), true);
  assert.equal((await refresh(first.refresh_token)).error, 'invalid_grant');
  assert.equal(await opens(second.access_token), false);

  const third = await curl('token', 'grant_type=client_credentials');
  assert.deepEqual(await curl('revoke', `token=${third.access_token ?? ''}`), {});
  assert.equal(await opens(third.access_token), false);
  const { stdout } = await run('curl', [
    '-sS',
    `${service.baseUrl}/oauth/token`,
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
  ]);
  assert.equal(stdout, '405');
});
