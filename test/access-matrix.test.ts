/**
 * Every route and method with no token, a useless one, one of the wrong scope, and another project's token and ids. A
 * route that has no row in `support/access-table.ts` fails the first tests.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { formatId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import type { RouteContract } from '#platform/http/contract.ts';
import { templateOf } from '#platform/http/openapi.ts';
import { createOwned, type Owned } from './support/access-owner.ts';
import { accessRows, withoutToken, type AccessRow, type Probe } from './support/access-table.ts';
import {
  fieldErrors,
  otherProject,
  signUp,
  signUpBody,
  withoutRequestId,
  type Json,
  type OtherProject,
} from './support/builders.ts';
import { fetchToken, send, startService, type CallOptions, type Reply, type TestService } from './support/service.ts';

let service: TestService;
let mine: Owned;
let other: OtherProject;
let otherPlan: string;
let readOnly: string;
let writeOnly: string;
let refreshToken: string;

before(async () => {
  service = await startService();
  mine = await createOwned(service);
  other = await otherProject(service);
  otherPlan = (await other.call('POST', '/plans', { body: { name: 'Theirs', price: 1 } })).json.id;
  readOnly = await fetchToken(service.baseUrl, service.client, 'read:*');
  writeOnly = await fetchToken(service.baseUrl, service.client, 'write:*');
  const { clientId, clientSecret } = service.client;
  const response = await fetch(`${service.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  refreshToken = ((await response.json()) as Json).refresh_token;
});
after(() => service.stop());

/** Operations that are no change. */
const CHANGES_NOTHING = new Set(['testWebhookEndpoint']);

function auditOf(reply: Reply): Promise<Json[]> {
  return service.database.query<Json>(sql`
    select operation from audit_log where request_id = ${reply.headers.get('x-request-id')}`);
}

