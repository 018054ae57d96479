/** Behind a proxy, wrong secrets slow down whoever sends them, and nobody else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService, type TestService } from '../support/service.ts';

const [MISTAKEN, RIGHT] = ['203.0.113.1', '203.0.113.2'];
const FREE_FAILURES = 10;

async function statusFor({ baseUrl, client }: TestService, address: string, secret: string): Promise<number> {
  const reply = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: secret,
    }),
  });
  return reply.status;
}

for (const [what, settings, status] of [
  ['of a trusted proxy', { TRUSTED_PROXIES: '10.0.0.1, 127.0.0.0/8' }, 200],
  ['of another one', { TRUSTED_PROXIES: '10.0.0.1' }, 429],
  ['of anybody', {}, 429],
] as const) {
  test(`the word ${what} about where a secret comes from is ${status === 200 ? '' : 'not '}taken`, async () => {
    const service = await startService(settings);
    try {
      for (let attempt = 0; attempt < FREE_FAILURES; attempt += 1) {
        assert.equal(await statusFor(service, MISTAKEN, 'wrong'), 401);
      }
      assert.equal(await statusFor(service, MISTAKEN, service.client.clientSecret), 429);
      assert.equal(await statusFor(service, RIGHT, service.client.clientSecret), status);
    } finally {
      await service.stop();
    }
  });
}
