import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
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
