/** Answers that are not taken: what is kept of them does not grow with those who take nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import type { Database } from '#platform/database/pool.ts';
import { MAX_UNTAKEN_BYTES } from '#platform/http/visitors.ts';
import { signUp, type Json } from '../support/builders.ts';
import { eventually } from '../support/process.ts';
import { createAppBeside, startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService({ LOG_LEVEL: 'silent' });
});
after(() => service.stop());

/** Far more than the system keeps for a connection whose other end does not read. */
const LARGE = Math.floor(MAX_UNTAKEN_BYTES / 3);

/** Who asks for something large, by name, and reads no more than the beginning of the answer. */
interface Readers {
  readonly ask: (name: string) => Promise<Socket>;
  /** Those who were cut off. */
  readonly closed: readonly string[];
}

/** A service in which every event is large. */
async function openTo(context: TestContext, path: string): Promise<Readers> {
  const enlarge = (row: unknown): unknown =>
    typeof row === 'object' && row !== null && 'data' in row
      ? { ...row, data: JSON.stringify({ text: 'x'.repeat(LARGE) }) }
      : row;
  const database: Database = {
    ...service.database,
    query: async <Row>(...asked: Parameters<Database['query']>) =>
      (await service.database.query<Row>(...asked)).map((row) => enlarge(row) as Row),
  };
  const app = createAppBeside(service, { database });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  context.after(async () => {
    app.http.server.closeAllConnections();
    await app.http.close();
  });
  const { port } = app.http.server.address() as AddressInfo;
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n`;
  const closed: string[] = [];
  return {
    closed,
    async ask(name) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      context.after(() => socket.destroy());
      socket.once('close', () => closed.push(name));
      socket.write(request);
      await once(socket, 'readable');
      return socket;
    },
  };
}

test('who has not taken his answer for the longest is cut off where too much is kept', async (context) => {
  await signUp(service);
  const events = await eventually(async () => {
    const { items } = (await service.call('GET', '/events?limit=1')).json;
    return items.length > 0 ? (items as Json[]) : undefined;
  }, 'an event is in the feed');
  const { ask, closed } = await openTo(context, `/events/${events[0]?.id}`);
  const first = await ask('first');
  const second = await ask('second');
  await ask('third');
  first.resume();
  await once(first, 'close');
  assert.deepEqual(closed, ['first']);
  // The answer of who takes it comes whole, however slowly he began.
  let bytes = 0;
  second.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  await eventually(async () => (bytes > LARGE ? true : undefined), 'all of it has come');
  assert.deepEqual(closed, ['first']);
});

test('who takes nothing of what is written while it is taken is cut off like that, too', async (context) => {
  const { customer } = await signUp(service);
  const { ask, closed } = await openTo(context, `/customers/${customer}/export`);
  const first = await ask('first');
  await ask('second');
  await ask('third');
  first.resume();
  await once(first, 'close');
  assert.deepEqual(closed, ['first']);
});
