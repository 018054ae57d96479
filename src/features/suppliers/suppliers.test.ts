import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { foldName } from '#domain/supplier-name.ts';
import { wallClock } from '#platform/clock.ts';
import { createKeys } from '#platform/crypto.ts';
import { createDatabase, type Database } from '#platform/database/pool.ts';
import type { Caller, Query, Request } from '#platform/http/contract.ts';
import { createPager } from '#platform/http/paging.ts';
import { createUuidMint } from '#platform/uuid.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { importSuppliers, SANDBOX_SUPPLIER_NAMES, seedSandboxSuppliers, type ImportSummary } from './index.ts';
import { handleListSuppliers } from './list-suppliers.ts';
import { lockImport } from './store.ts';

const keys = createKeys(Buffer.alloc(32, 7));

const GERMAN_SUPPLIERS = fileURLToPath(new URL('../../../../shared/data/german-suppliers-2020.csv', import.meta.url));

const mintUuid = createUuidMint(wallClock);
const pager = createPager(createKeys(Buffer.alloc(32, 1)));
const own: { testDatabase: TestDatabase; database: Database; admin: Client }[] = [];

async function open(): Promise<{ database: Database; admin: Client }> {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({ connection: testDatabase.connection, maxConnections: 4, onIdleError: () => {} });
  const admin = new Client(testDatabase.connection);
  await admin.connect();
  own.push({ testDatabase, database, admin });
  return { database, admin };
}

after(async () => {
  for (const { testDatabase, database, admin } of own) {
    await database.close();
    await admin.end();
    await testDatabase.drop();
  }
});

function importText(database: Database, text: string): Promise<ImportSummary> {
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  }
  return importSuppliers({ database, clock: wallClock, mintUuid, keys }, source());
}

async function list(
  database: Database,
  search: string | null,
  options: { limit?: number; cursor?: string; mode?: 'live' | 'sandbox' } = {},
): Promise<{ names: string[]; next: string | null }> {
  const { limit = 20, cursor, mode = 'live' } = options;
  const caller: Caller = { projectId: 'p', mode, credentialId: 'c', scopes: ['read:*'], apiVersion: '' };
  const values = search === null ? {} : { search };
  const query: Query = { values, expand: new Set(), filters: [], limit, cursor };
  const answer = await handleListSuppliers({ database, pager }, { caller, query, errors: [] } as unknown as Request);
  const body = JSON.parse(answer.body ?? '') as { items: { name: string }[]; next_page: string | null };
  return { names: body.items.map(({ name }) => name), next: body.next_page };
}

async function walk(database: Database, search: string | null, limit: number): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list(database, search, { limit, ...(cursor === undefined ? {} : { cursor }) });
    names.push(...page.names);
    if (page.next === null) return names;
    cursor = page.next;
  }
}

test('rows are imported, bad ones reported with their lines, and a second run changes nothing', async () => {
  const { database, admin } = await open();
  const file = [
    'Name;CODE;code_type;country;city',
    'Stadtwerke Köln;9900000000001;;;Köln',
    ';9900000000002;;;',
    'Kurz;123;;;',
    'Typ;9900000000003;XYZ;;',
    'Typ ohne Code;;BDEW;;',
    'Land;;;DEU;',
    '***;;;;',
    'Sandbox Supplier - bound;;;;',
    'Gas Wien;9800000000004;;at;',
    '"Zwei\nZeilen";;;;',
    'GLN;4012345000009;bdew;;',
    'Zu;viele;Felder;;;',
  ].join('\r\n');
  const first = await importText(database, file);
  assert.deepEqual(first.rejected, [
    { line: 3, message: 'has no name' },
    { line: 4, message: 'has the code "123", which is not 13 digits' },
    { line: 5, message: 'has the code_type "XYZ", which is none of BDEW, DVGW, GLN' },
    { line: 6, message: 'has a code_type but no code' },
    { line: 7, message: 'has the country "DEU", which is no ISO 3166 alpha-2 code' },
    { line: 8, message: 'has a name without a letter or digit' },
    { line: 9, message: 'has a name that is kept for the simulated market' },
    { line: 14, message: 'has 6 fields, the header has 5' },
  ]);
  assert.deepEqual({ ...first, rejected: 0 }, { read: 12, inserted: 4, updated: 0, unchanged: 0, rejected: 0 });
  const stored = await admin.query('select name, code, code_type, country, sandbox from suppliers order by name');
  assert.deepEqual(stored.rows, [
    { name: 'GLN', code: '4012345000009', code_type: 'BDEW', country: 'DE', sandbox: false },
    { name: 'Gas Wien', code: '9800000000004', code_type: 'DVGW', country: 'AT', sandbox: false },
    { name: 'Stadtwerke Köln', code: '9900000000001', code_type: 'BDEW', country: 'DE', sandbox: false },
    { name: 'Zwei Zeilen', code: null, code_type: null, country: 'DE', sandbox: false },
  ]);
  const second = await importText(database, file);
  assert.deepEqual({ ...second, rejected: 0 }, { read: 12, inserted: 0, updated: 0, unchanged: 4, rejected: 0 });
  const third = await importText(
    database,
    'code,name\n9900000000001,RheinEnergie\n,Zwei Zeilen\n9900000000009,zwei-zeilen\n',
  );
  assert.deepEqual(third, { read: 3, inserted: 0, updated: 2, unchanged: 0, rejected: [] });
});

