import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gatherer } from '#platform/gather.ts';
import { createSubscriptionReader } from './reader.ts';
import type { Asked, Found, VersionedRow } from './store.ts';

const ID = '01940000-0000-7000-8000-000000000000';

/** A row of which only what is asked here matters. */
function rowOf(version: string, status: string): VersionedRow {
  const references = ['id', 'plan_id', 'customer_id', 'address_id', 'meter_id', 'payment_method_id', 'created_by'];
  const nothing = ['billing_address_id', 'supplier_id', 'lead_id', 'next_action', 'metadata'];
  return {
    ...Object.fromEntries(references.map((name) => [name, ID])),
    ...Object.fromEntries(nothing.map((name) => [name, null])),
    product_orders: '[]',
    status,
    version,
  } as never;
}

/** A database that answers what `stored` says at that time, and what it was asked. */
function databaseOf(stored: (asked: Asked) => VersionedRow | undefined): {
  reads: Gatherer<Asked, Found>;
  asked: Asked[];
} {
  const asked: Asked[] = [];
  return {
    asked,
    reads: {
      pending: () => 0,
      submit(item) {
        asked.push(item);
        const row = stored(item);
        return Promise.resolve(row !== undefined && row.version === item.version ? 'unchanged' : row);
      },
    },
  };
}

test('what has not changed is asked for by its version and shown again, what has changed is shown as it is', async () => {
  const state = { row: rowOf('7', 'pending') };
  const { reads, asked } = databaseOf(() => state.row);
  const reader = createSubscriptionReader(reads);
  const first = await reader.read('a', ID);
  assert.match(first?.body ?? '', /"status":"pending"/);
  assert.equal(await reader.read('a', ID), await reader.read('a', ID));
  state.row = rowOf('9', 'active');
  const later = await reader.read('a', ID);
  assert.match(later?.body ?? '', /"status":"active"/);
  assert.notEqual(later?.tag, first?.tag);
  assert.deepEqual(
    asked.map(({ version }) => version),
    [null, '7', '7', '7'],
  );
});

test('what one project has read is not what another one is shown', async () => {
  const { reads, asked } = databaseOf(({ projectId }) => (projectId === 'a' ? rowOf('7', 'pending') : undefined));
  const reader = createSubscriptionReader(reads);
  assert.ok(await reader.read('a', ID));
  assert.equal(await reader.read('b', ID), undefined);
  assert.equal(asked.at(-1)?.version, null);
});

test('what has gone is not shown any more', async () => {
  const state = { row: rowOf('7', 'pending') as VersionedRow | undefined };
  const reader = createSubscriptionReader(databaseOf(() => state.row).reads);
  assert.ok(await reader.read('a', ID));
  state.row = undefined;
  assert.equal(await reader.read('a', ID), undefined);
});

test('a version is trusted for ten seconds from when it was asked for, and of a thousand subscriptions at most', async () => {
  const { reads, asked } = databaseOf(() => rowOf('7', 'pending'));
  const time = { now: 0 };
  const reader = createSubscriptionReader(reads, () => time.now);
  const versionAsked = async (id: string): Promise<string | null | undefined> => {
    await reader.read('a', id);
    return asked.at(-1)?.version;
  };
  assert.equal(await versionAsked('first'), null);
  time.now = 9_999;
  assert.equal(await versionAsked('first'), '7');
  time.now = 10_000;
  assert.equal(await versionAsked('first'), null);
  for (let n = 0; n < 999; n += 1) await versionAsked(`id-${n}`);
  assert.equal(await versionAsked('first'), '7');
  await versionAsked('id-999');
  assert.equal(await versionAsked('first'), null);
});
