import type { Database } from '#platform/database/pool.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { presentSupplier } from './present.ts';
import { findSupplier } from './store.ts';

/** `GET /suppliers/{id}` */
export async function handleReadSupplier(
  { database }: { readonly database: Database },
  request: Request,
): Promise<Answer> {
  const supplier = await named(request, 'mp', (id) => findSupplier(database, request.caller.mode, id));
  const body = presentSupplier(supplier);
  return { status: 200, body, headers: { etag: entityTag(body) } };
}