function withParameter(path: string, parameter: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameter}`;
}

/** A change leaves one entry in the audit log, under the id of its request; anything else none. */
async function expectAudit({ operationId, method }: RouteContract, reply: Reply): Promise<void> {
  const entries = await auditOf(reply);
  const expected = method === 'GET' || CHANGES_NOTHING.has(operationId) ? [] : [{ operation: operationId }];
  assert.deepEqual(entries, expected, operationId);
}

function ask(contract: RouteContract, { path, body }: Probe, options: CallOptions): Promise<Reply> {
  return send(service.baseUrl, contract.method, path, { ...(body === undefined ? {} : { body }), ...options });
}

/** Every contract with its row; the first test proves that none is missing. */
function eachRoute(): { contract: RouteContract; row: AccessRow }[] {
  return service.service.app.contracts.flatMap((contract) => {
    const row = accessRows[contract.operationId];
    return row === undefined ? [] : [{ contract, row }];
  });
}

/** `GET /path` of every route of the HTTP server, as its own tree tells it. */
function allRoutes(): string[] {
  const parents: string[] = [];
  return service.service.app.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)$/.exec(line);
      if (match === null) return [];
      const [, indent = '', part = '', methods = ''] = match;
      const depth = indent.length / 4;
      parents.length = depth;
      parents.push(part);
      return methods.split(', ').map((method) => `${method} ${parents.join('')}`);
    });
}

describe('the table is complete', () => {
  test('every operation has a row, and every row an operation', () => {
    const operations = service.service.app.contracts.map(({ operationId }) => operationId);
    assert.deepEqual(operations.toSorted(), Object.keys(accessRows).toSorted());
  });

  test('every route of the server is an operation with a token or is listed as one without', () => {
    const known = [
      ...service.service.app.contracts.map(({ method, path }) => `${method} ${path}`),
      ...Object.keys(withoutToken),
    ];
    const routes = allRoutes().filter((route) => !route.startsWith('HEAD '));
    assert.deepEqual(routes.toSorted(), known.toSorted());
  });

  test('every route stands in the API reference, but the reference itself', () => {
    const { paths } = service.service.app.openapi as { paths: Record<string, Json> };
    const unknown = allRoutes().filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      return method !== 'HEAD' && paths[templateOf(path)]?.[method.toLowerCase()] === undefined;
    });
    const reference = Object.keys(withoutToken).filter((route) => /^GET \/(docs\b|openapi\.json$)/.test(route));
    assert.deepEqual(unknown.toSorted(), reference.toSorted());
  });

  test('HEAD is there exactly where GET is', () => {
    const heads = allRoutes().filter((route) => route.startsWith('HEAD '));
    const gets = allRoutes().filter((route) => route.startsWith('GET '));
    assert.deepEqual(heads.map((route) => route.slice(5)).toSorted(), gets.map((route) => route.slice(4)).toSorted());
  });

  test('every row is refused for a parameter or a member that its operation does not know', async () => {
    const token = await service.token();
    for (const { contract, row } of eachRoute()) {
      const { path, body } = row.own(mine);
      const asked = withParameter(path, 'unknown=1');
      const wrong: [probe: Probe, error: string][] = [
        [{ ...row.own(mine), path: asked }, '?unknown unknown_parameter'],
      ];
      if (contract.method !== 'GET')
        wrong.push([{ path, body: { ...(body as Json), unknown: 1 } }, '/unknown unknown_field']);
      for (const [probe, error] of wrong) {
        const reply = await ask(contract, probe, { token });
        assert.equal(reply.status, 400, `${contract.operationId} ${error}: ${reply.text}`);
        assert.deepEqual(fieldErrors(reply), [error], contract.operationId);
        assert.deepEqual(await auditOf(reply), [], contract.operationId);
      }
    }
  });

  test('every row succeeds for its owner', async () => {
    for (const { contract, row } of eachRoute()) {
      const reply = await ask(contract, row.own(mine), { token: await service.token() });
      await expectAudit(contract, reply);
      assert.equal(reply.status, contract.response.status, `${contract.operationId}: ${reply.text}`);
    }
  });
});

describe('without access', () => {
  test('no token is 401 with a challenge, before anything else is looked at', async () => {
    for (const { contract, row } of eachRoute()) {
      const probes = [row.own(mine), { ...row.own(mine), body: contract.body === undefined ? undefined : '{"wrong' }];
      for (const probe of [...probes, { ...row.own(mine), path: withParameter(row.own(mine).path, 'x=1') }]) {
        const reply = await ask(contract, probe, { token: null });
        assert.equal(reply.status, 401, contract.operationId);
        assert.equal(reply.json.code, 'unauthorized');
        assert.equal(reply.headers.get('www-authenticate'), `Bearer realm="wattline", scope="${contract.access}"`);
        assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
      }
      if (contract.method !== 'GET') continue;
      const head = await fetch(`${service.baseUrl}${row.own(mine).path}`, { method: 'HEAD' });
      assert.equal(head.status, 401, `HEAD ${contract.path}`);
    }
  });

  test('another scheme than Bearer is 401 without an error, as if nothing had come', async () => {
    const token = await service.token();
    const { clientId, clientSecret } = service.client;
    const headers = [`Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`, `Token ${token}`, token];
    for (const { contract, row } of eachRoute()) {
      for (const authorization of headers) {
        const reply = await ask(contract, row.own(mine), { headers: { authorization } });
        assert.equal(reply.status, 401, `${contract.operationId} ${authorization}`);
        assert.equal(reply.headers.get('www-authenticate'), `Bearer realm="wattline", scope="${contract.access}"`);
      }
    }
  });

  test('a token that is none, unknown, or a refresh token is 401 invalid_token', async () => {
    const unknown = `es_at_${'A'.repeat(43)}`;
    const token = await service.token();
    const headers = [
      'Bearer',
      'Bearer ',
      'Bearer garbage',
      `Bearer ${unknown}`,
      `Bearer ${refreshToken}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${token}, Bearer ${token}`,
      'Bearer \u00ff\u00fe',
      `Bearer ${'x'.repeat(8_000)}`,
    ];
    for (const { contract, row } of eachRoute()) {
      for (const authorization of headers) {
        const reply = await ask(contract, row.own(mine), { headers: { authorization } });
        assert.equal(reply.status, 401, `${contract.operationId} ${authorization}`);
        assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer realm="wattline", error="invalid_token"/);
      }
    }
  });

  test('a token in the query or the body is none', async () => {
    const token = await service.token();
    const reply = await send(service.baseUrl, 'GET', `/subscriptions?access_token=${token}`);
    assert.equal(reply.status, 401);
  });

  test('a token that lacks a scope is 403 insufficient_scope, and changes nothing', async () => {
    const lacking = eachRoute().flatMap(({ contract, row }) =>
      contract.access.split(' ').map((scope) => ({ contract, row, token: scope === 'read:*' ? writeOnly : readOnly })),
    );
    for (const { contract, row, token } of lacking) {
      const before = await countRows();
      const reply = await ask(contract, row.own(mine), { token });
      assert.equal(reply.status, 403, contract.operationId);
      assert.equal(reply.json.code, 'insufficient_scope');
      const challenge = `Bearer realm="wattline", error="insufficient_scope", scope="${contract.access}"`;
      assert.equal(reply.headers.get('www-authenticate'), challenge);
      assert.deepEqual(await countRows(), before);
      const garbled = await ask(
        contract,
        { ...row.own(mine), ...(contract.body === undefined ? {} : { body: '{' }) },
        { token },
      );
      assert.equal(garbled.status, 403, 'the scope is asked before the body');
    }
  });

  test('a token of a revoked credential is 401 within two seconds', async () => {
    const { clientId } = other.client;
    await service.database.query(
      sql`update credentials set revoked_at = now() where client_id = ${`${clientId}-none`}`,
    );
    const gone = await otherProject(service);
    assert.equal((await gone.call('GET', '/plans')).status, 200);
    await service.database.query(
      sql`update credentials set revoked_at = now() where client_id = ${gone.client.clientId}`,
    );
    const started = performance.now();
    let { status } = await gone.call('GET', '/plans');
    while (status === 200 && performance.now() - started < 2_000) ({ status } = await gone.call('GET', '/plans'));
    assert.equal(status, 401);
  });
});

describe('with another project’s token', () => {
  test('what is mine answers exactly like what does not exist', async () => {
    for (const { contract, row } of eachRoute()) {
      for (const [foreign, unknown] of row.foreign(mine, otherPlan)) {
        const [one, two] = [
          await ask(contract, foreign, { token: other.token }),
          await ask(contract, unknown, { token: other.token }),
        ];
        const what = `${contract.operationId} ${foreign.path}`;
        assert.equal(one.status, two.status, what);
        const isProblem = one.status >= 400;
        assert.deepEqual(
          isProblem ? withoutRequestId(one) : one.json,
          isProblem ? withoutRequestId(two) : two.json,
          what,
        );
        const names = (reply: Reply): string[] => [...reply.headers.keys()].toSorted();
        assert.deepEqual(names(one), names(two), what);
        for (const value of [mine.customer, 'mustermann', 'DE89']) assert.ok(!one.text.includes(value), what);
      }
    }
    assert.notEqual((await service.call('GET', `/plans/${mine.plan}`)).json.name, 'Stolen');
  });

  test('If-None-Match and If-Match tell nothing about what is mine', async () => {
    const tag = (await service.call('GET', `/plans/${mine.plan}`)).headers.get('etag') ?? '';
    for (const [method, headers] of [
      ['GET', { 'if-none-match': tag }],
      ['GET', { 'if-none-match': '*' }],
      ['PATCH', { 'if-match': tag }],
      ['PATCH', { 'if-match': '"x"' }],
    ] as const) {
      const body = method === 'PATCH' ? { body: { name: 'Stolen' } } : {};
      assert.equal((await other.call(method, `/plans/${mine.plan}`, { headers, ...body })).status, 404);
    }
  });

  test('its lists hold nothing of mine, also expanded', async () => {
    await signUp(service);
    const list = await other.call('GET', '/subscriptions?expand[]=customer&expand[]=payment_method&limit=100');
    assert.deepEqual(list.json.items, []);
    const plans = await other.call('GET', '/plans?limit=100');
    assert.deepEqual(
      plans.json.items.map((plan: Json) => plan.id),
      [otherPlan],
    );
  });

  test('a live project does not see the suppliers of the simulated market, nor sign up with one', async () => {
    const live = await otherProject(service, 'live');
    assert.deepEqual((await live.call('GET', '/suppliers')).json.items, []);
    assert.deepEqual((await live.call('GET', '/suppliers?search=sandbox')).json.items, []);
    const [one, two] = [
      await live.call('GET', `/suppliers/${mine.supplier}`),
      await live.call('GET', `/suppliers/${formatId('mp', randomUUID())}`),
    ];
    assert.equal(one.status, 404);
    assert.deepEqual(withoutRequestId(one), withoutRequestId(two));
    const plan = (await live.call('POST', '/plans', { body: { name: 'Live', price: 1 } })).json.id;
    const body = signUpBody(plan, { previous_supplier: mine.supplier });
    assert.equal((await live.call('POST', '/subscriptions', { body })).json.code, 'invalid_reference');
  });

  test('tokens can be neither introspected, refreshed nor revoked', async () => {
    const basic = Buffer.from(`${other.client.clientId}:${other.client.clientSecret}`).toString('base64');
    const post = async (path: string, form: Record<string, string>): Promise<{ status: number; body: Json }> => {
      const response = await fetch(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams(form),
      });
      return { status: response.status, body: await response.json() };
    };
    const token = await service.token();
    assert.deepEqual(await post('/oauth/introspect', { token }), { status: 200, body: { active: false } });
    assert.deepEqual(await post('/oauth/introspect', { token: refreshToken }), {
      status: 200,
      body: { active: false },
    });
    const refused = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error, 'invalid_grant');
    for (const mineToken of [token, refreshToken])
      assert.equal((await post('/oauth/revoke', { token: mineToken })).status, 200);
    assert.equal((await send(service.baseUrl, 'GET', '/plans', { token })).status, 200);
  });
});

describe('routes without token', () => {
  test('answer as listed, and OAuth asks for the client by Basic', async () => {
    for (const [route, status] of Object.entries(withoutToken)) {
      const [method = '', path = ''] = route.split(' ');
      const reply = await send(service.baseUrl, method, path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(reply.status, status, route);
      assert.match(reply.headers.get('x-request-id') ?? '', /^req_/, route);
      if (status !== 401) continue;
      assert.equal(reply.json.error, 'invalid_client');
      assert.match(reply.headers.get('www-authenticate') ?? '', /^Basic realm=/);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    }
  });

  test('an access token is no client authentication', async () => {
    for (const route of Object.keys(withoutToken).filter((name) => name.startsWith('POST'))) {
      const path = route.slice(5);
      const reply = await send(service.baseUrl, 'POST', path, {
        token: await service.token(),
        body: 'grant_type=client_credentials',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(reply.status, 401, path);
    }
  });
});

describe('what does not exist', () => {
  test('an unknown route is 404, whether or not there is a token', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/subscriptions/',
      '/Subscriptions',
      '/subscriptions/x/y',
      '//subscriptions',
      '/plans/%2F',
      '/docs/assets/../../package.json',
      '/docs/assets/package.json',
    ]) {
      for (const token of [null, await service.token()]) {
        const reply = await send(service.baseUrl, 'GET', path, { token });
        assert.ok([404, 401].includes(reply.status), `${path}: ${reply.status}`);
        assert.equal(reply.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      }
    }
  });

  test('a method that a route lacks is 405 with Allow', async () => {
    const routes = new Map<string, Set<string>>();
    for (const route of allRoutes()) {
      const [method = '', path = ''] = route.split(' ');
      routes.set(path, (routes.get(path) ?? new Set()).add(method));
    }
    for (const [path, methods] of routes) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (methods.has(method)) continue;
        const reply = await send(service.baseUrl, method, path.replaceAll(/:[a-z]+/g, 'x'), {
          token: await service.token(),
        });
        assert.equal(reply.status, 405, `${method} ${path}`);
        const allowed = (reply.headers.get('allow') ?? '').split(', ').toSorted();
        assert.deepEqual(allowed, [...methods].toSorted(), `${method} ${path}`);
      }
    }
  });
});

async function countRows(): Promise<Json> {
  const [row] = await service.database.query<Json>(sql`
    select (select count(*) from subscriptions) as subscriptions, (select count(*) from leads) as leads,
      (select max(revision) from leads) as revision, (select count(*) from plans) as plans,
      (select count(*) from idempotency_keys) as keys, (select max(updated_at) from plans) as changed`);
  return row;
}
