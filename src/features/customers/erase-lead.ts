import { formatId, parseId } from '#domain/identifiers.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { allowsChange } from '#platform/http/headers.ts';
import { once, type OnceDependencies } from '#platform/http/idempotency.ts';
import { notFound, Problem, problems } from '#platform/http/problems.ts';
import { eraseReasons } from '../audit-log/index.ts';
import {
  eraseLead,
  leadTag,
  lockLead,
  presentLead,
  readPresent,
  type PresentLeadDependencies,
} from '../leads/index.ts';
import { marketProblems } from '../problems.ts';
import { deleteKeys, rewriteEvents } from './erase-store.ts';
import { ERASED_ZIP, eraseEventData } from './erase-traces.ts';
import { walkEvents } from './holdings.ts';
import { readHeldKeys } from './holdings-store.ts';

/** Rewritten by one statement, and in memory at once. */
const PORTION = 100;

/** What erasing a lead needs. */
export type EraseLeadDependencies = OnceDependencies & PresentLeadDependencies;

/**
 * `POST /leads/{id}/erase`: removes everything personal of somebody who has not signed up, in one commit (GDPR art. 17).
 * Once more it answers the same. What has become a subscription is erased with its customer.
 */
export async function handleEraseLead(dependencies: EraseLeadDependencies, request: Request): Promise<Answer> {
  const { keys } = dependencies;
  const { projectId } = request.caller;
  const id = parseId('lead', request.parameters['id'] ?? '');
  return once(dependencies, request, async (transaction) => {
    const known = id === null ? undefined : await lockLead(transaction, projectId, id);
    if (known === undefined) throw notFound();
    const before = presentLead(dependencies, projectId, known);
    if (!allowsChange(request.ifMatch, leadTag(known, before))) throw new Problem(problems.precondition_failed);
    if (known.subscription_id !== null) throw new Problem(marketProblems.lead_already_converted);
    const resource = formatId('lead', known.id);
    const now = await readPresent(dependencies, transaction, projectId);
    const updatedAt = known.personal === null ? known.updated_at : formatInstant(now);
    const erased = await eraseLead(transaction, projectId, { ...known, updated_at: updatedAt }, ERASED_ZIP);
    const subject = { kind: 'resource', id: known.id } as const;
    for await (const events of walkEvents(transaction, projectId, [subject], null, PORTION)) {
      const rewritten = events.map((event) => ({ id: event.id, text: eraseEventData(event.data) }));
      await rewriteEvents(transaction, projectId, rewritten);
    }
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
