/** Deliveries that somebody asks for while an attempt of theirs is on its way. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { startReceiver, until, type Receiver } from '../support/receiver.ts';
import { must } from '../support/sandbox.ts';
import { startService } from '../support/service.ts';
import { openProject, type WebhookProject } from '../support/webhooks.ts';

/** A project with one event, whose receiver keeps one of the attempts waiting. */
async function openHeld(
  context: TestContext,
  { schedule, attempt }: { readonly schedule: string; readonly attempt: number },
): Promise<{ own: WebhookProject; receiver: Receiver; held: ServerResponse }> {
  const service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: schedule });
  context.after(() => service.stop());
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response, index) => {
    if (index + 1 === attempt) held.push(response);
    else response.writeHead(index + 1 < attempt ? 500 : 204).end();
  });
  context.after(() => receiver.close());
  const own = await openProject(service);
  await own.endpoint(receiver.url);
  await own.signUp();
  await until('the attempt', () => held.length === 1);
  return { own, receiver, held: held[0] as ServerResponse };
}

describe('a delivery that is asked for while an attempt is on its way', () => {
  for (const [name, schedule, attempt] of [
    ['is attempted again as soon as that fails, whatever its schedule says', '3600', 1],
    ['is attempted again also when that was its last attempt', '0.1', 2],
  ] as const) {
    test(name, async (context) => {
      const { own, receiver, held } = await openHeld(context, { schedule, attempt });
      const [delivery] = await own.deliveries();
      must(await own.call('POST', `/webhook-deliveries/${delivery.id}/resend`), 200);
      held.writeHead(500).end();
      await until('it has succeeded', () => own.isAny('succeeded'));
      assert.equal(receiver.received.length, attempt + 1);
      const [{ attempts }] = await own.deliveries();
      const statuses = attempts.map(({ status_code: status }: { status_code: number }) => status);
      assert.deepEqual(statuses, [...Array.from({ length: attempt }, () => 500), 204]);
    });
  }

  test('is not sent a second time when that succeeds', async (context) => {
    const { own, receiver, held } = await openHeld(context, { schedule: '3600', attempt: 1 });
    const [delivery] = await own.deliveries();
    must(await own.call('POST', `/webhook-deliveries/${delivery.id}/resend`), 200);
    held.writeHead(204).end();
    await until('it has succeeded', () => own.isAny('succeeded'));
    await own.signUp();
    await until('the next one', async () => (await own.deliveries('filter[state][eq]=succeeded')).length === 2);
    assert.equal(receiver.received.length, 2);
  });
});
