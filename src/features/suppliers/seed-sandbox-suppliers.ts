import { foldName } from '#domain/supplier-name.ts';
import { formatInstant, type Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { insertSuppliers } from './store.ts';

/** The suppliers of the simulated market; how each answers a cancellation is in its name. */
export const SANDBOX_SUPPLIER_NAMES = [
  'Sandbox Supplier – confirms',
  'Sandbox Supplier – bound',
  'Sandbox Supplier – already ended',
  'Sandbox Supplier – doubts authority',
  'Sandbox Supplier – silent',
] as const;

const FOLDED_NAMES: ReadonlySet<string> = new Set(SANDBOX_SUPPLIER_NAMES.map(foldName));

/** Whether a folded name is kept for the simulated market. */
export function isSandboxName(folded: string): boolean {
  return FOLDED_NAMES.has(folded);
}

/** Creates the suppliers of the simulated market that are missing; safe to run at any time, also twice at once. */
export async function seedSandboxSuppliers(dependencies: {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
}): Promise<void> {
  const now = dependencies.clock.now();
  const suppliers = SANDBOX_SUPPLIER_NAMES.map((name) => ({
    id: dependencies.mintUuid(now),
    name,
    searchName: foldName(name),
    code: null,
    codeType: null,
    country: 'DE',
  }));
  await insertSuppliers(dependencies.database, suppliers, { sandbox: true, now: formatInstant(now) });
}
