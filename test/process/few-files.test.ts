/** A process that may open few files: whoever connects takes none of those that its own work needs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { signUpBody } from '#test/support/builders.ts';
import { defer, startProcess, temporaryFolder } from '#test/support/process.ts';
import { fetchToken, send } from '#test/support/service.ts';

const FILES = 256;
const SILENT = 600;
const CLIENT = { clientId: 'few-files', clientSecret: 'a-secret-that-guards-nothing-but-this-test' };

test('connections that say nothing, more than there may be open files, shut nobody out', async (context) => {
  const folder = temporaryFolder(context, 'few-files');
  const settings = {
    DATA_DIR: join(folder, 'data'),
    BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
  };
  const limited = ['sh', '-c', `ulimit -n ${FILES} && exec "$@"`, 'sh'];
  const service = startProcess(context, settings, undefined, undefined, limited);
  const url = await service.ready();
  const port = Number(new URL(url).port);
  for (let count = 0; count < SILENT; count += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    defer(context, async () => void socket.destroy());
    await once(socket, 'connect');
  }
  const token = await fetchToken(url, CLIENT);
  const plans = await send(url, 'GET', '/plans', { token });
  const reply = await send(url, 'POST', '/subscriptions', {
    token,
    body: signUpBody(plans.json.items[0].id as string),
  });
  assert.equal(reply.status, 201, reply.text);
  assert.equal((await fetch(`${url}/ready`)).status, 200);
  assert.doesNotMatch(service.stdout() + service.stderr(), /EMFILE/);
});
