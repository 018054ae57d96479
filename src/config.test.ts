/** Settings that are more than a text: read, and refused with a sentence that names them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ConfigError, readConfig, SETTINGS } from './config.ts';

test('docs/operations.md shows every setting with its default and what it means', () => {
  const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\| (.+?) +\|$/gm)];
  const ofSchedule = 'WEBHOOK_RETRY_SCHEDULE';
  assert.deepEqual(
    rows.map(([, name, , meaning]) => [name, meaning]),
    SETTINGS.map(({ name, meaning }) => [name, meaning]),
  );
  assert.deepEqual(
    rows.flatMap(([, name, fallback]) => (name === ofSchedule ? [] : [[name, fallback?.replaceAll('`', '')]])),
    SETTINGS.flatMap(({ name, fallback }) => (name === ofSchedule ? [] : [[name, fallback]])),
  );
  const { fallback } = SETTINGS.find(({ name }) => name === ofSchedule) ?? assert.fail();
  // Too long for the table.
  assert.ok(page.includes(`\`${ofSchedule}\` is by default \`${fallback}\`.`));
});

describe('the settings of webhooks', () => {
  test('have the defaults of interface.md', () => {
    assert.deepEqual(readConfig({}).webhooks, {
      allowPrivate: false,
      retrySchedule: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
      ports: [],
    });
  });

  test('are read', () => {
    const { webhooks } = readConfig({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_SCHEDULE: 'PT1S, 0.2,0,PT0.5S,P1D',
      WEBHOOK_PORTS: '8443, 9443',
    });
    assert.deepEqual(webhooks, { allowPrivate: true, retrySchedule: [1, 0.2, 0, 0.5, 86_400], ports: [8443, 9443] });
  });

  test('are refused with their name', () => {
    for (const [name, values] of Object.entries({
      WEBHOOK_ALLOW_PRIVATE: ['yes', '1', 'TRUE'],
      WEBHOOK_RETRY_SCHEDULE: ['x', ',', '5,', '-1', '-PT1S', 'P1M', 'PT1M5M', 'P31D', Array(51).fill('1').join(',')],
      WEBHOOK_PORTS: ['x', '0', '65536', '443,', '80-90'],
      WEBHOOK_SOMETHING: ['1'],
    })) {
      for (const value of values) {
        assert.throws(
          () => readConfig({ [name]: value }),
          (error: unknown) => error instanceof ConfigError && error.message.startsWith(name),
          `${name}=${value}`,
        );
      }
    }
  });
});

describe('a name that is nearly that of a setting', () => {
  for (const [name, meant] of [
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATADIR', 'DATA_DIR'],
    ['database_url', 'DATABASE_URL'],
    ['Public-Url', 'PUBLIC_URL'],
    ['WEBHOOKPORTS', 'WEBHOOK_PORTS'],
  ] as const) {
    test(`is refused: ${name}`, () => {
      assert.throws(() => readConfig({ [name]: 'x' }), new ConfigError(`${name} is not a setting: ${meant} is`));
    });
  }

  test('is nobody’s business where others may mean something else by it', () => {
    readConfig({ port: 'x', Host: 'x', LOG: 'x', DB_URL: 'x', NODE_ENV: 'production', LOGLEVELS: 'x' });
  });
});

describe('the number of processes', () => {
  test('is one, unless it is set', () => {
    assert.equal(readConfig({}).processes, 1);
    assert.equal(readConfig({ PROCESSES: '16' }).processes, 16);
  });

  test('is refused with its name when it is none from 1 to 16', () => {
    for (const PROCESSES of ['0', '17', '-1', '1.5', 'auto']) {
      assert.throws(
        () => readConfig({ PROCESSES }),
        (error: unknown) => error instanceof ConfigError && error.message.startsWith('PROCESSES'),
        PROCESSES,
      );
    }
  });
});

describe('the public URL', () => {
  test('is the beginning of a link', () => {
    for (const end of ['', '/', '//']) {
      const publicUrl = (path: string): string | null =>
        readConfig({ PUBLIC_URL: `https://w.example${path}${end}` }).publicUrl;
      assert.deepEqual([publicUrl(''), publicUrl('/api')], ['https://w.example', 'https://w.example/api']);
    }
  });

  test('is refused with its name when no link can begin with it, and no password of it is repeated', () => {
    const base = 'https://wattline.example';
    for (const PUBLIC_URL of [`${base}?`, `${base}#`, `${base}?a=b`, 'https://me:geheim@wattline.example', 'ftp://x']) {
      assert.throws(
        () => readConfig({ PUBLIC_URL }),
        ({ message }: Error) => message.startsWith('PUBLIC_URL') && !message.includes('geheim'),
        PUBLIC_URL,
      );
    }
  });
});
