import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createListener } from './listener.ts';
import { MAX_BEHIND } from './queues.ts';

const seen = { requests: 0, begun: [] as ServerResponse[] };
/** Nobody answers but the tests. */
const server = createListener((_request, response) => void seen.begun.push(response));
server.on('request', () => (seen.requests += 1));

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => Object.assign(seen, { requests: 0, begun: [] }));
after(() => {
  server.close();
  server.closeAllConnections();
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await nextTurn();
}

function send(requests: number): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests));
  return socket;
}

/** Sends as many as may wait, and one in front of them. */
async function fill(): Promise<Socket> {
  const before = seen.requests;
  const socket = send(1 + MAX_BEHIND);
  await until(() => seen.requests === before + 1 + MAX_BEHIND);
  return socket;
}

/** Resolves when the server has cut the connection. */
function end(socket: Socket): Promise<void> {
  socket.resume();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Resets connections, and resolves when the server has taken notice. */
async function reset(...sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.resetAndDestroy();
  const countOpen = promisify(server.getConnections.bind(server));
  await until(async () => (await countOpen()) === 0);
}

test('of requests that come together each begins when the one before has its answer', async () => {
  const socket = send(3);
  await until(() => seen.requests === 3);
  for (let count = 1; count <= 3; count += 1) {
    await until(() => seen.begun.length > 0);
    assert.equal(seen.begun.length, 1);
    seen.begun.pop()?.end(`answer ${count}`);
  }
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes('answer 3')) break;
  }
  assert.deepEqual(text.match(/answer \d/g), ['answer 1', 'answer 2', 'answer 3']);
});

test('who sends more than may wait is cut off, takes nobody’s place, and nothing is made of the rest', async () => {
  for (let round = 0; round < 3; round += 1) await end(send(MAX_BEHIND * 2));
  assert.ok(seen.requests <= 3 * (2 + MAX_BEHIND), `${seen.requests} requests`);
  await reset(await fill());
});

test('all connections together have so many requests that wait, and each has its first one', async () => {
  const full = await fill();
  await end(send(2));
  const single = send(1);
  await until(() => seen.requests === 1 + MAX_BEHIND + 2 + 1);
  assert.deepEqual([full.destroyed, single.destroyed], [false, false]);
  await reset(full, single);
});

test('what is answered makes room for others', async () => {
  const full = await fill();
  const others = send(1);
  await until(() => seen.begun.length === 2);
  seen.begun[0]?.end();
  await until(() => seen.begun.length === 3);
  others.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(() => seen.requests === 1 + MAX_BEHIND + 2);
  assert.equal(others.destroyed, false);
  await reset(full, others);
});
