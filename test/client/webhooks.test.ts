/** `verifyWebhook` against the library of Standard Webhooks and against what the service really sends. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError, type WebhookTest } from '#client';
import { foreignHeaders } from '#test/support/foreign-headers.ts';
import { startReceiver, until } from '#test/support/receiver.ts';
import { startService } from '#test/support/service.ts';
import { openProject } from '#test/support/webhooks.ts';

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** What a sender that signs with the library sends. */
function sign(secret: string, body: string, at: Date = new Date()): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
}

const fails = (verification: Promise<unknown>): Promise<void> => assert.rejects(verification, WebhookVerificationError);

test('what the library signs is believed, and nothing that differs in a single character', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.nat(), fc.nat(2), async (value, place, which) => {
      const [secret, body] = [newSecret(), JSON.stringify(value)];
      const headers = sign(secret, body);
      assert.deepEqual(await verifyWebhook(secret, headers, body), JSON.parse(body));
      assert.deepEqual(await verifyWebhook(secret, new Headers(headers), Buffer.from(body)), JSON.parse(body));
      await fails(verifyWebhook(newSecret(), headers, body));
      await fails(verifyWebhook(secret, headers, `${body} `));
      const name = ['webhook-id', 'webhook-timestamp', 'webhook-signature'][which] as keyof typeof headers;
      const text = headers[name] ?? '';
      // The last characters of base64 may stand for no bits.
      const index = place % (text.length - (which === 2 ? 2 : 0));
      const changed = `${text.slice(0, index)}${text[index] === '0' ? '1' : '0'}${text.slice(index + 1)}`;
      await fails(verifyWebhook(secret, { ...headers, [name]: changed }, body));
    }),
    { numRuns: 60 },
  );
});

describe('verifyWebhook', () => {
  const [secret, body] = [newSecret(), '{"type":"subscription.created"}'];

  test('believes five minutes into either direction, or as told', async () => {
    const at = (seconds: number): Record<string, string> => sign(secret, body, new Date(Date.now() + seconds * 1000));
    for (const seconds of [-290, 290]) await verifyWebhook(secret, at(seconds), body);
    for (const seconds of [-310, 310]) await fails(verifyWebhook(secret, at(seconds), body));
    await verifyWebhook(secret, at(-310), body, { toleranceSeconds: 400 });
    await fails(verifyWebhook(secret, at(-20), body, { toleranceSeconds: 10 }));
    // What a setting that is not there comes to.
    await fails(verifyWebhook(secret, at(-20), body, { toleranceSeconds: Number(undefined) }));
    for (const timestamp of ['', 'x', '-1', '1e9', '99999999999999']) {
      await fails(verifyWebhook(secret, { ...at(0), 'webhook-timestamp': timestamp }, body));
    }
  });

  test('takes any of several secrets and any of several signatures, whatever stands beside them', async () => {
    const [one, two] = [newSecret(), newSecret()];
    const headers = sign(one, body);
    await verifyWebhook([two, one], headers, body);
    await fails(verifyWebhook([two, secret], headers, body));
    await fails(verifyWebhook([], headers, body));
    const other = sign(two, body)['webhook-signature'];
    const signatures = `v1a,AAAA v1,?? v2,${randomBytes(32).toString('base64')} ${other} ${headers['webhook-signature']}`;
    await verifyWebhook(one, { ...headers, 'webhook-signature': signatures }, body);
    await verifyWebhook(one, { ...headers, 'webhook-signature': signatures.split(' ') }, body);
  });

  test('finds headers however they are spelled and whatever holds them, and refuses what lacks one', async () => {
    const headers = sign(secret, body);
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    await verifyWebhook(secret, shouted, body);
    await verifyWebhook(secret, foreignHeaders(Object.entries(headers)), body);
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers;
      await fails(verifyWebhook(secret, rest, body));
    }
  });

  test('tells the receiver of a secret that is none', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_?', randomBytes(24).toString('base64')]) {
      await assert.rejects(verifyWebhook(wrong, sign(secret, body), body), TypeError);
    }
    const text = 'no JSON';
    await fails(verifyWebhook(secret, sign(secret, text), text));
  });

  test('tells the receiver of a body that is not as it came', async () => {
    for (const parsed of [JSON.parse(body), [], 1, null, undefined]) {
      await assert.rejects(verifyWebhook(secret, sign(secret, body), parsed as string), /before any parsing/);
    }
  });
});

test('what the service sends is verified, also while a secret rotates, and has its type', async () => {
  const service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const receiver = await startReceiver();
  const project = await openProject(service);
  const endpoint = await project.endpoint(receiver.url, { types: ['subscription.created'] });
  const { json: rotated } = await project.call('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`, {
    body: { overlap: 'P1D' },
  });
  const [id] = await project.signUp();
  await until('the webhook', () => receiver.received.length > 0);
  const [received] = receiver.received;
  assert.ok(received !== undefined);
  for (const secret of [endpoint.secret, rotated.secret] as string[]) {
    const event = await verifyWebhook(secret, received.headers, received.body);
    assert.ok(event.type === 'subscription.created');
    assert.equal(event.data.subscription.id, id);
  }
  await fails(verifyWebhook(newSecret(), received.headers, received.body));
  await project.call('POST', `/webhook-endpoints/${endpoint.id}/test`);
  const [tested] = receiver.received.slice(-1);
  assert.ok(tested !== undefined);
  const test = await verifyWebhook(rotated.secret as string, tested.headers, tested.body);
  assert.ok(test.type === 'webhook_endpoint.test');
  const { id: named, timestamp, request_id: request } = test;
  const expected: WebhookTest = {
    object: 'event',
    id: named,
    type: 'webhook_endpoint.test',
    timestamp,
    sequence: null,
    request_id: request,
    data: { webhook_endpoint: { id: endpoint.id as string } },
  };
  assert.deepEqual(test, expected);
  await receiver.close();
  await service.stop();
});
