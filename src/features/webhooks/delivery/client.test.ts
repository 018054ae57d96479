import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createWebhookClient } from './client.ts';

/** Longer than Node gives an address before it goes on to the next one, shorter than a lost packet takes. */
const LATE_MS = 700;

/** A server whose thread stands still for a while: with its queue full, who connects is not answered until then. */
const LATE_SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(workerData), 0, 0);
  });`;

test('a receiver that is slow to accept is waited for, although it has another address that cannot be reached', async (context) => {
  const shared = new SharedArrayBuffer(4);
  const worker = new Worker(LATE_SERVER, { eval: true, workerData: shared });
  context.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const waiting = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(waiting.map((socket) => once(socket, 'connect')));
  const client = createWebhookClient((_, options, callback) => {
    assert.equal(options.all, true);
    setTimeout(() => Atomics.notify(new Int32Array(shared), 0), LATE_MS);
    // Nobody listens at the second one.
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]);
  });
  const post = { url: `http://hooks.example.com:${port}/`, headers: {}, body: Buffer.from('{}') };
  const outcome = await client.post(post, context.signal);
  assert.deepEqual([outcome?.status, outcome?.error], [200, null]);
  for (const socket of waiting) socket.destroy();
  client.close();
});
