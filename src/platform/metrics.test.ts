import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createMetrics, serveMetrics } from './metrics.ts';

test('metrics are there whatever parameters a monitor adds, and nothing else is', async (context) => {
  const metrics = createMetrics(() => ({ total: 2, idle: 1, waiting: 0 }));
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, async () => []);
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  for (const path of ['/metrics', '/metrics?source=probe', '/metrics?']) {
    const answer = await ask(path);
    assert.equal(answer.status, 200, path);
    assert.match(await answer.text(), /^wattline_database_connections\{state="open"\} 2$/m);
  }
  for (const path of ['/', '/metrics/', '/metrics2', '/?/metrics']) assert.equal((await ask(path)).status, 404, path);
});

test('connections beyond a hundred are closed, however many come', async (context) => {
  const metrics = createMetrics(() => ({ total: 0, idle: 0, waiting: 0 }));
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, async () => []);
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 120 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  context.after(() => sockets.forEach((socket) => socket.destroy()));
  let closed = 0;
  const twenty = Promise.withResolvers<void>();
  for (const socket of sockets) socket.once('close', () => (closed += 1) === 20 && twenty.resolve());
  await twenty.promise;
  assert.equal(await promisify(server.getConnections.bind(server))(), 100);
});
