/** The short form of the torture of upgrades: fewer rows, fewer kills. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { refuseStatements } from '#test/support/migration-rules.ts';
import { upgrade } from '../../torture/upgrade.ts';
import { MIGRATIONS_MORE } from '../../torture/versions.ts';

const hasHistory = existsSync(fileURLToPath(new URL('../../.git', import.meta.url)));

test(
  'an upgrade is whole after every kill, and two versions serve at once without a failed request',
  { skip: hasHistory ? false : 'without the history of git there is no version before' },
  async (context) => {
    const findings = await upgrade({ subscriptions: 1_000, kills: { process: 3, server: 1 }, seconds: 1 });
    for (const { name, value, limit } of findings) context.diagnostic(`${name}: ${value} (${limit})`);
    assert.deepEqual(
      findings.filter(({ ok }) => !ok),
      [],
    );
  },
);

test('the migrations it adds are written as the rules for migrations ask', () => {
  assert.deepEqual(
    MIGRATIONS_MORE.flatMap(([, text]) => refuseStatements(text)),
    [],
  );
});
