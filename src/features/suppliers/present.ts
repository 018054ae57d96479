import { formatId } from '#domain/identifiers.ts';
import type { SupplierRow } from './store.ts';

/** A supplier as JSON text. */
export function presentSupplier(row: SupplierRow): string {
  return JSON.stringify({
    object: 'supplier',
    id: formatId('mp', row.id),
    name: row.name,
    code: row.code,
    code_type: row.code_type,
    country: row.country,
    created_at: row.created_at,
  });
}
