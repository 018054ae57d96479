import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gatherer } from '#platform/gather.ts';
import { createSubscriptionReader } from './reader.ts';
import type { Asked, AskedAgain, VersionedRow } from './store.ts';

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

/** A database that answers what `stored` says at that time; and the versions it was asked for, null for none. */
function databaseOf(stored: (asked: Asked) => VersionedRow | undefined): {
  gatherers: [Gatherer<Asked, VersionedRow | undefined>, Gatherer<AskedAgain, boolean>];
  versions: (string | null)[];
} {
  const versions: (string | null)[] = [];
  const reads: Gatherer<Asked, VersionedRow | undefined> = {
    pending: () => 0,
    submit(asked) {
      versions.push(null);
      return Promise.resolve(stored(asked));
    },
  };
  const checks: Gatherer<AskedAgain, boolean> = {
    pending: () => 0,
    submit(asked) {
      versions.push(asked.version);
      return Promise.resolve(stored(asked)?.version === asked.version);
    },
  };
  return { gatherers: [reads, checks], versions };
}

test('what has not changed is asked for by its version and shown again, what has changed is shown as it is', async () => {
  const state = { row: rowOf('7', 'pending') };
  const { gatherers, versions } = databaseOf(() => state.row);
  const reader = createSubscriptionReader(...gatherers);
  const first = await reader.read('a', ID);
  assert.match(first?.body ?? '', /"status":"pending"/);
  assert.equal(await reader.read('a', ID), await reader.read('a', ID));
  state.row = rowOf('9', 'active');
  const later = await reader.read('a', ID);
  assert.match(later?.body ?? '', /"status":"active"/);
  assert.notEqual(later?.tag, first?.tag);
  assert.deepEqual(versions, [null, '7', '7', '7', null]);
});

test('what one project has read is not what another one is shown', async () => {
  const { gatherers, versions } = databaseOf(({ projectId }) =>
    projectId === 'a' ? rowOf('7', 'pending') : undefined,
  );
  const reader = createSubscriptionReader(...gatherers);
  assert.ok(await reader.read('a', ID));
  assert.equal(await reader.read('b', ID), undefined);
  assert.deepEqual(versions, [null, null]);
});

test('what has gone is not shown any more', async () => {
  const state = { row: rowOf('7', 'pending') as VersionedRow | undefined };
  const reader = createSubscriptionReader(...databaseOf(() => state.row).gatherers);
  assert.ok(await reader.read('a', ID));
  state.row = undefined;
  assert.equal(await reader.read('a', ID), undefined);
});

test('a version is trusted for ten seconds from when it was asked for, and of a thousand subscriptions at most', async () => {
  const { gatherers, versions } = databaseOf(() => rowOf('7', 'pending'));
  const time = { now: 0 };
  const reader = createSubscriptionReader(...gatherers, () => time.now);
  const versionAsked = async (id: string): Promise<string | null | undefined> => {
    await reader.read('a', id);
    return versions.at(-1);
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
