import { formatId } from '#domain/identifiers.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once, type OnceDependencies } from '#platform/http/idempotency.ts';
import { eraseReasons } from '../audit-log/index.ts';
import {
  eraseLead,
  isErased,
  leadTag,
  lockNamedLead,
  presentLead,
  type PresentLeadDependencies,
} from '../leads/index.ts';
import { readPresent } from '../projects/index.ts';
import { eraseEvents } from './erase-events.ts';
import { deleteKeys } from './erase-store.ts';
import { ERASED_ZIP } from './erase-traces.ts';
import { readHeldKeys } from './holdings-store.ts';

/** What erasing a lead needs. */
export type EraseLeadDependencies = OnceDependencies & PresentLeadDependencies;

/**
 * `POST /leads/{id}/erase`: removes everything personal of somebody who has not signed up, in one commit (GDPR art. 17).
 * Once more it answers the same. What has become a subscription is erased with its customer.
 */
export async function handleEraseLead(dependencies: EraseLeadDependencies, request: Request): Promise<Answer> {
  const { keys } = dependencies;
  const { projectId } = request.caller;
  return once(dependencies, request, async (transaction) => {
    const known = await lockNamedLead(dependencies, transaction, request);
    const resource = formatId('lead', known.id);
    const now = await readPresent(dependencies, transaction, projectId);
    const erased = isErased(known)
      ? known
      : await eraseLead(transaction, projectId, { ...known, updated_at: formatInstant(now) }, ERASED_ZIP);
    await eraseEvents(transaction, projectId, [{ kind: 'resource', id: known.id }]);
    await eraseReasons(keys, transaction, projectId, [resource]);
    const kept = await readHeldKeys(transaction, projectId, [`/leads/${resource}`]);
    await deleteKeys(
      transaction,
      projectId,
      kept.map(({ key }) => key),
    );
    const body = presentLead(dependencies, projectId, erased);
    return { status: 200, body, headers: { etag: leadTag(erased, body) }, forgetsReason: true };
  });
}
