import type { KnownSupplier } from './store.ts';

/** A row of an import, checked. What it does not say is `null`. */
export interface SupplierRecord {
  readonly name: string;
  readonly searchName: string;
  readonly code: string | null;
  readonly codeType: KnownSupplier['codeType'];
  readonly country: string | null;
}

/** What rows change, each supplier once. */
export interface ImportPlan {
  readonly inserts: readonly KnownSupplier[];
  readonly updates: readonly KnownSupplier[];
  /** How many suppliers are named by rows and are as these say already. */
  readonly unchanged: number;
}

const DEFAULT_COUNTRY = 'DE';

/** The type of a code that comes without one: BDEW and DVGW issue codes with beginnings of their own. */
function codeTypeOf(code: string): NonNullable<KnownSupplier['codeType']> {
  if (code.startsWith('99')) return 'BDEW';
  return code.startsWith('98') ? 'DVGW' : 'GLN';
}

/**
 * Decides what rows, of which a later one overrules an earlier, make of the stored suppliers. A row with a code is the
 * supplier of that code, else the one of its folded name that has no code yet, which thereby gets it. A row without code
 * is the supplier of its folded name, one without code if there is one. What a row does not say stays as it is. Rows with
 * codes go first: they decide who has which name.
 *
 * @param known all stored suppliers that share a code or a folded name with one of the rows
 */
export function planImport(
  known: readonly KnownSupplier[],
  rows: readonly SupplierRecord[],
  mintId: () => string,
): ImportPlan {
  const before = new Map(known.map((supplier) => [supplier.id, supplier]));
  const after = new Map(before);
  const byCode = new Map<string, string>();
  const byName = new Map<string, Set<string>>();
  const file = (supplier: KnownSupplier): void => {
    const old = after.get(supplier.id);
    if (old !== undefined) byName.get(old.searchName)?.delete(supplier.id);
    after.set(supplier.id, supplier);
    if (supplier.code !== null) byCode.set(supplier.code, supplier.id);
    byName.set(supplier.searchName, (byName.get(supplier.searchName) ?? new Set()).add(supplier.id));
  };
  known.forEach(file);
  const find = (row: SupplierRecord): KnownSupplier | undefined => {
    const byItsCode = row.code === null ? undefined : byCode.get(row.code);
    if (byItsCode !== undefined) return after.get(byItsCode);
    const namesakes = [...(byName.get(row.searchName) ?? [])].sort();
    const codeless = namesakes.find((id) => after.get(id)?.code === null);
    return after.get(codeless ?? (row.code === null ? namesakes[0] : undefined) ?? '');
  };
  const touched = new Set<string>();
  const coded = rows.filter(({ code }) => code !== null);
  const others = rows.filter(({ code }) => code === null);
  for (const row of [...coded, ...others]) {
    const found = find(row);
    const supplier = merge(found, row, found?.id ?? mintId());
    touched.add(supplier.id);
    file(supplier);
  }
  return compare(before, after, touched);
}

function merge(found: KnownSupplier | undefined, row: SupplierRecord, id: string): KnownSupplier {
  const { name, searchName } = row;
  const code = row.code ?? found?.code ?? null;
  const derived = code === null ? null : codeTypeOf(code);
  const kept = found?.code === code ? found.codeType : null;
  return {
    id,
    name,
    searchName,
    code,
    codeType: row.codeType ?? kept ?? derived,
    country: row.country ?? found?.country ?? DEFAULT_COUNTRY,
  };
}

function compare(
  before: ReadonlyMap<string, KnownSupplier>,
  after: ReadonlyMap<string, KnownSupplier>,
  touched: ReadonlySet<string>,
): ImportPlan {
  const inserts: KnownSupplier[] = [];
  const updates: KnownSupplier[] = [];
  let unchanged = 0;
  for (const id of touched) {
    const supplier = after.get(id);
    if (supplier === undefined) continue;
    const old = before.get(id);
    if (old === undefined) inserts.push(supplier);
    else if (isSame(old, supplier)) unchanged += 1;
    else updates.push(supplier);
  }
  return { inserts, updates, unchanged };
}

function isSame(one: KnownSupplier, other: KnownSupplier): boolean {
  return (
    one.name === other.name &&
    one.searchName === other.searchName &&
    one.code === other.code &&
    one.codeType === other.codeType &&
    one.country === other.country
  );
}