test('a file of many batches counts each supplier once, and two imports at once make no duplicate', async () => {
  const { database, admin } = await open();
  const rows = Array.from(
    { length: 5000 },
    (_, at) => `Werk ${at % 2500};${at % 3 === 0 ? '' : `99${String(at % 2500).padStart(11, '0')}`}`,
  );
  const file = `name;code\n${rows.join('\n')}\n`;
  const progress: number[] = [];
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from(file);
  }
  const dependencies = { database, clock: wallClock, mintUuid, keys };
  const [one, two] = await Promise.all([
    importSuppliers(dependencies, source(), ({ read }) => progress.push(read)),
    importText(database, file),
  ]);
  assert.deepEqual(progress, [1000, 2000, 3000, 4000, 5000]);
  assert.equal(one.inserted + two.inserted, 2500);
  assert.equal(one.inserted + one.updated + one.unchanged, 2500);
  const count = 'select count(*)::int as all, count(distinct search_name)::int as names from suppliers';
  assert.deepEqual((await admin.query(count)).rows, [{ all: 2500, names: 2500 }]);
  const again = await importText(database, file);
  assert.deepEqual({ ...again, rejected: 0 }, { read: 5000, inserted: 0, updated: 0, unchanged: 2500, rejected: 0 });
});

test('an import that breaks down has changed nothing', async () => {
  const { database, admin } = await open();
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from(`name\n${Array.from({ length: 1500 }, (_, at) => `Werk ${at}`).join('\n')}\n`);
    throw new Error('killed');
  }
  await assert.rejects(importSuppliers({ database, clock: wallClock, mintUuid, keys }, broken()), /killed/);
  assert.deepEqual((await admin.query('select from suppliers')).rowCount, 0);
});

test('rows that name one supplier are taken together, however far apart they stand', async () => {
  const { database } = await open();
  const between = Array.from({ length: 2500 }, (_, at) => `Werk ${at};;`).join('\n');
  const file = `name;code;country\nKÖLN;;AT\nBonn;9900000000002;\n${between}\nKöln;9900000000001;\nBONN;9900000000002;\n`;
  const first = await importText(database, file);
  assert.deepEqual([first.inserted, first.updated, first.unchanged], [2502, 0, 0]);
  assert.deepEqual((await list(database, 'köln')).names, ['KÖLN'], 'rows without code come after those with');
  assert.deepEqual((await list(database, 'bonn')).names, ['BONN']);
  const second = await importText(database, file);
  assert.deepEqual([second.inserted, second.updated, second.unchanged], [0, 0, 2502]);
});

test('an import keeps no start waiting', async () => {
  const { database } = await open();
  await database.transaction(async (transaction) => {
    await lockImport(transaction);
    await seedSandboxSuppliers({ database, clock: wallClock, mintUuid });
  });
});

test('the suppliers of the sandbox are seeded once, also twice at once, and live projects do not see them', async () => {
  const { database } = await open();
  const dependencies = { database, clock: wallClock, mintUuid, keys };
  await Promise.all([seedSandboxSuppliers(dependencies), seedSandboxSuppliers(dependencies)]);
  await seedSandboxSuppliers(dependencies);
  assert.deepEqual((await list(database, null, { mode: 'sandbox' })).names.sort(), [...SANDBOX_SUPPLIER_NAMES].sort());
  assert.deepEqual((await list(database, 'sandbox', { mode: 'sandbox', limit: 1 })).names.length, 1);
  assert.deepEqual(await list(database, null), { names: [], next: null });
  assert.deepEqual(await list(database, 'sandbox'), { names: [], next: null });
});

