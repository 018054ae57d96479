/** A request is let in before its body is read: much may have changed until that has come. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { signUpBody } from '../support/builders.ts';
import { eventually } from '../support/process.ts';
import { fetchToken, startService } from '../support/service.ts';

/** Far longer than the body of an ordinary request takes. */
const LATE_MS = 300;

test('a request whose token is revoked while its body is on its way is refused, and changes nothing', async (context) => {
  const service = await startService();
  context.after(() => service.stop());
  const token = await fetchToken(service.baseUrl, service.client);
  const body = JSON.stringify(signUpBody(service.planId));
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1').setEncoding('utf8');
  context.after(() => socket.destroy());
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  const headers = `Host: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nIdempotency-Key: late`;
  socket.write(`POST /subscriptions HTTP/1.1\r\n${headers}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n{`);
  const begun = performance.now();
  // Let in by a token that is good.
  await eventually(async () => {
    assert.equal((await service.call('GET', '/plans')).status, 200);
    return performance.now() - begun > LATE_MS ? true : undefined;
  }, 'some time has passed');
  const form = { token, client_id: service.client.clientId, client_secret: service.client.clientSecret };
  const revoked = await fetch(`${service.baseUrl}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(form) });
  assert.equal(revoked.status, 200);
  socket.write(body.slice(1));
  await eventually(async () => (answer.includes('\r\n\r\n') ? true : undefined), 'it is answered');
  assert.match(answer, /^HTTP\/1\.1 401 [^]*www-authenticate: Bearer [^\r]*error="invalid_token"/i);
  const { items } = (await service.call('GET', '/subscriptions')).json;
  assert.deepEqual(items, []);
});
