import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { startRawTarget, type Behaviour } from '#test/support/raw-target.ts';
import { createWebhookClient, type Outcome } from './client.ts';

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
  await client.close();
});

/** Posts so many times, one after the other, and gives what came of each. */
async function postTo(behave: Behaviour, times: number): Promise<(Outcome | null)[]> {
  const target = await startRawTarget(behave);
  const client = createWebhookClient((_, options, callback) => {
    assert.equal(options.all, true);
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  });
  const outcomes: (Outcome | null)[] = [];
  try {
    for (let time = 0; time < times; time += 1) {
      outcomes.push(
        await client.post({ url: target.url, headers: {}, body: Buffer.from('{}') }, new AbortController().signal),
      );
    }
    return outcomes;
  } finally {
    await client.close();
    await target.close();
  }
}

test('an answer that is there counts, whatever bytes come with it', async () => {
  const answers: Readonly<Record<string, number>> = {
    'HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}': 204,
    'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n': 204,
    'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n{}': 204,
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more': 200,
    'HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno and more': 500,
  };
  for (const [answer, status] of Object.entries(answers)) {
    for (const outcome of await postTo((socket) => void socket.write(answer), 2)) {
      assert.deepEqual([outcome?.status, outcome?.error], [status, status < 300 ? null : 'status'], answer);
    }
  }
  const [cutOff] = await postTo((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'), 1);
  assert.deepEqual([cutOff?.status, cutOff?.error], [200, 'connection_closed']);
});

test('bytes that were left over on a kept connection are taken for no answer', async () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
  const outcomes = await postTo((socket, index) => void socket.write(index === 1 ? `{}${ok}` : ok), 2);
  assert.deepEqual(
    outcomes.map((outcome) => outcome?.error),
    [null, null],
  );
  const [wrong] = await postTo((socket) => void socket.write(`{}${ok}`), 1);
  assert.equal(wrong?.error, 'invalid_answer');
});

test('a name server that cannot be asked, or answers nonsense, is no receiver that refuses', async () => {
  for (const code of ['ECONNREFUSED', 'EBADRESP', 'ENOTIMP', 'ENOTFOUND']) {
    const client = createWebhookClient((hostname, _, callback) =>
      callback(Object.assign(new Error(`queryA ${code} ${hostname}`), { code, syscall: 'queryA' }), ''),
    );
    const post = { url: 'http://hooks.example.com/', headers: {}, body: Buffer.from('{}') };
    const outcome = await client.post(post, new AbortController().signal);
    assert.equal(outcome?.error, 'name_not_found', code);
    await client.close();
  }
});
