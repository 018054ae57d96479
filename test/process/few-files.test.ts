/** A process that may open few files: whoever connects takes none of those that its own work needs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { signUpBody } from '#test/support/builders.ts';
import { defer, startProcess, temporaryFolder } from '#test/support/process.ts';
import { fetchToken, send } from '#test/support/service.ts';

const FILES = 256;
/** More connections than there may be open files. */
const MANY = 600;
/** Whoever leaves a connection open may find that it had to go just when he sends the next request on it. */
const headers = { connection: 'close' };
const CLIENT = { clientId: 'few-files', clientSecret: 'a-secret-that-guards-nothing-but-this-test' };

interface Limited {
  readonly url: string;
  readonly token: string;
  /** Connects so many times, and says something on each connection. */
  crowd(said: string): Promise<void>;
  /** Somebody who comes now is let in, and has all that a sign-up takes. */
  isServed(): Promise<void>;
  printed(): string;
}

async function startLimited(context: TestContext): Promise<Limited> {
  const settings = {
    DATA_DIR: join(temporaryFolder(context, 'few-files'), 'data'),
    RATE_LIMIT: 'off',
    BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
  };
  const limited = ['sh', '-c', `ulimit -n ${FILES} && exec "$@"`, 'sh'];
  const service = startProcess(context, settings, undefined, undefined, limited);
  const url = await service.ready();
  const token = await fetchToken(url, CLIENT);
  const plans = await send(url, 'GET', '/plans', { token, headers });
  return {
    url,
    token,
    async crowd(said) {
      for (let count = 0; count < MANY; count += 1) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
        defer(context, async () => void socket.destroy());
        await once(socket, 'connect');
        socket.write(said);
      }
    },
    async isServed() {
      const body = signUpBody(plans.json.items[0].id as string);
      const reply = await send(url, 'POST', '/subscriptions', { token, body, headers });
      assert.equal(reply.status, 201, reply.text);
      assert.equal((await fetch(`${url}/ready`, { headers })).status, 200);
    },
    printed: () => service.stdout() + service.stderr(),
  };
}

test('connections that say nothing, more than there may be open files, shut nobody out', async (context) => {
  const service = await startLimited(context);
  await service.crowd('');
  await service.isServed();
  assert.doesNotMatch(service.printed(), /EMFILE/);
});

test('requests whose bodies do not come to their end shut nobody out', async (context) => {
  const service = await startLimited(context);
  await service.crowd('POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na');
  await service.isServed();
});

test('requests that wait for events shut nobody out', async (context) => {
  const service = await startLimited(context);
  const authorization = `Authorization: Bearer ${service.token}`;
  const feed = await send(service.url, 'GET', '/subscriptions', { token: service.token, headers });
  const cursor = feed.headers.get('x-event-cursor') ?? '';
  await service.crowd(`GET /events?wait=30&after=${cursor} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`);
  await service.isServed();
});

test('whoever takes nothing of a large page that anybody may ask for shuts nobody out', async (context) => {
  const service = await startLimited(context);
  await service.crowd('GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n');
  await service.isServed();
  assert.doesNotMatch(service.printed(), /EMFILE|request failed/);
});