test('searching', async (context) => {
  const { database, admin } = await open();
  const names = [
    'Stadtwerke München GmbH',
    'Stadtwerke Münster GmbH',
    'Stadtwerke Munster-Bispingen GmbH',
    'Stadtwerke Waldmünchen',
    'München Energie eG',
    'Vattenfall Europe Sales GmbH',
    'ENPURE - eine Marke der Vattenfall Real Estate Energy Sales GmbH',
    'EnBW Energie Baden-Württemberg AG',
    'Bad Honnef AG',
    'E.ON Energie Deutschland GmbH',
    'N-ERGIE Aktiengesellschaft',
    'Strom 100% & mehr_Gas',
    'E-Werk Gerolsheim',
    'EWE VERTRIEB GmbH',
    'Energie Rhein-Sieg GmbH',
    'RheinEnergie AG',
    'Gemeindewerk Kaufungen - Eine Marke der Städtische Werke AG Kassel',
    'Städtische Werke AG Kassel',
    'SWB Energie- und Wasserversorgung Bonn',
    'Stadtwerke Bonn GmbH',
  ];
  await importText(database, `name\n${names.map((name) => `"${name}"`).join('\n')}`);
  const first = async (search: string): Promise<string | undefined> => (await list(database, search)).names[0];

  await context.test('the best fit comes first, whatever the spelling', async () => {
    const expected: Record<string, string> = {
      'stadtwerk munchen': 'Stadtwerke München GmbH',
      'Stadtwerke Muenchen': 'Stadtwerke München GmbH',
      'stadwerke münchen': 'Stadtwerke München GmbH',
      'münchen stadtw': 'Stadtwerke München GmbH',
      stadtwerkemünchen: 'Stadtwerke München GmbH',
      'stadtwerke münster': 'Stadtwerke Münster GmbH',
      mün: 'München Energie eG',
      vattenfal: 'Vattenfall Europe Sales GmbH',
      vatenfal: 'Vattenfall Europe Sales GmbH',
      EnBW: 'EnBW Energie Baden-Württemberg AG',
      'baden württemberg': 'EnBW Energie Baden-Württemberg AG',
      eon: 'E.ON Energie Deutschland GmbH',
      'e.on ag': 'E.ON Energie Deutschland GmbH',
      nergie: 'N-ERGIE Aktiengesellschaft',
      'n-ergie': 'N-ERGIE Aktiengesellschaft',
      ewe: 'EWE VERTRIEB GmbH',
      ewerk: 'E-Werk Gerolsheim',
      'EON SE': 'E.ON Energie Deutschland GmbH',
      'N-Ergie AG': 'N-ERGIE Aktiengesellschaft',
      'EWE AG': 'EWE VERTRIEB GmbH',
      'Rhein Energie': 'RheinEnergie AG',
      'Städtische Werke Kassel': 'Städtische Werke AG Kassel',
      sw: 'SWB Energie- und Wasserversorgung Bonn',
      'SW München': 'Stadtwerke München GmbH',
      'sw münchn': 'Stadtwerke München GmbH',
      'sw bonn': 'Stadtwerke Bonn GmbH',
    };
    for (const [search, name] of Object.entries(expected)) assert.equal(await first(search), name, search);
  });

  await context.test(
    'a word that no name has, or that nobody recognises, hides nothing; what fits whole comes alone',
    async () => {
      const expected: Record<string, readonly string[]> = {
        'vattenfall berlin': [
          'Vattenfall Europe Sales GmbH',
          'ENPURE - eine Marke der Vattenfall Real Estate Energy Sales GmbH',
        ],
        'berlin vattenfal': [
          'Vattenfall Europe Sales GmbH',
          'ENPURE - eine Marke der Vattenfall Real Estate Energy Sales GmbH',
        ],
        'Stadtwerke Mnschtr Bispingen GmbH': ['Stadtwerke Munster-Bispingen GmbH'],
        'Vattenfall Europe Holding': ['Vattenfall Europe Sales GmbH'],
        'vattenfall sales': [
          'Vattenfall Europe Sales GmbH',
          'ENPURE - eine Marke der Vattenfall Real Estate Energy Sales GmbH',
        ],
        'xyzzyq quuxus': [],
      };
      for (const [search, found] of Object.entries(expected)) {
        assert.deepEqual((await list(database, search)).names, found, search);
      }
      assert.equal(await first('stadtwerke vattenfall berlin'), undefined, 'most of the words must fit');
    },
  );

  await context.test('wildcards are plain text', async () => {
    for (const search of ['%', '_', '\\', '%%%', "'", '"'])
      assert.deepEqual(await list(database, search), { names: [], next: null });
    assert.equal(await first('100% &'), 'Strom 100% & mehr_Gas');
    assert.deepEqual(
      (await list(database, 'str_m')).names.filter((name) => name.startsWith('Strom')).length <= 1,
      true,
    );
    assert.equal((await list(database, 'xyzzyq')).names.length, 0);
  });

  await context.test('walking page by page gives every supplier once, in the order of one page', async () => {
    for (const search of ['stadtwerke', 'm', 'stadwerke', 'gmbh', 'energie', 'stadtwerke vattenfall', null]) {
      const all = (await list(database, search, { limit: 100 })).names;
      for (const limit of [1, 2, 3]) assert.deepEqual(await walk(database, search, limit), all, `${search} ${limit}`);
    }
    assert.deepEqual(await walk(database, null, 5), names.toReversed());
  });

  await context.test('each tier is served by the trigram index', async () => {
    const filler = Array.from(
      { length: 20_000 },
      (_, at) => `Werk ${at.toString(36)} ${(at * 7919).toString(36)} GmbH`,
    );
    await importText(database, `name\n${filler.join('\n')}`);
    await admin.query('vacuum analyze suppliers');
    const plan = async (where: string): Promise<string> =>
      (await admin.query(`explain select * from suppliers where ${where}`)).rows
        .map((row: object) => Object.values(row)[0])
        .join('\n');
    assert.match(
      await plan(`search_name like 'munchen%' or search_name like '% munchen%'`),
      /Bitmap Index Scan on suppliers_search/,
    );
    assert.match(
      await plan(`'stadwerke' <% search_name and 'munchen' <% search_name`),
      /Bitmap Index Scan on suppliers_search/,
    );
    assert.match(
      await plan(`not sandbox and id < '01890a5d-ac96-774b-bcce-b302099a8057' order by id desc limit 21`),
      /Index Scan Backward using suppliers_pkey/,
    );
    assert.equal(await first('stadwerke münchen'), 'Stadtwerke München GmbH');
    assert.equal(await first('vatenfal'), 'Vattenfall Europe Sales GmbH');
  });
});

