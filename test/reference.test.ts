import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { formatId } from '#domain/identifiers.ts';
import { createCredential } from '#features/projects/index.ts';
import { oauthErrors } from '#features/oauth/index.ts';
import { marketProblems } from '#features/problems.ts';
import { documentedCodes } from '#features/reference/index.ts';
import { templateOf } from '#platform/http/openapi.ts';
import { signUp, type Json } from './support/builders.ts';
import { send, startService, type CallOptions, type Reply, type TestService } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: { readonly minimum?: number; readonly maximum?: number };
  }[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly example?: unknown; readonly examples?: unknown }>;
  };
  readonly responses: Record<string, { readonly headers?: Record<string, unknown>; readonly content?: Json }>;
}

let service: TestService;

describe('the API reference', () => {
  let paths: Record<string, Record<string, Operation>>;
  let schemas: Json;
  before(async () => {
    service = await startService({ RATE_LIMIT: '100000' });
    const document = (await send(service.baseUrl, 'GET', '/openapi.json')).json;
    paths = document.paths;
    schemas = document.components.schemas;
  });
  after(() => service.stop());

  test('is valid OpenAPI 3.1 under the recommended rules of redocly', async () => {
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const run = promisify(execFile);
    const options = { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } };
    await run(process.execPath, [cli, 'lint', 'openapi/openapi.json', '--extends', 'recommended'], options);
  });

  test('names every route, each with summary, description, its success and a refusal', () => {
    for (const { method, path, operationId, response } of service.service.app.contracts) {
      const operation = paths[templateOf(path)]?.[method.toLowerCase()];
      assert.equal(operation?.operationId, operationId);
      assert.ok(operation.summary !== '' && operation.description !== '', operationId);
      assert.ok(String(response.status) in operation.responses, operationId);
      assert.ok(
        Object.keys(operation.responses).some((status) => status.startsWith('4')),
        operationId,
      );
    }
  });

  test('names the plain routes too, and nothing that is not there', async () => {
    for (const [path, item] of Object.entries(paths)) {
      for (const method of Object.keys(item)) {
        const reply = await service.call(method.toUpperCase(), path.replaceAll(/\{[a-z_]+\}/g, 'x'), {
          body: method === 'get' ? undefined : {},
        });
        assert.notEqual(reply.status, 405, `${method} ${path}`);
        assert.notEqual(reply.json?.detail, 'There is no such route.', `${method} ${path}`);
      }
    }
    for (const path of ['/health', '/ready', '/oauth/token', '/.well-known/oauth-authorization-server']) {
      assert.ok(path in paths, path);
    }
  });

  test('leaves nothing unsaid: summary and description, an example of each body, a description of each parameter', () => {
    const missing = Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item).flatMap(({ operationId, summary, description, requestBody, parameters = [] }) => {
        const bodies = Object.values(requestBody?.content ?? {});
        const hasExample = bodies.some(({ example, examples }) => example !== undefined || examples !== undefined);
        return [
          ...(summary ? [] : ['summary']),
          ...(description ? [] : ['description']),
          ...(bodies.length === 0 || hasExample ? [] : ['example of its body']),
          ...parameters.filter(({ description }) => !description).map(({ name }) => `description of ${name}`),
          ...(path.match(/\{\w+\}/g) ?? [])
            .filter((name) => !parameters.some((known) => known.in === 'path' && `{${known.name}}` === name))
            .map((name) => `parameter ${name}`),
        ].map((what) => `${operationId}: ${what}`);
      }),
    );
    assert.deepEqual(missing, []);
  });

  test('tells of an ETag, If-None-Match and 304 wherever a GET answers with one, and nowhere else', async () => {
    const ids = await someIds();
    const asked = Object.entries(paths).filter(([path, { get }]) => get !== undefined && pathOf(path, ids) !== null);
    assert.ok(asked.length > 30);
    for (const [path, { get }] of asked) {
      const reply = await service.call('GET', pathOf(path, ids) ?? '');
      assert.equal(reply.status, 200, path);
      assert.deepEqual(untoldHeaders(get, reply), [], path);
      const told = {
        etag: 'ETag' in (get?.responses['200']?.headers ?? {}),
        notModified: '304' in (get?.responses ?? {}),
        condition: get?.parameters?.some(({ name }) => name === 'If-None-Match') ?? false,
        cursor: 'X-Event-Cursor' in (get?.responses['200']?.headers ?? {}),
      };
      const sent = reply.headers.has('etag');
      const cursor = reply.headers.has('x-event-cursor');
      assert.deepEqual(told, { etag: sent, notModified: sent, condition: sent, cursor }, path);
    }
  });

  test('tells of the headers that creations, changes and refusals are answered with', async () => {
    const { id } = await signUp(service);
    const key = { 'idempotency-key': 'reference' };
    const asClient = { client_id: service.client.clientId, client_secret: service.client.clientSecret };
    const requests: [method: string, path: string, options: CallOptions, status: number][] = [
      ['PATCH', '/subscriptions/{id}', { body: { metadata: { a: 1 } }, headers: key }, 200],
      ['PATCH', '/subscriptions/{id}', { body: { metadata: { a: 1 } }, headers: key }, 200],
      ['POST', '/subscriptions/{id}/terminate', { body: {} }, 400],
      ['POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } }, 201],
      ['GET', '/plans', { token: null }, 401],
      ['GET', '/plans', { headers: { accept: 'text/plain' } }, 406],
      ['GET', '/plans', { headers: { 'x-client-request-id': 'mine' } }, 200],
      ['POST', '/plans', { body: 'x', headers: { 'content-encoding': 'gzip' } }, 415],
      ['POST', '/plans', { body: 'x'.repeat(300_000) }, 413],
      ['POST', '/oauth/token', { headers: { 'x-client-request-id': 'mine' } }, 401],
      ['POST', '/oauth/token', { token: null, body: { ...asClient, grant_type: 'client_credentials' } }, 200],
      ['POST', '/oauth/token', { token: null, body: { ...asClient, grant_type: 'password' } }, 400],
      ['POST', '/oauth/introspect', { token: null, body: { ...asClient, token: 'x' } }, 200],
      ['POST', '/oauth/revoke', { token: null, body: { ...asClient, token: 'x' } }, 200],
      ['POST', '/sandbox/clock', { body: { advance_by: 'PT1S' } }, 200],
      ['GET', '/subscriptions/{id}/timeline', {}, 200],
      ['GET', '/health', { headers: { 'x-api-version': 'x' } }, 400],
      ['GET', '/ready', { headers: { 'x-client-request-id': 'x'.repeat(201) } }, 400],
      ['GET', '/health', { headers: { accept: 'text/plain' } }, 200],
    ];
    for (const [method, path, options, status] of requests) {
      const reply = await service.call(method, path.replace('{id}', id), options);
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      assert.deepEqual(untoldHeaders(paths[path]?.[method.toLowerCase()], reply), [], `${method} ${path}`);
    }
    const { responses = {} } = paths['/subscriptions']?.['post'] ?? {};
    for (const name of ['RateLimit', 'RateLimit-Policy']) {
      assert.ok(name in (paths['/oauth/token']?.['post']?.responses['200']?.headers ?? {}), name);
    }
    for (const status of ['409', '429', '503']) assert.ok('Retry-After' in (responses[status]?.headers ?? {}), status);
    for (const path of ['/health', '/ready']) assert.ok(!('406' in (paths[path]?.['get']?.responses ?? {})), path);
  });

  test('tells how long a token lives whose credential is about to expire, and that its last second gives none', async () => {
    const { post } = paths['/oauth/token'] ?? {};
    const { schema } = post?.responses['200']?.content?.['application/json'] ?? {};
    const { minimum, maximum } = schema?.properties?.['expires_in'] ?? {};
    assert.deepEqual([minimum, maximum], [1, 3600]);
    const { foundation } = service.service;
    const ask = async (milliseconds: number): Promise<Reply> => {
      const expiresAt = foundation.clock.now().add({ milliseconds });
      const input = { projectId: formatId('prj', service.projectId), name: 'About to expire', expiresAt };
      const created = await createCredential(foundation, input);
      assert.ok(created.ok);
      const asClient = { client_id: created.clientId, client_secret: created.clientSecret };
      const body = { ...asClient, grant_type: 'client_credentials' };
      const reply = await service.call('POST', '/oauth/token', { token: null, body });
      assert.deepEqual(untoldHeaders(post, reply), []);
      return reply;
    };
    const seconds = (await ask(600_000)).json.expires_in as number;
    assert.ok(seconds >= 500 && seconds <= 600, `${seconds}`);
    const refused = await ask(999);
    assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_client']);
  });

  test('tells of the bounds of limit and wait of the feed', () => {
    const parameters = paths['/events']?.['get']?.parameters ?? [];
    const bounds = parameters.map(({ name, schema: { minimum, maximum } }) => [name, minimum, maximum]);
    assert.deepEqual(
      bounds.filter(([name]) => name === 'limit' || name === 'wait'),
      [
        ['limit', 1, 500],
        ['wait', 0, 30],
      ],
    );
  });

  test('has examples of bodies that work as they stand', async () => {
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const example = operation.requestBody?.content['application/json']?.example;
        if (example === undefined || path.startsWith('/oauth')) continue;
        const id = await idFor(path, operation.operationId ?? '');
        const text = JSON.stringify(example).replaceAll(/pln_[a-z0-9]{26}/g, service.planId);
        const body = JSON.parse(text.replaceAll(/sub_[a-z0-9]{26}/g, id)) as unknown;
        const reply = await service.call(method.toUpperCase(), path.replace('{id}', id), { body });
        assert.ok(reply.status === 200 || reply.status === 201, `${operation.operationId}: ${reply.text}`);
        assert.deepEqual(untoldHeaders(operation, reply), [], operation.operationId);
      }
    }
  });

  test('lets nobody leave the delivery address null or a line of text empty, but where bills go', () => {
    const { SignUp, SubscriptionUpdate, AddressInput } = schemas;
    const { address } = SignUp.properties;
    assert.equal(address.$ref, '#/components/schemas/AddressInput');
    assert.deepEqual([AddressInput.type, AddressInput.description], ['object', 'Where the electricity is delivered.']);
    const lines = Object.entries<Json>(AddressInput.properties).filter(([, { format }]) => format === 'visible-text');
    assert.deepEqual(
      lines.map(([name, { minLength }]) => [name, minLength]),
      [
        ['street', 1],
        ['house_number', 1],
        ['city', 1],
      ],
    );
    const billing = schemas[SubscriptionUpdate.properties.billing_address.$ref.split('/').at(-1)];
    assert.deepEqual(billing.type, ['object', 'null']);
  });

  /** A plan that is not archived, as an example may have left the first one. */
  async function createPlan(): Promise<string> {
    return (await service.call('POST', '/plans', { body: { name: 'At hand', price: 1 } })).json.id;
  }

  async function createLead(members: Json): Promise<Reply> {
    const plan = await createPlan();
    return service.call('POST', '/leads', { body: { plan, address: { zip: '51147' }, ...members } });
  }

  test('asks a lead for no day that only its sign-up needs', async () => {
    const lead = await createLead({ next_possible_start: false });
    assert.equal(lead.status, 201, lead.text);
    for (const name of ['Lead', 'LeadInput', 'LeadUpdate']) {
      const { description } = schemas[name].properties.intended_start_date;
      assert.doesNotMatch(description, /Required/, name);
    }
    assert.match(schemas.SignUp.properties.intended_start_date.description, /Required when `next_possible_start`/);
  });

  test('says that a reason is kept in the audit log where it is, and that an erasure forgets it', async () => {
    const { id } = (await createLead({})).json;
    const headers = { 'x-reason': 'she asked for it' };
    const last = async (): Promise<unknown> => {
      const { operation, reason } = (await service.call('GET', '/audit-log?limit=1')).json.items[0];
      return [operation, reason];
    };
    await service.call('PATCH', `/leads/${id}`, { body: { address: { zip: '10115' } }, headers });
    assert.deepEqual(await last(), ['updateLead', 'she asked for it']);
    await service.call('POST', `/leads/${id}/erase`, { headers });
    assert.deepEqual(await last(), ['eraseLead', null]);
    const told = paths['/leads/{id}/erase']?.['post']?.parameters?.find(({ name }) => name === 'X-Reason');
    assert.match(told?.description ?? '', /audit log.*unless it is an erasure/);
  });

  test('says from which stage on a subscription can be terminated, also to who withdraws too late', async () => {
    const { id } = await signUp(service, { plan: await createPlan() });
    const body = { reason: 'ordinary' };
    const early = await service.call('POST', `/subscriptions/${id}/terminate`, { body });
    assert.deepEqual([early.status, early.json.code], [409, 'not_in_this_stage']);
    assert.match(paths['/subscriptions/{id}/terminate']?.['post']?.description ?? '', /from `stage: confirmed` on/);
    assert.match(marketProblems.withdrawal_period_over.fix, /from `stage: confirmed` on/);
  });

  test('names no format that refuses what is taken and shown: such have names of our own', async () => {
    const body = { name: 'Long notice', price: 1, cancellation_period: 'P1Y2M3W4D' };
    const plan = await service.call('POST', '/plans', { body });
    assert.equal(plan.status, 201, plan.text);
    const { customer } = await signUp(service, {
      plan: plan.json.id,
      customer: { first_name: 'Ä', last_name: 'Ö', email: 'ä@bücher.de' },
    });
    assert.equal((await service.call('GET', `/customers/${customer}`)).json.email, 'ä@bücher.de');
    const formats = new Set(JSON.stringify([paths, schemas]).match(/(?<="format":")[^"]+/g));
    // RFC 3339 combines weeks with nothing, and an address of RFC 5321 is ASCII.
    assert.deepEqual([formats.has('duration'), formats.has('email')], [false, false]);
    const { format, pattern } = schemas.Plan.properties.cancellation_period;
    assert.equal(format, 'cancellation-period');
    for (const period of [body.cancellation_period, 'P1M', 'P0D']) assert.match(period, new RegExp(pattern, 'u'));
    for (const period of ['P', 'PT1H', 'P1D1M']) assert.doesNotMatch(period, new RegExp(pattern, 'u'));
    assert.equal(schemas.Customer.properties.email.format, 'idn-email');
  });

  test('lets through no instant of a request that is refused for its form, as `date-time` would', async () => {
    const asked = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ parameters = [], requestBody }) => [
        ...parameters.map(({ schema }) => schema),
        ...schemasIn(requestBody?.content ?? {}, schemas),
      ]),
    );
    const written = JSON.stringify(asked);
    assert.ok(!written.includes('"date-time"'));
    const patterns = new Set(written.match(/(?<="format":"instant","pattern":")[^"]+/g));
    assert.equal(patterns.size, 1);
    const pattern = new RegExp(String(JSON.parse(`"${[...patterns][0]}"`)), 'u');
    const list = '/subscriptions?filter[created_at][gte]=';
    assert.match('2026-11-21T09:30:00Z', pattern);
    assert.equal((await service.call('GET', `${list}2026-11-21T09:30:00Z`)).status, 200);
    // What clients make of `date-time`: JavaScript's `toISOString`, Java's `OffsetDateTime`, Python's `isoformat`.
    for (const form of ['2026-11-21T09:30:00.000Z', '2026-11-21T09:30Z', '2026-11-21T09:30:00+00:00']) {
      assert.doesNotMatch(form, pattern);
      assert.equal((await service.call('GET', `${list}${encodeURIComponent(form)}`)).status, 400, form);
    }
  });

  test('says of each object which members it has, or that it takes any: generators hold one that says neither to be empty', () => {
    const silent: string[] = [];
    const look = (node: Json, pointer: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const isObject = [node.type].flat().includes('object');
      if (isObject && !('properties' in node) && !('additionalProperties' in node)) silent.push(pointer);
      for (const [name, inner] of Object.entries(node)) if (name !== 'example') look(inner, `${pointer}/${name}`);
    };
    look(schemas, '');
    look(paths, '');
    assert.deepEqual(silent, []);
  });

  test('has patterns that every language can read: none looks ahead or back, or has an escape that RE2 lacks', () => {
    const patterns = new Set(JSON.stringify([paths, schemas]).match(/(?<="pattern":")[^"]+/g));
    assert.ok(patterns.size > 10);
    const peculiar = [...patterns].filter((pattern) => /\(\?<?[=!]|\\\\u/.test(pattern));
    assert.deepEqual(peculiar, []);
  });

  test('has patterns that can stand in the source of a generated client: none holds a character that ends a line there', () => {
    const patterns = JSON.stringify([paths, schemas]).match(/(?<="pattern":")[^"]+/g) ?? [];
    const literals = [...new Set(patterns)].map(
      (pattern) => `/${(JSON.parse(`"${pattern}"`) as string).replaceAll('/', '\\/')}/u`,
    );
    assert.ok(literals.length > 10);
    for (const literal of literals) assert.doesNotThrow(() => new Script(literal), literal);
  });

  test('is served as a page that loads nothing from elsewhere', async () => {
    const page = await send(service.baseUrl, 'GET', '/docs');
    assert.equal(page.status, 200);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    assert.ok(loaded.length >= 3);
    for (const path of loaded) {
      assert.ok(path.startsWith('docs/'), path);
      assert.equal((await send(service.baseUrl, 'GET', `/${path}`)).status, 200, path);
    }
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });

  test('has a page on which every code has its place', async () => {
    const page = await send(service.baseUrl, 'GET', '/docs/errors');
    for (const code of [...Object.keys(documentedCodes.problems), ...Object.keys(documentedCodes.fields)]) {
      assert.ok(page.text.includes(`id="${code}"`), code);
    }
    for (const code of Object.keys(oauthErrors)) assert.ok(page.text.includes(`id="oauth-${code}"`), code);
  });

  test('comes with the description of the market', async () => {
    const { status, text, headers } = await send(service.baseUrl, 'GET', '/docs/market.md');
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/markdown; charset=utf-8']);
    assert.equal(text, readFileSync(new URL('../docs/market.md', import.meta.url), 'utf8'));
  });
});

