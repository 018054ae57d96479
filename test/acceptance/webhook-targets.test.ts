/** That no connection is ever made to this machine, however it is spelt: a listener that must see nobody. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { createWebhookClient } from '#features/webhooks/delivery/client.ts';
import { createSafeLookup } from '#features/webhooks/targets.ts';
import { parseId } from '#domain/identifiers.ts';
import { sql } from '#platform/database/sql.ts';
import { until } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { openProject, type WebhookProject } from '../support/webhooks.ts';

/** Spellings of this machine. */
const ADDRESSES = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '127.77.8.9',
  '2130706433',
  '0x7f000001',
  '0x7F.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '00000177.0.0.0x1',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '0',
  '0.0.0.0',
  '0x0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:127.0.0.1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0.0.0.0]',
] as const;
/** Whether the system finds them is its own matter. */
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'l%6fcalhost',
  'api.localhost',
  'localhost.localdomain',
];
const HOSTS = [...ADDRESSES, ...NAMES];
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));

const seen = { connections: 0 };
const listener = createServer((socket) => {
  seen.connections += 1;
  socket.on('error', () => {}).destroy();
});
const state = {} as { service: TestService; port: number; project: WebhookProject };

before(async () => {
  await new Promise<void>((resolve) => listener.listen(0, hasIpv6 ? '::' : '0.0.0.0', resolve));
  state.port = (listener.address() as AddressInfo).port;
  state.service = await startService({ WEBHOOK_PORTS: String(state.port) });
  state.project = await openProject(state.service);
});
after(async () => {
  await state.service.stop();
  await new Promise((resolve) => listener.close(resolve));
});

const urlsOf = (host: string): string[] => ['http', 'https'].map((scheme) => `${scheme}://${host}:${state.port}/hook`);

/** An endpoint that has been given the URL behind the back of the service. */
async function forcedEndpoint(project: WebhookProject, service: TestService, url: string): Promise<string> {
  const { id } = await project.endpoint('https://hooks.example.com/', { types: ['subscription.created'] });
  await service.database.query(sql`
    update webhook_endpoints set url = ${url} where id = ${parseId('whe', id as string)}`);
  return id;
}

const testOf = async (project: WebhookProject, id: string): Promise<string | null> =>
  must(await project.call('POST', `/webhook-endpoints/${id}/test`), 200).error;

describe('the listener of this machine', () => {
  test('is refused in every spelling when an endpoint is created or changed', async () => {
    const { project } = state;
    const { id, url: known } = await project.endpoint('https://hooks.example.com/', { enabled: false });
    for (const url of HOSTS.flatMap(urlsOf)) {
      for (const reply of [
        await project.call('POST', '/webhook-endpoints', { body: { url } }),
        await project.call('PATCH', `/webhook-endpoints/${id}`, { body: { url } }),
      ]) {
        assert.deepEqual(
          [reply.status, reply.json.errors[0].field, reply.json.errors[0].code],
          [400, '/url', 'invalid_target'],
          url,
        );
      }
    }
    assert.equal((await project.readEndpoint(id)).url, known);
    must(await project.call('DELETE', `/webhook-endpoints/${id}`), 204);
    assert.equal(seen.connections, 0);
  });

  test('is not connected to by a test or a delivery, although the database names it', async () => {
    const { service, project } = state;
    const urls = HOSTS.flatMap(urlsOf);
    // A project has at most 20 endpoints.
    while (urls.length > 0) {
      const some = urls.splice(0, 20);
      const ids = await Promise.all(some.map((url) => forcedEndpoint(project, service, url)));
      for (const [index, id] of ids.entries())
        assert.equal(await testOf(project, id), 'forbidden_target', String(some[index]));
      await project.signUp();
      for (const [index, id] of ids.entries()) {
        const own = `filter[endpoint][eq]=${id}`;
        await until('an attempt', async () => (await project.deliveries(own))[0]?.attempts.length > 0);
        const [{ attempts }] = await project.deliveries(own);
        assert.deepEqual([attempts[0].status_code, attempts[0].error], [null, 'forbidden_target'], String(some[index]));
        must(await project.call('DELETE', `/webhook-endpoints/${id}`), 204);
      }
    }
    assert.equal(seen.connections, 0);
  });

  test('is not connected to by way of a name that resolves to it, at once or later', async () => {
    const local = [
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '::1', family: 6 }],
      [{ address: '::ffff:127.0.0.1', family: 6 }],
      [{ address: '0.0.0.0', family: 4 }],
      // Nobody answers at the first one.
      [
        { address: '192.0.3.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ];
    for (const addresses of local) {
      const client = createWebhookClient(createSafeLookup({ allowPrivate: false, resolve: async () => addresses }));
      for (const url of urlsOf('hooks.example.com')) {
        const post = { url, headers: {}, body: Buffer.from('{}') };
        const outcome = await client.post(post, AbortSignal.timeout(10_000));
        assert.deepEqual([outcome?.status, outcome?.error], [null, 'forbidden_target'], JSON.stringify(addresses));
      }
      await client.close();
    }
    assert.equal(seen.connections, 0);
  });

  test('would have seen every address of them: where private targets are allowed, it does', async () => {
    const open = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    const project = await openProject(open);
    const unseen: string[] = [];
    for (const host of ADDRESSES.filter((each) => hasIpv6 || !each.startsWith('['))) {
      const { connections } = seen;
      const { id } = await project.endpoint(`http://${host}:${state.port}/hook`, { types: ['subscription.created'] });
      await testOf(project, id);
      if (seen.connections === connections) unseen.push(host);
      must(await project.call('DELETE', `/webhook-endpoints/${id}`), 204);
    }
    await open.stop();
    assert.deepEqual(unseen, []);
  });
});