test('the suppliers of 2020, as customers call them', { skip: !existsSync(GERMAN_SUPPLIERS) }, async () => {
  const { database } = await open();
  const dependencies = { database, clock: wallClock, mintUuid, keys };
  const first = await importSuppliers(dependencies, createReadStream(GERMAN_SUPPLIERS));
  assert.deepEqual(first.rejected, []);
  assert.ok(first.inserted > 1190 && first.inserted <= first.read, JSON.stringify(first));
  const second = await importSuppliers(dependencies, createReadStream(GERMAN_SUPPLIERS));
  assert.deepEqual(second, { ...first, inserted: 0, unchanged: first.inserted });
  const expected: Record<string, RegExp> = {
    ewe: /^EWE VERTRIEB GmbH$/,
    'SW Bielefeld': /^Stadtwerke Bielefeld GmbH$/,
    'sw bielfeld': /^Stadtwerke Bielefeld GmbH$/,
    'EWE AG': /^EWE VERTRIEB GmbH$/,
    'E.ON SE': /^E\.ON Energie Deutschland GmbH$/,
    'Mark-E GmbH': /^Mark-E /,
    'N-Ergie AG': /^N-ERGIE Aktiengesellschaft$/,
    'Rhein Energie': /^RheinEnergie AG$/,
    'Rhein Energie AG': /^RheinEnergie AG$/,
    'Stadtwerke Essen GmbH': /^Stadtwerke Essen AG$/,
    'stadtwerke co': /^Stadtwerke Coesfeld GmbH$/,
    'Pfalz-Werke': /^Pfalzwerke AG$/,
    'swb bremen': /^swb Vertrieb Bremen GmbH$/,
    'EWS Schönau': /^EWS - Elektrizitätswerke Schönau Vertriebs GmbH$/,
    'stadtwerk munchen': /^Stadtwerke Waldmünchen$/,
    'Stadtwerke Muenchen': /^Stadtwerke Waldmünchen$/,
    'stadwerke münchen': /^Stadtwerke Waldmünchen$/,
    vattenfal: /^Vattenfall Europe Sales GmbH$/,
    EnBW: /^EnBW Energie Baden-Württemberg AG$/,
    lichtblik: /^LichtBlick SE$/,
    'stadtwerke dusseldorf': /^Stadtwerke Düsseldorf AG$/,
    'e.on': /^E\.ON Energie Deutschland GmbH$/,
    'vattenfall berlin': /^Vattenfall Europe Sales GmbH$/,
    'eon bayern': /^E\.ON Energie Deutschland GmbH$/,
    'ewe oldenburg': /^EWE VERTRIEB GmbH$/,
    'rwe essen': /^RWE$/,
    'yello köln': /^Yello Strom GmbH$/,
    'Stadtwerke Bielefeld Nord GmbH': /^Stadtwerke Bielefeld GmbH$/,
  };
  for (const [search, name] of Object.entries(expected)) {
    const { names } = await list(database, search);
    assert.match(names[0] ?? '', name, search);
    assert.deepEqual(names, [...new Set(names)]);
  }
  assert.equal(foldName('Stadtwerke Düsseldorf AG'), 'stadtwerke dusseldorf ag');
});
