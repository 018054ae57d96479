import { hasVisibleText, isMarketPartnerId } from '#domain/identifiers.ts';
import { foldName } from '#domain/supplier-name.ts';
import { NO_PROJECT, type AuditTools } from '#platform/audit.ts';
import { formatInstant } from '#platform/clock.ts';
import { auditOperator } from '#platform/database/audit.ts';
import type { Database } from '#platform/database/pool.ts';
import { COUNTRIES } from './countries.ts';
import { planImport, type ImportPlan, type SupplierRecord } from './plan-import.ts';
import { readCsv } from './read-csv.ts';
import { CODE_TYPES } from './schema.ts';
import { isSandboxName } from './seed-sandbox-suppliers.ts';
import { insertSuppliers, lockImport, readKnownSuppliers, updateSuppliers } from './store.ts';

/** How far an import has come. */
export interface ImportProgress {
  /** Rows with any value, good and bad. */
  readonly read: number;
  /** Bad rows. */
  readonly rejected: number;
}

/** What an import did. */
export interface ImportSummary {
  /** Rows with any value, good and bad. */
  readonly read: number;
  /** Suppliers, each counted once however often the file names it. */
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Each bad row with the line it begins in; the header is line 1. */
  readonly rejected: readonly { readonly line: number; readonly message: string }[];
}

/** What the import needs. */
export interface ImportDependencies extends AuditTools {
  readonly database: Database;
}

const PROGRESS_ROWS = 1000;
const MAX_NAME_CHARACTERS = 300;
const COLUMNS = { needed: ['name'], optional: ['code', 'code_type', 'country'] };

/**
 * Reads suppliers from a CSV file with the columns `name` (needed), `code`, `code_type` and `country`; others are
 * ignored. All of it is one transaction: cut short, it has changed nothing, and running again changes only what differs.
 *
 * @throws UnreadableCsv when the file is no table with a column `name`, or has one of these columns twice
 */
export async function importSuppliers(
  dependencies: ImportDependencies,
  stream: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportSummary> {
  let read = 0;
  const rejected: { line: number; message: string }[] = [];
  const records: SupplierRecord[] = [];
  for await (const row of readCsv(stream, COLUMNS)) {
    read += 1;
    const record = row.ok ? readRecord(row.values) : row.message;
    if (typeof record === 'string') rejected.push({ line: row.line, message: record });
    else records.push(record);
    if (read % PROGRESS_ROWS === 0) onProgress({ read, rejected: rejected.length });
  }
  if (read % PROGRESS_ROWS !== 0) onProgress({ read, rejected: rejected.length });
  const { inserts, updates, unchanged } = await storeRecords(dependencies, records);
  return { read, inserted: inserts.length, updated: updates.length, unchanged, rejected };
}

async function storeRecords(dependencies: ImportDependencies, records: readonly SupplierRecord[]): Promise<ImportPlan> {
  const { database, clock, mintUuid } = dependencies;
  const now = clock.now();
  return database.transaction(async (transaction) => {
    await lockImport(transaction);
    const codes = records.map(({ code }) => code).filter((code) => code !== null);
    const names = records.map(({ searchName }) => searchName);
    const known = await readKnownSuppliers(transaction, codes, names);
    const plan = planImport(known, records, () => mintUuid(now));
    // First the changes: a supplier that gets a code makes room for a namesake without one.
    if (plan.updates.length > 0) await updateSuppliers(transaction, plan.updates, formatInstant(now));
    if (plan.inserts.length > 0) {
      await insertSuppliers(transaction, plan.inserts, { sandbox: false, now: formatInstant(now) });
    }
    if (plan.updates.length + plan.inserts.length > 0) {
      const change = { projectId: NO_PROJECT, operation: 'supplier import', resource: null };
      await auditOperator(transaction, dependencies, change);
    }
    return plan;
  }, 'unhurried');
}

/** The row as a supplier, or what is wrong with it. */
function readRecord(values: Readonly<Record<string, string>>): SupplierRecord | string {
  const name = (values['name'] ?? '').replaceAll(/\s+/g, ' ').normalize('NFC');
  const code = values['code'] || null;
  const givenType = values['code_type'] || null;
  const country = values['country']?.toUpperCase() || null;
  if (!hasVisibleText(name)) return 'has no name';
  if (Array.from(name).length > MAX_NAME_CHARACTERS) return `has a name of more than ${MAX_NAME_CHARACTERS} characters`;
  if (/\p{Cc}/u.test(name)) return 'has a control character in its name';
  const searchName = foldName(name);
  if (searchName === '') return 'has a name without a letter or digit';
  if (isSandboxName(searchName)) return 'has a name that is kept for the simulated market';
  if (code !== null && !isMarketPartnerId(code)) return `has the code ${JSON.stringify(code)}, which is not 13 digits`;
  const codeType = CODE_TYPES.find((known) => known === givenType?.toUpperCase()) ?? null;
  if (givenType !== null && codeType === null) {
    return `has the code_type ${JSON.stringify(givenType)}, which is none of ${CODE_TYPES.join(', ')}`;
  }
  if (code === null && codeType !== null) return 'has a code_type but no code';
  if (country !== null && !COUNTRIES.has(country)) {
    return `has the country ${JSON.stringify(country)}, which is no ISO 3166 alpha-2 code`;
  }
  return { name, searchName, code, codeType, country };
}
