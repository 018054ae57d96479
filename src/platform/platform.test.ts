import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cannotMount, mountMemory } from '#test/support/machine.ts';
import { temporaryFolder } from '#test/support/process.ts';
import { formatInstant } from './clock.ts';
import { createKeys } from './crypto.ts';
import { writeAtomically } from './database/embedded-processes.ts';
import { toStatement, sql, joinSql } from './database/sql.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { acceptsJson, allowsChange, isJsonContent, namesTag, readIdempotencyKey } from './http/headers.ts';
import { createShortCache } from './short-cache.ts';
import { sharedCheck } from './readiness.ts';
import { makeFolder } from './durable.ts';
import { describeError } from './log.ts';
import { messageOf } from './message-of.ts';

test('encrypted text comes back only with its key and in its context, and no altered byte is accepted', () => {
  const keys = createKeys(Buffer.alloc(32, 1));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, place) => {
      const bytes = keys.encrypt(text, 'here');
      assert.equal(keys.decrypt(bytes, 'here'), text);
      assert.throws(() => keys.decrypt(bytes, 'elsewhere'));
      assert.throws(() => createKeys(Buffer.alloc(32, 2)).decrypt(bytes, 'here'));
      const altered = Buffer.from(bytes);
      const at = place % altered.length;
      altered[at] = (altered[at] ?? 0) ^ 1;
      assert.throws(() => keys.decrypt(altered, 'here'));
      assert.notDeepEqual(keys.encrypt(text, 'here'), bytes);
    }),
    { numRuns: 50 },
  );
});

test('sql fragments are spliced with their parameters in order, values never become SQL', () => {
  const inner = joinSql([sql`a = ${1}`, sql`b = ${"'; drop table x"}`], sql` and `);
  assert.deepEqual(toStatement(sql`select ${0} where ${inner} limit ${9}`), {
    text: 'select $1 where a = $2 and b = $3 limit $4',
    values: [0, 1, "'; drop table x", 9],
  });
});

test('a bucket lets a burst of two seconds through, then its rate, and loses nothing to a clock set back', () => {
  const limiter = createRateLimiter(100);
  const taken = (count: number, at: number): number =>
    Array.from({ length: count }, () => limiter.take('one', at).allowed).filter(Boolean).length;
  assert.equal(taken(300, 1_000), 200);
  assert.equal(taken(300, 1_100), 10);
  assert.equal(taken(300, 500), 0);
  assert.deepEqual(limiter.take('one', 500), { allowed: false, remaining: 0, seconds: 1 });
  assert.equal(limiter.take('other', 500).allowed, true);
});

test('an Idempotency-Key may be bare or a quoted string of printable ASCII', () => {
  const table: [string, string | null][] = [
    ['abc', 'abc'],
    ['"abc"', 'abc'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['', null],
    ['""', null],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), null],
    ['ümlaut', null],
    ['a\tb', null],
  ];
  for (const [header, key] of table) assert.equal(readIdempotencyKey(header), key, header);
});

test('Accept lets JSON through unless it is excluded', () => {
  const asked = ['*/*', 'application/json', 'application/*;q=0.1', 'text/html, */*;q=0.1', 'application/problem+json'];
  const noProblem = ['application/problem+json;q=0, */*', 'application/problem+json;q=0, application/*'];
  for (const header of [undefined, '', ...asked, ...noProblem]) {
    assert.equal(acceptsJson(header), true, header ?? 'none');
  }
  for (const header of [
    'text/html',
    'application/json;q=0',
    'application/json;q=0, */*',
    'image/*',
    'application/problem+json;q=0',
  ]) {
    assert.equal(acceptsJson(header), false, header ?? 'none');
  }
});

test('a body is JSON only under application/json in UTF-8', () => {
  for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset="UTF-8"']) {
    assert.equal(isJsonContent(type), true, type ?? 'none');
  }
  for (const type of [undefined, 'text/plain', 'application/json; charset=latin1', 'application/jsonp']) {
    assert.equal(isJsonContent(type), false, type ?? 'none');
  }
});

test('entity tags are compared as RFC 9110 says', () => {
  assert.equal(namesTag('"a", W/"b"', '"b"'), true);
  assert.equal(namesTag('*', '"b"'), true);
  assert.equal(namesTag('"a"', '"b"'), false);
  assert.equal(allowsChange(undefined, '"b"'), true);
  assert.equal(allowsChange('"a", "b"', '"b"'), true);
  assert.equal(allowsChange('"b.expanded"', '"b"'), true);
  assert.equal(allowsChange('W/"b"', '"b"'), false);
});

