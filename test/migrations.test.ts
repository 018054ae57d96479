/** Migrations run while the version before serves: they add, and keep nobody waiting. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { refuseStatements } from '#test/support/migration-rules.ts';
import { MIGRATIONS_MORE } from '../torture/versions.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** Older ones were written for starts without another version beside. */
const FIRST = '0011';

describe('a migration from 0011 on', () => {
  const files = readdirSync(MIGRATIONS).filter((name) => /^\d{4}_.*\.sql$/.test(name));

  test('has only statements that the version before and a big database survive', () => {
    const refused = files
      .filter((name) => name >= FIRST)
      .flatMap((name) =>
        refuseStatements(readFileSync(join(MIGRATIONS, name), 'utf8')).map((sentence) => `${name}: ${sentence}`),
      );
    assert.deepEqual(refused, []);
  });

  test('of the torture is written by the same rules', () => {
    assert.deepEqual(
      MIGRATIONS_MORE.flatMap(([, text]) => refuseStatements(text)),
      [],
    );
  });

  test('would be refused if it were written like those before', () => {
    const isRefused = (name: string): boolean =>
      refuseStatements(readFileSync(join(MIGRATIONS, name), 'utf8')).length > 0;
    assert.ok(isRefused('0010_customers.sql'), 'it rewrites the table of customers');
    assert.ok(!isRefused('0001_foundation.sql'), 'it only creates tables');
  });
});

/** A migration's text, and what is said of it; null: nothing. */
const CASES: readonly (readonly [text: string, said: RegExp | null])[] = [
  ['create table notes (id uuid primary key, text text not null); create index notes_text on notes (text);', null],
  ['alter table subscriptions add column note text;', null],
  [`alter table subscriptions add column note text not null default 'none', add column size integer default 0;`, null],
  [`alter table only public.events add seen_at timestamptz default now();`, null],
  [`alter table events add column kind text default 'a'::text not null;`, null],
  [`comment on table events is 'x; drop table events';`, null],
  [`create or replace function f() returns trigger language plpgsql as $$ begin drop table x; end $$;`, null],
  [`alter table events add constraint events_kind check (kind <> '') not valid;`, null],
  [`-- no transaction\nalter table events validate constraint events_kind;`, null],
  [`alter table events validate constraint events_kind;`, null],
  [`alter table events drop constraint a, add constraint a check (kind in ('a', 'b')) not valid;`, null],
  [
    '-- no transaction\ndrop index concurrently if exists events_kind;\ncreate index concurrently events_kind on events (kind);',
    null,
  ],
  ['-- no transaction\nalter table events alter column project_id set (n_distinct = 1);', null],
  [
    '-- no transaction\ndrop index concurrently if exists a_ccnew;\ndrop index concurrently if exists a_ccold;\nreindex index concurrently a;',
    null,
  ],
  ['alter table customers set (fillfactor = 90);', null],
  ['alter index a reset (gin_pending_list_limit);', null],
  ['alter index a rename to b;', /is not known to be safe/],
  ['-- no transaction\nreindex index concurrently a;', /must follow `drop index concurrently if exists a_ccnew`/],
  ['reindex index concurrently a;', /needs `-- no transaction`/],
  ['-- no transaction\nreindex table events;', /keeps all writers/],
  ['create index plans_price on plans (price); update plans set price = 1;', null],
  ['-- contract\nalter table events drop column kind;', null],
  ['-- contract\nalter table events rename to happenings;', null],
  ['alter table events drop column kind;', /may break the version before/],
  ['alter table events rename column kind to sort;', /may break the version before/],
  ['alter table events alter column sequence type bigint;', /may break the version before/],
  ['alter table events alter column data set not null;', /refuses what the version before writes/],
  ['alter table events add column kind text not null;', /refuses what the version before writes/],
  ['alter table events add column id2 uuid default gen_random_uuid();', /rewrites a big table/],
  ['alter table events add column id2 bigserial;', /rewrites a big table/],
  ['alter table customers add column c text generated always as (email) stored;', /rewrites a big table/],
  ['alter table events add column plan uuid references plans (id);', /looks at every row/],
  [`alter table events add constraint a check (kind <> '');`, /looks at every row/],
  [
    `alter table events add constraint a check (kind <> '') not valid; alter table events validate constraint a;`,
    /under the lock of the statement/,
  ],
  ['alter table events drop constraint a;', /takes a rule away/],
  ['create index events_kind on events (kind);', /keeps all writers/],
  ['-- contract\ncreate index events_kind on events (kind);', /keeps all writers/],
  ['create index concurrently events_kind on events (kind);', /needs `-- no transaction`/],
  ['-- no transaction\ncreate index concurrently events_kind on events (kind);', /must follow `drop index/],
  ['update events set revision = 2;', /fill in portions/],
  ['delete from events where true;', /fill in portions/],
  ['drop table events;', /takes away/],
  ['drop function f();', /takes away/],
  ['do $$ begin drop table events; end $$;', /is not known to be safe/],
  ['truncate events;', /is not known to be safe/],
  ['lock table events;', /is not known to be safe/],
];

for (const [text, said] of CASES) {
  test(`${said === null ? 'lets through' : 'refuses'}: ${text.replaceAll('\n', ' ')}`, () => {
    const sentences = refuseStatements(text);
    if (said === null) assert.deepEqual(sentences, []);
    else assert.match(sentences.join('\n'), said);
  });
}
