/** Targets over TLS: sent to when their certificate is trusted and theirs, and told nothing otherwise. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { createAuthority, selfSigned, type Certified } from '#test/support/certificates.ts';
import { temporaryFolder } from '#test/support/process.ts';
import { startReceiver, until } from '#test/support/receiver.ts';
import { must } from '#test/support/sandbox.ts';
import { isVerified, startWebhookProcess, type WebhookProject } from '#test/support/webhooks.ts';

const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '3600' };
const suite = { after };
const folder = temporaryFolder(suite, 'tls');
const authority = createAuthority('An authority for tests');
const stranger = createAuthority('Another authority for tests');
const names = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
const projects = {} as { trusting: WebhookProject; usual: WebhookProject };

before(async () => {
  const file = join(folder, 'authority.pem');
  writeFileSync(file, authority.cert);
  const [trusting, usual] = await Promise.all([
    startWebhookProcess(suite, { ...SETTINGS, NODE_EXTRA_CA_CERTS: file }),
    startWebhookProcess(suite, SETTINGS),
  ]);
  Object.assign(projects, { trusting: trusting.project, usual: usual.project });
});

/** Speaks TLS with this certificate, or nothing of the kind; counts connections and what is sent on them. */
async function startTarget(
  tls: Certified | null,
): Promise<{ port: number; seen: { connections: number; bytes: number } }> {
  const seen = { connections: 0, bytes: 0 };
  const server =
    tls === null
      ? createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 204 No Content\r\n\r\n'))
      : createTlsServer({ ...tls }, (socket) => {
          socket.on('error', () => {}).on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
        });
  server.on('connection', () => (seen.connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

/** What became of the first attempt on a new endpoint. */
async function attemptOn(project: WebhookProject, url: string): Promise<unknown[]> {
  const { id } = await project.endpoint(url, { types: ['subscription.created'] });
  const [subscription] = await project.signUp();
  const own = `filter[endpoint][eq]=${id}`;
  await until('an attempt', async () => (await project.deliveries(own))[0]?.attempts.length > 0);
  const [delivery] = await project.deliveries(own);
  assert.equal(delivery.subscription, subscription);
  const tested = must(await project.call('POST', `/webhook-endpoints/${id}/test`), 200);
  assert.equal(tested.error, delivery.attempts[0].error);
  await project.call('DELETE', `/webhook-endpoints/${id}`);
  return [delivery.state, delivery.attempts[0].status_code, delivery.attempts[0].error];
}

describe('a target over TLS', () => {
  for (const host of ['https://127.0.0.1', 'https://localhost', 'HTTPS://LocalHost']) {
    test(`whose authority NODE_EXTRA_CA_CERTS names is sent to, as ${host}, and verifies what it gets`, async () => {
      const receiver = await startReceiver(undefined, 0, authority.certify(names));
      after(() => receiver.close());
      const url = `${host}:${receiver.port}/hook`;
      assert.deepEqual(await attemptOn(projects.trusting, url), ['succeeded', 204, null]);
      assert.deepEqual(
        receiver.received.map(({ event }) => event.type),
        ['subscription.created', 'webhook_endpoint.test'],
      );
      const { id, secret } = await projects.trusting.endpoint(url);
      await projects.trusting.signUp();
      await until('another', () => receiver.received.length === 3);
      const last = receiver.received.at(-1);
      assert.ok(last !== undefined && isVerified(last, secret));
      await projects.trusting.call('DELETE', `/webhook-endpoints/${id}`);
    });
  }

  const refused: Record<string, () => Certified | null> = {
    'signed by itself': () => selfSigned(names),
    'of an authority that nobody trusts': () => stranger.certify(names),
    'of another host': () => authority.certify({ dnsNames: ['hooks.example.com'], addresses: ['127.0.0.2'] }),
    'of no host': () => authority.certify({}),
    'that has expired': () => authority.certify({ ...names, validDays: { from: -30, to: -1 } }),
    'that is not valid yet': () => authority.certify({ ...names, validDays: { from: 1, to: 30 } }),
    'that does not come, for it speaks plain HTTP': () => null,
  };
  for (const [what, certify] of Object.entries(refused)) {
    test(`with a certificate ${what} is told nothing, and tls_failed is noted`, async () => {
      const { port, seen } = await startTarget(certify());
      for (const host of ['127.0.0.1', 'localhost']) {
        const result = await attemptOn(projects.trusting, `https://${host}:${port}/hook`);
        assert.deepEqual(result, ['pending', null, 'tls_failed']);
      }
      assert.ok(seen.connections >= 4);
      assert.equal(seen.bytes, 0);
    });
  }

  test('is told nothing by a service that was not told of its authority', async () => {
    const { port, seen } = await startTarget(authority.certify(names));
    assert.deepEqual(await attemptOn(projects.usual, `https://127.0.0.1:${port}/`), ['pending', null, 'tls_failed']);
    assert.equal(seen.bytes, 0);
  });
});
