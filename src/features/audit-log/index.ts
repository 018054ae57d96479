import { route, type Route } from '#platform/http/contract.ts';
import { handleListEntries, handleReadChanges, handleReadSteps, type AuditLogDependencies } from './list-entries.ts';
import type { Recorded } from './store.ts';
import { auditLogSchema, stepListSchema } from './schema.ts';

export { readEntriesAbout } from './list-entries.ts';
export { eraseReasons } from './erase-reasons.ts';
export { readReasons } from './reasons.ts';
export { auditEntrySchema, causeMembers, toldMembers } from './schema.ts';
export { chainEntries } from './chain.ts';
export { mendLog, takeUpLog } from './chain-store.ts';
export { verifyChain, type Fault } from './verify-chain.ts';

const tag = 'Audit log';

/** Resources whose whole story is what requests and operators did to them. */
const CHANGED_BY_HAND: readonly { readonly path: string; readonly prefix: Recorded; readonly name: string }[] = [
  { path: '/plans', prefix: 'pln', name: 'Plan' },
  { path: '/webhook-endpoints', prefix: 'whe', name: 'WebhookEndpoint' },
  { path: '/leads', prefix: 'lead', name: 'Lead' },
];

/** Resources whose every step has its event. */
const TOLD_BY_EVENTS: typeof CHANGED_BY_HAND = [
  { path: '/meter-orders', prefix: 'mor', name: 'MeterOrder' },
  { path: '/grid-fee-reductions', prefix: 'gfr', name: 'GridFeeReduction' },
];

/** The routes of the audit log. */
export function createAuditLogRoutes(dependencies: AuditLogDependencies): Route[] {
  const log = route(
    {
      operationId: 'listAuditEntries',
      method: 'GET',
      path: '/audit-log',
      tag,
      summary: 'List who changed what, and why',
      description:
        'One entry for each change by a request or by an operator’s command, newest first, written in the commit of the change. Send `X-Reason` with a request to have it kept here. What the market and the passing of time did is told by events. `audit verify` shows the operator that no entry was changed, removed or moved.',
      access: 'read:*',
      paged: true,
      filters: { resource: { kind: 'text' }, created_at: { kind: 'instant' } },
      response: { status: 200, description: 'A page of entries.', schema: auditLogSchema },
    },
    (request) => handleListEntries(dependencies, request),
  );
  const timelines = CHANGED_BY_HAND.map(({ path, prefix, name }) =>
    route(
      {
        operationId: `read${name}Timeline`,
        method: 'GET',
        path: `${path}/:id/timeline`,
        tag,
        summary: 'Read who changed it',
        description: 'The entries of the audit log about it, oldest first; also after it was deleted.',
        access: 'read:*',
        paged: true,
        parameters: { id: `ID (\`${prefix}_…\`).` },
        response: { status: 200, description: 'A page of entries.', schema: auditLogSchema },
      },
      (request) => handleReadChanges(dependencies, request, prefix),
    ),
  );
  const stories = TOLD_BY_EVENTS.map(({ path, prefix, name }) =>
    route(
      {
        operationId: `read${name}Timeline`,
        method: 'GET',
        path: `${path}/:id/timeline`,
        tag,
        summary: 'Read what became of it, and who did it',
        description: 'Every step, oldest first, with who caused it and why.',
        access: 'read:*',
        paged: true,
        parameters: { id: `ID (\`${prefix}_…\`).` },
        response: { status: 200, description: 'A page of steps.', schema: stepListSchema },
      },
      (request) => handleReadSteps(dependencies, request, prefix),
    ),
  );
  return [log, ...timelines, ...stories];
}
