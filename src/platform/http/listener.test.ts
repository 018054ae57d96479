import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createListener, stopAccepting } from './listener.ts';
import { createVisitors } from './visitors.ts';

const CONNECTIONS = 100;
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** The first line of what is answered to a request, or why there is none. */
async function answerTo(socket: Socket): Promise<string> {
  try {
    const pieces = await socket.setEncoding('latin1').toArray();
    return pieces.join('').split('\r\n', 1)[0] ?? '';
  } catch (error) {
    return String(error);
  }
}

test('who had connected when the stop began is answered, also if he was not accepted yet', async (context) => {
  const server = createListener((_request, response) => response.end());
  context.after(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').end(REQUEST));
  const answers = Promise.all(sockets.map(answerTo));
  // One is accepted in a turn, so that of those who connect in one turn most wait for that.
  await once(sockets.at(-1)!, 'connect');
  await stopAccepting(server);
  assert.equal(server.listening, false);
  assert.deepEqual(new Set(await answers), new Set(['HTTP/1.1 200 OK']));
});

test('a connection whose answer began before the stop is closed after that answer, and what comes with its end is answered', async (context) => {
  const answers: ServerResponse[] = [];
  const server = createListener((_request, response) => {
    // The second has its turn once the first has ended, the third comes when both have.
    if (answers.push(response) === 1) response.write('a');
    else response.end('b');
  });
  context.after(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  socket.write(request.repeat(2));
  await once(server, 'request');
  await stopAccepting(server);
  let [text, isAsked] = ['', false];
  socket.on('data', (data) => {
    text += String(data);
    if (isAsked || !text.endsWith('\r\n\r\nb')) return;
    isAsked = true;
    socket.write(request);
  });
  answers[0]?.end();
  await once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 3, text);
});

/** A server that takes so many connections, and answers to none of them unless it is told to. */
async function listenTo(
  context: TestContext,
  maxConnections: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void = () => {},
): Promise<{ port: number; asked: () => Promise<unknown> }> {
  const server = createListener(handle, { visitors: createVisitors(maxConnections) });
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, asked: () => once(server, 'request') };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

test('of too many connections the one is closed that has asked nothing for the longest', async (context) => {
  const { port, asked } = await listenTo(context, 3);
  const asks = await connected(port);
  const isAsked = asked();
  asks.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await isAsked;
  const silent = await connected(port);
  const slow = await connected(port);
  slow.write('GET / HTTP/1.1\r\n');
  const closed: string[] = [];
  for (const [name, socket] of Object.entries({ asks, silent, slow })) {
    socket.on('error', () => {}).once('close', () => closed.push(name));
  }
  const fourth = await connected(port);
  await once(silent.resume(), 'close');
  const fifth = await connected(port);
  await once(slow.resume(), 'close');
  assert.deepEqual(closed, ['silent', 'slow']);
  for (const socket of [asks, fourth, fifth]) assert.equal(socket.destroy().readableEnded, false);
});

test('where all have asked, the one is closed that has asked nothing since its answer for the longest', async (context) => {
  const { port } = await listenTo(context, 3, (request, response) => {
    if (request.url !== '/waits') response.end();
  });
  const closed: string[] = [];
  const those: Record<string, Socket> = {};
  const ask = (name: string, path: string): void => void those[name]?.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  for (const name of ['waits', 'first', 'second']) {
    const socket = (those[name] = await connected(port));
    socket.on('error', () => {}).once('close', () => closed.push(name));
    ask(name, `/${name}`);
    if (name !== 'waits') await once(socket, 'data');
  }
  ask('first', '/again');
  await once(those['first']!, 'data');
  const fourth = await connected(port);
  await once(those['second']!.resume(), 'close');
  fourth.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(fourth, 'data');
  const fifth = await connected(port);
  await once(those['first']!.resume(), 'close');
  assert.deepEqual(closed, ['second', 'first']);
  for (const socket of [those['waits'], fourth, fifth]) assert.equal(socket?.destroy().readableEnded, false);
});

test('all who come and ask at once are answered where as many rest as there may be', async (context) => {
  const { port } = await listenTo(context, 100, (_request, response) => void response.end());
  for (let count = 0; count < 100; count += 1) {
    const resting = await connected(port);
    resting.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(resting, 'data');
    context.after(() => resting.destroy());
  }
  const answers = Array.from({ length: 20 }, () => answerTo(connect(port, '127.0.0.1').end(REQUEST)));
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']));
});

test('all who come and ask at once are answered, though they are more than there may be', async (context) => {
  const { port } = await listenTo(context, 20, (_request, response) => void response.end());
  const answers = Array.from({ length: CONNECTIONS }, () => answerTo(connect(port, '127.0.0.1').end(REQUEST)));
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']));
});

test('where all are being answered, the one that comes too many is closed', async (context) => {
  const { port, asked } = await listenTo(context, 3);
  const those: Socket[] = [];
  for (let number = 0; number < 3; number += 1) {
    const socket = await connected(port);
    const isAsked = asked();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await isAsked;
    those.push(socket);
  }
  const last = connect(port, '127.0.0.1').on('error', () => {});
  await once(last.resume(), 'close');
  for (const socket of those) assert.equal(socket.destroy().readableEnded, false);
});