/** Every schema that a value is described by, those by reference too. */
function schemasIn(value: unknown, schemas: Json): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref: name } = value as { $ref?: string };
  if (name !== undefined) return schemasIn(schemas[name.split('/').at(-1) ?? ''], schemas);
  return [value, ...Object.values(value).flatMap((inner) => schemasIn(inner, schemas))];
}

/** Headers that an answer came with of which the document says nothing there; those of any HTTP are left out. */
function untoldHeaders(operation: Operation | undefined, { status, headers }: Reply): string[] {
  const names = Object.keys(operation?.responses[String(status)]?.headers ?? {});
  const told = new Set(names.map((name) => name.toLowerCase()));
  const common =
    /^(cache-control|connection|content-.*|date|keep-alive|pragma|transfer-encoding|x-content-type-options)$/;
  return [...headers.keys()].filter((name) => !common.test(name) && !told.has(name));
}

/** One of each kind of resource, by the path of its collection. */
async function someIds(): Promise<Readonly<Record<string, string>>> {
  const orders = [{ type: 'smart-meter' }, { type: '14a_enwg', '14a_enwg': { module_1: true } }];
  const subscription = await signUp(service, { product_orders: orders }, '', {
    headers: { 'idempotency-key': 'some-ids' },
  });
  const firstOf = async (path: string): Promise<string> => (await service.call('GET', path)).json.items[0].id as string;
  return {
    '/subscriptions': subscription.id,
    '/customers': subscription.customer,
    '/addresses': subscription.address,
    '/meters': subscription.meter,
    '/payment_methods': subscription.payment_method,
    '/plans': service.planId,
    '/suppliers': await firstOf('/suppliers'),
    '/meter-orders': await firstOf('/meter-orders'),
    '/grid-fee-reductions': await firstOf('/grid-fee-reductions'),
    '/leads': await idFor('/leads', ''),
    '/webhook-endpoints': await idFor('/webhook-endpoints/', ''),
    '/idempotency-keys': 'some-ids',
  };
}

