/** Every real delivery, verified by the library of Standard Webhooks. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startReceiver, until, type Received, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { isVerified, openProject, type WebhookProject } from '../support/webhooks.ts';

let service: TestService;
const receivers: Receiver[] = [];
before(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: '0.1,0.1,0.1' });
});
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await service.stop();
});

async function receive(...answer: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...answer);
  receivers.push(receiver);
  return receiver;
}

/** What one more sign-up has sent. */
async function sendOne(own: WebhookProject, receiver: Receiver): Promise<Received> {
  const before = receiver.received.length;
  await own.signUp();
  await until('one more webhook', () => receiver.received.length > before);
  return receiver.received[before] as Received;
}

const rotate = async (own: WebhookProject, id: string, overlap: string): Promise<string> =>
  must(await own.call('POST', `/webhook-endpoints/${id}/rotate-secret`, { body: { overlap } }), 200).secret;

/** The text with another character of the same kind at a place. */
function changedAt(text: string, index: number): string {
  const other = text[index] === '1' ? '2' : '1';
  return `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
}

describe('the library of Standard Webhooks', () => {
  test('verifies every delivery, attempts again included, with the secret of the endpoint and no other', async () => {
    const own = await openProject(service);
    // Every fifth is refused once, and comes again with another timestamp.
    const one = await receive((response, index) => response.writeHead(index % 5 === 2 ? 500 : 204).end());
    const two = await receive();
    const secrets = [(await own.endpoint(one.url)).secret, (await own.endpoint(two.url)).secret];
    await own.signUp(40, { metadata: { note: 'Zoë \u2028\u0007\n\t"\\🔌' } });
    must(await own.call('POST', '/sandbox/clock', { body: { advance_by: 'P10D' } }), 200);
    await until('all', async () => (await own.events()).length >= 120 && !(await own.isAny('pending')));
    for (const [index, receiver] of [one, two].entries()) {
      assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 120);
      for (const received of receiver.received) {
        assert.ok(isVerified(received, secrets[index]), received.body);
        assert.ok(!isVerified(received, secrets[1 - index]));
      }
    }
    assert.ok(one.received.length > 120);
    assert.equal(two.received.length, 120);
    assert.ok(two.received.every(({ body }) => /Zoë .+🔌/su.test(body)));
  });

  test('refuses a delivery with one changed byte of body, id, timestamp or signature, whichever it is', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { secret } = await own.endpoint(receiver.url);
    const { headers, body } = await sendOne(own, receiver);
    assert.ok(isVerified({ headers, body }, secret));
    assert.ok(body.length > 500);
    for (let index = 0; index < body.length; index += 1) {
      assert.ok(!isVerified({ headers, body: changedAt(body, index) }, secret), `body ${index}`);
    }
    assert.ok(!isVerified({ headers, body: `${body} ` }, secret));
    assert.ok(!isVerified({ headers, body: body.slice(0, -1) }, secret));
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      const value = String(headers[name]);
      for (let index = 0; index < value.length; index += 1) {
        const changed = { ...headers, [name]: changedAt(value, index) };
        assert.ok(!isVerified({ headers: changed, body }, secret), `${name} ${index}`);
      }
    }
    // Near enough to be judged by the signature, and not by its age.
    const timestamp = String(Number(headers['webhook-timestamp']) - 1);
    assert.ok(!isVerified({ headers: { ...headers, 'webhook-timestamp': timestamp }, body }, secret));
    const signature = String(headers['webhook-signature']);
    // The last digits hold no bits of their own.
    for (let index = 'v1,'.length; index < signature.length - 2; index += 1) {
      const changed = { ...headers, 'webhook-signature': changedAt(signature, index) };
      assert.ok(!isVerified({ headers: changed, body }, secret), `signature ${index}`);
    }
  });

  test('verifies with the old and the new secret while they overlap, and with the new one only afterwards', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id, secret: old } = await own.endpoint(receiver.url);
    const fresh = await rotate(own, id, 'PT4S');
    const { previous_secret_expires_at: end } = await own.readEndpoint(id);
    const during = await sendOne(own, receiver);
    assert.ok(Number(during.headers['webhook-timestamp']) < Date.parse(end) / 1000);
    assert.deepEqual([isVerified(during, old), isVerified(during, fresh)], [true, true]);
    await until('the end', () => Date.now() >= Date.parse(end));
    assert.equal((await own.readEndpoint(id)).previous_secret_expires_at, null);
    const afterwards = await sendOne(own, receiver);
    assert.deepEqual([isVerified(afterwards, old), isVerified(afterwards, fresh)], [false, true]);
  });

  test('verifies an attempt after the overlap with the new secret only, although the first had both', async () => {
    const own = await openProject(service);
    const later = { 'retry-after': '3' };
    const receiver = await receive((response, index) => response.writeHead(index === 0 ? 503 : 204, later).end());
    const { id, secret: old } = await own.endpoint(receiver.url);
    const fresh = await rotate(own, id, 'PT3S');
    const one = await sendOne(own, receiver);
    await until('another attempt', () => receiver.received.length === 2);
    const two = receiver.received[1] as Received;
    assert.deepEqual([one.headers['webhook-id'], one.body], [two.headers['webhook-id'], two.body]);
    assert.deepEqual([isVerified(one, old), isVerified(one, fresh)], [true, true]);
    assert.deepEqual([isVerified(two, old), isVerified(two, fresh)], [false, true]);
  });

  test('verifies with the two newest secrets after two rotations, and with the newest when none overlaps', async () => {
    const [own, receiver] = [await openProject(service), await receive()];
    const { id, secret: oldest } = await own.endpoint(receiver.url);
    const middle = await rotate(own, id, 'P1D');
    const newest = await rotate(own, id, 'P1D');
    const got = await sendOne(own, receiver);
    assert.deepEqual(
      [oldest, middle, newest].map((secret) => isVerified(got, secret)),
      [false, true, true],
    );
    const alone = await rotate(own, id, 'PT0S');
    const next = await sendOne(own, receiver);
    assert.deepEqual(
      [middle, newest, alone].map((secret) => isVerified(next, secret)),
      [false, false, true],
    );
  });
});
