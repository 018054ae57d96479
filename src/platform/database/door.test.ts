import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { createDoor } from './door.ts';
import { DatabaseUnavailable } from './errors.ts';
import { createDatabase } from './pool.ts';
import { sql } from './sql.ts';

const PATIENCE = 100;

/** A door behind which connections are answered when the test says so. */
function watchDoor(): {
  readonly enter: (name: string) => void;
  readonly answer: (name: string, error: Error | null) => void;
  readonly clock: { now: number };
  readonly opened: string[];
  readonly told: Map<string, Error | null>;
} {
  const clock = { now: 0 };
  const door = createDoor(PATIENCE, () => clock.now);
  const opened: string[] = [];
  const told = new Map<string, Error | null>();
  const open = new Map<string, (error: Error | null) => void>();
  return {
    enter(name) {
      const begin = (tell: (error: Error | null) => void): void => {
        opened.push(name);
        open.set(name, tell);
      };
      door.enter(begin, (error) => told.set(name, error));
    },
    answer: (name, error) => open.get(name)?.(error),
    clock,
    opened,
    told,
  };
}

const TIMEOUT = new Error('timeout expired');

/** Such a door behind which `a` has waited in vain. */
function watchSilentDoor(): ReturnType<typeof watchDoor> {
  const door = watchDoor();
  door.enter('a');
  door.clock.now = PATIENCE;
  door.answer('a', TIMEOUT);
  return door;
}

test('connections are opened side by side as long as the server answers, also that it refuses them', () => {
  const { enter, answer, opened, told } = watchDoor();
  for (const name of ['a', 'b']) enter(name);
  assert.deepEqual(opened, ['a', 'b']);
  answer('a', new Error('too many connections'));
  for (const name of ['c', 'd']) enter(name);
  assert.deepEqual(opened, ['a', 'b', 'c', 'd']);
  answer('b', null);
  assert.equal(told.get('b'), null);
});

test('once one has waited in vain one at a time is opened, and those who waited for it fail with it', () => {
  const { enter, answer, clock, opened, told } = watchSilentDoor();
  for (const name of ['b', 'c', 'd']) enter(name);
  assert.deepEqual(opened, ['a', 'b']);
  clock.now += PATIENCE;
  answer('b', TIMEOUT);
  assert.deepEqual([told.get('b'), told.get('c'), told.get('d')], [TIMEOUT, TIMEOUT, TIMEOUT]);
  for (const name of ['e', 'f']) enter(name);
  assert.deepEqual(opened, ['a', 'b', 'e']);
});

test('when the server answers again all who wait are let in', () => {
  const { enter, answer, opened, told } = watchSilentDoor();
  for (const name of ['b', 'c', 'd']) enter(name);
  answer('b', null);
  assert.deepEqual(opened, ['a', 'b', 'c', 'd']);
  enter('e');
  assert.deepEqual(opened, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual([...told.keys()], ['a', 'b']);
});

test('a refusal that comes at once lets nobody wait longer than the one who got it', () => {
  const { enter, answer, opened, told } = watchSilentDoor();
  for (const name of ['b', 'c']) enter(name);
  const refused = new Error('connect ECONNREFUSED');
  answer('b', refused);
  assert.equal(told.get('c'), refused);
  enter('d');
  assert.deepEqual(opened, ['a', 'b', 'd']);
});

test('a server that stands still gets one connection after another to deal with once it goes on', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const connection = { host: '127.0.0.1', port, user: 'nobody', database: 'none' };
  const database = createDatabase({ connection, maxConnections: 4, onIdleError: () => {} });
  try {
    for (let round = 0; round < 2; round += 1) {
      const asked = Array.from({ length: 8 }, () => assert.rejects(database.query(sql`select 1`), DatabaseUnavailable));
      await Promise.all(asked);
    }
    // The first four, and one for each time that one of these or its successor has waited in vain.
    assert.ok(sockets.length <= 6, `${sockets.length} were opened`);
  } finally {
    await database.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