/** The path with the ID of a resource of its kind; null when there is none. */
function pathOf(path: string, ids: Readonly<Record<string, string>>): string | null {
  const [collection = '', rest] = path.split(/\/\{\w+\}/);
  if (rest === undefined) return path;
  const id = ids[collection];
  return id === undefined ? null : `${collection}/${id}${rest}`;
}

/** What the example of an operation can be tried on. */
async function idFor(path: string, operation: string): Promise<string> {
  if (path.startsWith('/plans')) return service.planId;
  if (path.startsWith('/leads')) {
    const body = { plan: service.planId, address: { zip: '51147' } };
    return (await service.call('POST', '/leads', { body })).json.id as string;
  }
  if (path.startsWith('/customers/')) return (await signUp(service)).customer as string;
  if (!path.startsWith('/webhook-endpoints/')) return subscriptionFor(operation);
  const created = await service.call('POST', '/webhook-endpoints', { body: { url: 'https://example.com/webhooks' } });
  return created.json.id as string;
}

/** A subscription in a stage in which the example of an operation works. */
async function subscriptionFor(operation: string): Promise<string> {
  const { id } = await signUp(service);
  if (operation === 'terminateSubscription') {
    await service.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } });
  }
  return id as string;
}

test('no code stands in the source that is not documented, and none is documented that is not there', () => {
  // None of these answers a request: commands, imports; codes of the market are those of its messages.
  const apart = /\.test\.ts$|^cli|import|csv|^domain\/market\/|^market\//;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !apart.test(name))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'));
  const written = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/\bcode(?:: |\s*=\s*)'([a-z_0-9]+)'(?! in)/g)].map((match) => match[1] ?? ''),
    ),
  );
  const known = new Set([...Object.keys(documentedCodes.problems), ...Object.keys(documentedCodes.fields)]);
  assert.deepEqual(
    [...written].filter((code) => !known.has(code)),
    [],
  );
  const all = sources.join('\n');
  const unused = Object.keys(documentedCodes.fields).filter((code) => all.split(`'${code}'`).length < 2);
  assert.deepEqual(unused, []);
});
