/** Secrets and signatures, verified by the library of Standard Webhooks. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createKeys } from '#platform/crypto.ts';
import { createWebhookSecret, decryptWebhookSecrets, encryptWebhookSecret, signaturesOf } from './secrets.ts';

const now = Temporal.Now.instant();
const timestamp = Math.floor(now.epochMilliseconds / 1000);
const id = 'evt_01k9zr5x3hf8b9m2t4v6w8y0ac';
const body = '{"object":"event","data":{"name":"Köln 🔌"}}';

function verify(
  secret: string,
  signature: string,
  changed: { id?: string; timestamp?: number; body?: string } = {},
): void {
  const headers = {
    'webhook-id': changed.id ?? id,
    'webhook-timestamp': String(changed.timestamp ?? timestamp),
    'webhook-signature': signature,
  };
  new Webhook(secret).verify(changed.body ?? body, headers);
}

describe('signaturesOf', () => {
  test('is verified by standardwebhooks, and not after any change', () => {
    const current = createWebhookSecret();
    const signature = signaturesOf({ current, previous: null }, id, timestamp, body, now);
    assert.match(signature, /^v1,[A-Za-z0-9+/]{43}=$/);
    verify(current, signature);
    for (const changed of [{ id: `${id}x` }, { timestamp: timestamp - 1 }, { body: body.replace('K', 'k') }]) {
      assert.throws(() => verify(current, signature, changed));
    }
    assert.throws(() => verify(createWebhookSecret(), signature));
    const last = signature.at(3) === 'A' ? 'B' : 'A';
    assert.throws(() => verify(current, `v1,${last}${signature.slice(4)}`));
  });

  test('is what the library itself signs', () => {
    const current = createWebhookSecret();
    const expected = new Webhook(current).sign(id, new Date(timestamp * 1000), body);
    assert.equal(signaturesOf({ current, previous: null }, id, timestamp, body, now), expected);
  });

  test('carries both while a rotation overlaps, and one from the instant on at which it ends', () => {
    const [current, secret] = [createWebhookSecret(), createWebhookSecret()];
    const secrets = { current, previous: { secret, expiresAt: now.add({ seconds: 10 }).toString() } };
    const both = signaturesOf(secrets, id, timestamp, body, now);
    assert.match(both, /^v1,\S{44} v1,\S{44}$/);
    verify(current, both);
    verify(secret, both);
    const one = signaturesOf(secrets, id, timestamp, body, now.add({ seconds: 10 }));
    assert.match(one, /^v1,\S{44}$/);
    verify(current, one);
    assert.throws(() => verify(secret, one));
  });
});

describe('secrets', () => {
  test('are random, of 32 bytes', () => {
    const secrets = Array.from({ length: 100 }, () => createWebhookSecret());
    assert.equal(new Set(secrets).size, 100);
    for (const secret of secrets) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]+=*$/);
      assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
    }
  });

  test('are of use in the row only that they were encrypted for', () => {
    const keys = createKeys(Buffer.alloc(32, 1));
    const [project, endpoint] = [randomUUID(), randomUUID()];
    const [current, previous] = [createWebhookSecret(), createWebhookSecret()];
    const expiresAt = '2026-11-22T00:00:00Z';
    const row = {
      secret_encrypted: encryptWebhookSecret(keys, project, endpoint, current),
      previous_secret_encrypted: encryptWebhookSecret(keys, project, endpoint, previous),
      previous_secret_expires_at: expiresAt,
    };
    assert.ok(!row.secret_encrypted.includes(current));
    assert.deepEqual(decryptWebhookSecrets(keys, project, { id: endpoint, ...row }), {
      current,
      previous: { secret: previous, expiresAt },
    });
    assert.throws(() => decryptWebhookSecrets(keys, project, { id: randomUUID(), ...row }));
    assert.throws(() => decryptWebhookSecrets(keys, randomUUID(), { id: endpoint, ...row }));
  });
});
