/** What was changed and changed back is another state: `If-Match` of the first one lets no change through. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPlan } from '../support/builders.ts';
import { openSandbox, type Sandbox } from '../support/sandbox.ts';
import { startService, type Reply, type TestService } from '../support/service.ts';

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await startService();
  sandbox = await openSandbox(service, '2037-11-30T09:00:00Z');
});
after(() => service.stop());

/** Changes there and back until it looks as before, and then by the tag that it had. */
async function changeBack(owner: Pick<TestService, 'call'>, path: string, there: object, back: object): Promise<void> {
  const patch = (body: object, tag = '*'): Promise<Reply> =>
    owner.call('PATCH', path, { body, headers: { 'if-match': tag } });
  for (;;) {
    const first = await patch(back);
    assert.equal(first.status, 200, first.text);
    const [tag, text] = [first.headers.get('etag') ?? '', first.text];
    assert.equal((await patch(there, tag)).status, 200);
    const last = await patch(back);
    // A second has passed.
    if (last.text !== text) continue;
    assert.notEqual(last.headers.get('etag'), tag);
    assert.equal((await owner.call('GET', path)).headers.get('etag'), last.headers.get('etag'), 'as it is read');
    const unchanged = { headers: { 'if-none-match': last.headers.get('etag') ?? '' } };
    assert.equal((await owner.call('GET', path, unchanged)).status, 304);
    assert.equal((await patch(there, tag)).status, 412);
    assert.equal((await patch(there, last.headers.get('etag') ?? '')).status, 200);
    return;
  }
}

test('a plan', async () => {
  const { id } = await createPlan(service);
  await changeBack(service, `/plans/${id}`, { name: 'B' }, { name: 'A' });
});

test('a customer', async () => {
  const { customer } = await sandbox.signUp();
  await changeBack(sandbox, `/customers/${customer}`, { first_name: 'Eva' }, { first_name: 'Erika' });
});

test('a lead', async () => {
  const created = await service.call('POST', '/leads', { body: { plan: service.planId, address: { zip: '51147' } } });
  const { id } = created.json;
  await changeBack(service, `/leads/${id}`, { external_id: 'b' }, { external_id: 'a' });
});
