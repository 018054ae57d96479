import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { ask } from '#test/support/process.ts';
import { findLost } from './compare-schema.ts';

const shared: { database?: TestDatabase } = {};
const connection = (): TestDatabase['connection'] => shared.database?.connection ?? {};
before(async () => {
  shared.database = await createTestDatabase();
});
after(() => shared.database?.drop());

test('a schema lacks nothing where the operator has added to it, and has tuned what is there', async () => {
  await ask(
    connection(),
    `create table notes (id int);
     create function notes() returns int language sql as 'select 1';
     create index notes_of_ours on subscriptions (number) where stage is null;
     alter table events set (autovacuum_vacuum_scale_factor = 0.01);
     alter index customers_search set (fastupdate = on);
     comment on table leads is 'ours';
     comment on column leads.id is 'ours'`,
  );
  assert.deepEqual(await findLost(connection()), []);
});

test('a schema lacks nothing, however a role or database has values and names written', async () => {
  for (const setting of ["intervalstyle = 'iso_8601'", 'quote_all_identifiers = on', "datestyle = 'SQL, DMY'"]) {
    const [name] = setting.split(' ');
    await ask(connection(), `alter database "${connection().database}" set ${setting}`);
    const lost = await findLost(connection());
    await ask(connection(), `alter database "${connection().database}" reset ${name}`);
    assert.deepEqual(lost, [], setting);
  }
});

const damages: readonly (readonly [text: string, lost: RegExp])[] = [
  ['drop index subscriptions_open_malo', /^table subscriptions: CREATE UNIQUE INDEX subscriptions_open_malo ON /],
  [
    `update pg_index set indisvalid = false where indexrelid = 'subscriptions_open_meter'::regclass`,
    /^table subscriptions: CREATE UNIQUE INDEX subscriptions_open_meter ON /,
  ],
  [
    'alter table subscriptions disable trigger subscriptions_guard',
    /^table subscriptions: CREATE TRIGGER subscriptions_guard /,
  ],
  ['alter table plans drop constraint plans_slug_check', /^table plans: constraint plans_slug_check CHECK /],
  ['alter table plans alter column slug drop not null', /^table plans: slug text not null$/],
  ['alter table maintenance_clock set unlogged', /^table maintenance_clock$/],
  ['drop table held_locations', /^table held_locations$/],
  [
    `create or replace function refuse_rewriting() returns trigger language plpgsql as 'begin return null; end'`,
    /^FUNCTION public\.refuse_rewriting\(\)$/,
  ],
];
for (const [text, expected] of damages) {
  test(`what is not as the migrations make it is found: ${text}`, async () => {
    const before = new Set(await findLost(connection()));
    await ask(connection(), text);
    const lost = (await findLost(connection()))?.filter((part) => !before.has(part)) ?? [];
    assert.equal(lost.length, 1, lost.join('\n'));
    assert.match(lost[0] ?? '', expected);
  });
}

test('a schema that a newer version has made is not compared', async () => {
  await ask(connection(), `insert into wattline_migrations (version, name, checksum) values (9999, 'more', '')`);
  assert.equal(await findLost(connection()), null);
});
