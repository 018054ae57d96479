/**
 * Every example of the API reference. That the bodies of requests work is proven in reference.test.ts, the commands of the
 * pages are run by process/documentation.test.ts.
 */
import assert from 'node:assert/strict';
import { Ajv2020, type Format } from 'ajv/dist/2020.js';
import { after, before, describe, test } from 'node:test';
import { formats } from '#features/formats.ts';
import { signUp, signUpBody, type Json } from './support/builders.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let document: Json;
let ajv: Ajv2020;

before(async () => {
  service = await startService();
  document = (await service.call('GET', '/openapi.json')).json;
  const named = Object.fromEntries(
    Object.entries(formats).map(([name, { type, test }]) => [name, { type, validate: test } as Format]),
  );
  // A document holds more than schemas.
  ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true, ...named } });
  ajv.addSchema(document, 'openapi');
});
after(() => service.stop());

/** A member of a JSON document with the JSON Pointer to it. */
interface Place {
  readonly pointer: string;
  readonly node: Json;
}

/** Every object of the document, outside of examples. */
function* places(node: Json = document, pointer = ''): Generator<Place> {
  if (typeof node !== 'object' || node === null) return;
  yield { pointer, node };
  for (const [name, member] of Object.entries(node)) {
    if (name === 'example' || name === 'examples') continue;
    yield* places(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** What is wrong with a value by the schema at a place. */
function faults(pointer: string, value: unknown): unknown {
  const validate = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
  return validate(value) ? null : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const operations = (): { method: string; path: string; operation: Json }[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ method, path, operation })),
  );

describe('an example in the API reference', () => {
  test('of a member, a parameter, a body or an answer is what its schema says', () => {
    let count = 0;
    for (const { pointer, node } of places()) {
      const values: unknown[] = 'example' in node ? [node.example] : [];
      if (typeof node.examples === 'object') {
        values.push(...Object.values<Json>(node.examples).map((example) => example.value ?? example));
      }
      const schema = 'schema' in node ? `${pointer}/schema` : pointer;
      for (const value of values) {
        count += 1;
        assert.equal(faults(schema, value), null, `${pointer}: ${JSON.stringify(value)}`);
      }
    }
    assert.ok(count > 200, `only ${count}`);
  });

  test('of a form is accepted by OAuth as it stands, with tokens that exist', async () => {
    const { clientId, clientSecret } = service.client;
    const ask = async (path: string, form: Record<string, string>): Promise<Response> =>
      fetch(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams(form),
      });
    const forms = operations().flatMap(({ path, operation }) => {
      const media = operation.requestBody?.content['application/x-www-form-urlencoded'];
      return Object.values<Json>(media?.examples ?? {}).map(({ value }) => ({ path, form: value, operation }));
    });
    assert.ok(forms.length >= 5);
    for (const { path, form, operation } of forms) {
      const issued = (await (await ask('/oauth/token', { grant_type: 'client_credentials' })).json()) as Json;
      const exists = (text: string): string =>
        text.replace(/^es_at_.+/, issued.access_token).replace(/^es_rt_.+/, issued.refresh_token);
      const entries = Object.entries<string>(form).map(([name, value]) => [name, exists(value)]);
      const reply = await ask(path, Object.fromEntries(entries));
      const answer: unknown = await reply.json();
      assert.equal(reply.status, 200, `${operation.operationId}: ${JSON.stringify(answer)}`);
      const schema = `/paths/${path.replaceAll('/', '~1')}/post/responses/200/content/application~1json/schema`;
      assert.equal(faults(schema, answer), null, operation.operationId);
    }
  });

  test('of a parameter is not refused', async () => {
    const { id } = await signUp(service);
    const owned: Record<string, string> = { '/subscriptions/{id}': id, '/plans/{id}': service.planId };
    let count = 0;
    for (const { method, path, operation } of operations()) {
      for (const { name, in: place, schema, example = schema.example } of operation.parameters ?? []) {
        if (example === undefined || place === 'path') continue;
        count += 1;
        const [collection = ''] = /^\/[^/]+\/\{id\}/.exec(path) ?? [];
        const where = path.replace('{id}', owned[collection] ?? 'x');
        const query = place === 'query' ? `?${name}=${encodeURIComponent(String(example))}` : '';
        const headers: Record<string, string> = place === 'header' ? { [name]: String(example) } : {};
        const reply = await service.call(method.toUpperCase(), `${where}${query}`, { headers });
        // An instant of the example may lie before everything that is there.
        const isFine = reply.status === 200 || (name === 'as_of' && reply.status === 404);
        assert.ok(isFine, `${operation.operationId} ${name}: ${reply.text}`);
      }
    }
    assert.ok(count >= 2, `only ${count}`);
  });
});

describe('variants in the API reference', () => {
  test('are told apart by `oneOf`: generators of clients know no `if`', () => {
    const conditional = [...places()].filter(({ node }) => !Array.isArray(node) && ('if' in node || 'then' in node));
    assert.deepEqual(
      conditional.map(({ pointer }) => pointer),
      [],
    );
  });

  test('accept exactly what a sign-up accepts', async () => {
    const contact = { first_name: 'Erika', last_name: 'Mustermann', email: 'erika@example.com' };
    const customers = [undefined, 'person', 'company', 'robot', null].flatMap((type) =>
      [undefined, 'Muster GmbH', 1].flatMap((name) => [
        { customer: { ...contact, type, company_name: name } },
        { customer: { ...contact, first_name: undefined, type, company_name: name } },
      ]),
    );
    const orders = [undefined, 'smart-meter', '14a_enwg', 'sunshine'].flatMap((type) =>
      [undefined, { module_1: true }, { module_4: true }, 1].map((modules) => ({
        product_orders: [{ type, '14a_enwg': modules }],
      })),
    );
    const { id: plan } = (
      await service.call('POST', '/plans', { body: { name: 'All', price: 1, products: ['smart-meter', '14a_enwg'] } })
    ).json;
    for (const overrides of [...customers, ...orders]) {
      // As JSON: members that are undefined are absent.
      const body: Json = JSON.parse(JSON.stringify(signUpBody(plan, overrides)));
      const reply = await service.call('POST', '/subscriptions', { body });
      assert.ok(reply.status === 201 || reply.status === 400, reply.text);
      const isAccepted = faults('/components/schemas/SignUp', body) === null;
      assert.equal(isAccepted, reply.status === 201, `${JSON.stringify(overrides)}: ${reply.text}`);
    }
  });
});
