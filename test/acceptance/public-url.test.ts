/** Behind a proxy that takes the path of `PUBLIC_URL` away, every link leads through the proxy again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { signUpBody } from '../support/builders.ts';
import { send, startService, type TestService } from '../support/service.ts';

const PREFIX = '/energy';

let service: TestService;
const ports = { service: 0 };
const proxy = createServer((request, response) => {
  const url = request.url ?? '';
  if (!url.startsWith(`${PREFIX}/`)) {
    response.writeHead(502).end();
    return;
  }
  const { method, headers } = request;
  const onward = forward(
    { host: '127.0.0.1', port: ports.service, method, headers, path: url.slice(PREFIX.length) },
    (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    },
  );
  request.pipe(onward);
});

before(async () => {
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  service = await startService({ PUBLIC_URL: `http://127.0.0.1:${port}${PREFIX}/` });
  ports.service = (service.service.app.http.server.address() as AddressInfo).port;
});
after(async () => {
  await service.stop();
  proxy.closeAllConnections();
  proxy.close();
});

/** Where a link leads that stands at a path below the base URL. */
function target(link: string, path: string): string {
  const { href } = new URL(link, `${service.baseUrl}${path}`);
  assert.ok(href.startsWith(`${service.baseUrl}/`), `${link} at ${path} leads to ${href}`);
  return href.slice(service.baseUrl.length);
}

describe('with a path in PUBLIC_URL', () => {
  test('what was created is at its Location, in the repeated answer too', async () => {
    const options = { body: signUpBody(service.planId), headers: { 'idempotency-key': 'where' } };
    for (const replayed of [null, 'true']) {
      const created = await service.call('POST', '/subscriptions', options);
      assert.deepEqual([created.status, created.headers.get('idempotency-replayed')], [201, replayed]);
      const read = await service.call('GET', target(created.headers.get('location') ?? '', '/subscriptions'));
      assert.deepEqual([read.status, read.json.id], [200, created.json.id]);
    }
  });

  test('the OpenAPI document names server and token endpoint below it', async () => {
    const { json } = await send(service.baseUrl, 'GET', '/openapi.json');
    const server: string = json.servers[0].url;
    assert.equal(target(`${server}/health`, '/openapi.json'), '/health');
    const { tokenUrl, refreshUrl } = json.components.securitySchemes.access_token.flows.clientCredentials;
    for (const url of [tokenUrl, refreshUrl]) assert.equal(target(url, '/openapi.json'), '/oauth/token');
    const links = [...json.info.description.matchAll(/\]\((.*?)\)/g)].map(([, link]) => target(link, '/docs'));
    assert.deepEqual(links, ['/docs/errors', '/docs/market.md']);
  });

  test('the reference loads everything that it names', async () => {
    const page = await send(service.baseUrl, 'GET', '/docs');
    const names = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => target(link ?? '', '/docs'));
    assert.equal(names.length, 3);
    for (const name of names) assert.equal((await send(service.baseUrl, 'GET', name)).status, 200, name);
    const script = await send(service.baseUrl, 'GET', '/docs/assets/start.js');
    const [, document = ''] = /new URL\('([^']+)'/.exec(script.text) ?? [];
    assert.equal(target(document, '/docs/assets/start.js'), '/openapi.json');
  });

  test('a refusal names the page about its code, and the authorization server its endpoints', async () => {
    const refused = await service.call('GET', '/subscriptions?nonsense=1');
    assert.equal(target(refused.json.type, '/subscriptions'), '/docs/errors#unknown_parameter');
    const { json } = await send(service.baseUrl, 'GET', '/.well-known/oauth-authorization-server');
    assert.equal(json.issuer, service.baseUrl);
    assert.equal(target(json.token_endpoint, '/'), '/oauth/token');
  });
});
