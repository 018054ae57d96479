/** A stop of the service while webhooks are on their way. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signUpBody } from '../support/builders.ts';
import { startProcess, stopProcess, temporaryFolder } from '../support/process.ts';
import { startReceiver, until } from '../support/receiver.ts';
import { fetchToken, send } from '../support/service.ts';

const CLIENT = { clientId: 'stop', clientSecret: 'a-secret-that-outlives-a-stop-amid-the-webhooks' };
const EVENTS = 300;
const suite = { after };

test('SIGTERM amid deliveries ends the service within 10 s with 0, and the next one sends what is left', async () => {
  const settings = {
    DATA_DIR: join(temporaryFolder(suite, 'webhook-stop'), 'data'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
  };
  // Some answers come at once, some after a while, some never until the service has gone.
  const receiver = await startReceiver((response, index) => {
    if (index % 20 === 19) return;
    setTimeout(() => response.writeHead(204).end(), index % 3 === 0 ? 100 : 0);
  });
  suite.after(() => receiver.close());
  const first = startProcess(suite, settings);
  const url = await first.ready();
  const token = await fetchToken(url, CLIENT);
  const planId: string = (await send(url, 'GET', '/plans', { token })).json.items[0].id;
  const target = { url: receiver.url, types: ['subscription.created'] };
  assert.equal((await send(url, 'POST', '/webhook-endpoints', { token, body: target })).status, 201);
  const signed: Promise<unknown>[] = [];
  for (let number = 0; number < EVENTS; number += 1) {
    signed.push(send(url, 'POST', '/subscriptions', { token, body: signUpBody(planId) }));
  }
  await Promise.all(signed);
  await until('some are on their way', () => receiver.received.length > 60);
  const begin = performance.now();
  assert.deepEqual(await stopProcess(first), { code: 0, signal: null });
  assert.ok(performance.now() - begin < 10_000);
  receiver.answer = (response) => response.writeHead(204).end();
  await startProcess(suite, settings).ready();
  // What was given up is sent when its lease has run out.
  await until('all', () => new Set(receiver.received.map(({ event }) => event.id)).size === EVENTS, 60_000);
  const repeated = receiver.received.length - EVENTS;
  assert.ok(repeated <= EVENTS / 10, `${repeated} were sent again`);
});
