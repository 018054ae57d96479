import { auditEntry, type AuditedChange, type AuditEntry, type AuditTools } from '../audit.ts';
import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/** Writes an entry of the audit log, in the commit of the change that it tells of. */
export async function insertAuditEntry(queryable: Queryable, entry: AuditEntry): Promise<void> {
  await queryable.query(sql`
    insert into audit_log (project_id, id, occurred_at, credential_id, request_id, operation, resource, fields,
      reason_encrypted, reason_digest, seal)
    values (${entry.projectId}, ${entry.id}, ${entry.occurredAt}, ${entry.credentialId}, ${entry.requestId},
      ${entry.operation}, ${entry.resource}, ${entry.fields}, ${entry.reasonEncrypted},
      ${entry.reasonDigest === null ? null : Buffer.from(entry.reasonDigest)}, ${entry.seal})`);
}

/** Writes that an operator has changed something by a command, in the commit of the change. */
export function auditOperator(
  queryable: Queryable,
  tools: AuditTools,
  change: Pick<AuditedChange, 'projectId' | 'operation' | 'resource'>,
): Promise<void> {
  const operator = { credentialId: null, requestId: null, fields: [], reason: null };
  return insertAuditEntry(queryable, auditEntry(tools, { ...change, ...operator }));
}