test('an error of several addresses, which has no message of its own, is told by theirs', () => {
  const refused = (address: string): Error => new Error(`connect ECONNREFUSED ${address}:5432`);
  const both = new AggregateError([refused('::1'), refused('127.0.0.1')]);
  assert.equal(messageOf(both), 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432');
  assert.equal(
    messageOf(new Error('the database is not available', { cause: refused('::1') })),
    'the database is not available (connect ECONNREFUSED ::1:5432)',
  );
  assert.equal(messageOf(new Error('it failed: no room', { cause: new Error('no room') })), 'it failed: no room');
  assert.equal(messageOf(new Error('it failed')), 'it failed');
  assert.equal(messageOf('text'), 'text');
});

test('of what a database error quotes nothing is logged, on however many lines, and its stack is', () => {
  const error = Object.assign(new Error('invalid input: "one\nGeheim"'), { severity: 'ERROR', code: '22P02' });
  const logged = describeError(new Error('it failed', { cause: error }));
  assert.doesNotMatch(JSON.stringify(logged), /one|Geheim/);
  assert.match(JSON.stringify(logged), /22P02.* at .*platform\.test\.ts/);
});

test('what a database says of itself is logged, so that an operator sees what to do', () => {
  const said = {
    '25006': 'cannot execute INSERT in a read-only transaction',
    '28000': 'role "wattline" is not permitted to log in',
    '3D000': 'database "wattline" does not exist',
    '42501': 'permission denied for table customers',
    '53300': 'too many connections for role "wattline"',
    '57014': 'canceling statement due to user request',
    '57P01': 'terminating connection due to administrator command',
  };
  for (const [code, text] of Object.entries(said)) {
    const error = Object.assign(new Error(text), { severity: 'FATAL', code });
    assert.equal(describeError(error)['message'], text);
  }
});

test('a short cache asks once for many callers, and never keeps what is missing', async () => {
  const cache = createShortCache<string>(60_000, 2);
  let asked = 0;
  const load = async (): Promise<string | null> => {
    asked += 1;
    return asked === 1 ? null : 'found';
  };
  assert.deepEqual(await Promise.all([cache.find('a', load), cache.find('a', load)]), [null, null]);
  assert.equal(await cache.find('a', load), 'found');
  assert.equal(await cache.find('a', load), 'found');
  assert.equal(asked, 2);
});

test('all that ask for readiness while a look at the database is on its way share it, but not for long', async () => {
  const looks: PromiseWithResolvers<void>[] = [];
  const seen = { nowMs: 0 };
  const check = sharedCheck(
    () => {
      const look = Promise.withResolvers<void>();
      looks.push(look);
      return look.promise;
    },
    () => seen.nowMs,
  );
  const asked = [check(), check()];
  assert.equal(looks.length, 1);
  looks[0]?.resolve();
  await Promise.all(asked);
  const hanging = check();
  assert.equal(looks.length, 2);
  seen.nowMs = 300;
  const next = check();
  assert.equal(looks.length, 3);
  looks[2]?.resolve();
  await next;
  looks[1]?.reject(new Error('away'));
  await assert.rejects(hanging, /away/);
});

test('a folder is made with those above it, and where none can be made, or written to, the reason is told', async (context) => {
  const top = temporaryFolder(context, 'folders');
  makeFolder(join(top, 'one/two'), 0o700);
  makeFolder(join(top, 'one/two'), 0o711);
  assert.deepEqual(
    ['one', 'one/two'].map((name) => statSync(join(top, name)).mode & 0o777),
    [0o700, 0o700],
  );
  const reason = await cannotMount('tmpfs');
  if (reason !== null) return context.diagnostic(reason);
  const mount = await mountMemory(context, join(top, 'full'), 1024 ** 2);
  assert.throws(() => writeFileSync(join(mount.folder, 'all'), Buffer.alloc(2 * 1024 ** 2)), { code: 'ENOSPC' });
  const full = new RegExp(`^could not write to ${mount.folder} \\(ENOSPC`);
  assert.throws(
    () => writeAtomically(join(mount.folder, 'lock'), 'x'),
    (error) => full.test(messageOf(error)),
  );
  await mount.makeReadOnly();
  assert.throws(() => makeFolder(join(mount.folder, 'one/two')), { code: 'EROFS' });
});

test('an instant is shown to its second, rounded down, whatever was shown before', () => {
  const instant = fc.integer({ min: -4_000, max: 4_000 }).map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
  fc.assert(
    fc.property(fc.array(instant), (instants) => {
      for (const each of instants) {
        assert.equal(formatInstant(each), each.toString({ smallestUnit: 'second', roundingMode: 'floor' }));
      }
    }),
  );
});
