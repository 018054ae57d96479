import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { createListener, stopAccepting } from './listener.ts';

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
