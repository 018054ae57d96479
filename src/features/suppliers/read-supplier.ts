import { parseId } from '#domain/identifiers.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { notFound } from '#platform/http/problems.ts';
import { presentSupplier } from './present.ts';
import { findSupplier } from './store.ts';

/** `GET /suppliers/{id}` */
export async function handleReadSupplier(
  { database }: { readonly database: Database },
  { caller, parameters }: Request,
): Promise<Answer> {
  const id = parseId('mp', parameters['id'] ?? '');
  const supplier = id === null ? null : await findSupplier(database, caller.mode, id);
  if (supplier === null) throw notFound();
  const body = presentSupplier(supplier);
  return { status: 200, body, headers: { etag: entityTag(body) } };
}
