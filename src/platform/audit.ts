import { NIL_UUID } from '#domain/identifiers.ts';
import { formatInstant, type Clock } from './clock.ts';
import type { Keys } from './crypto.ts';
import type { MintUuid } from './uuid.ts';

/** What belongs to no project. */
export const NO_PROJECT = NIL_UUID;

/** Who changed what, and why; when is the present. */
export interface AuditedChange {
  readonly projectId: string;
  /** Null: an operator at the command line. */
  readonly credentialId: string | null;
  readonly requestId: string | null;
  /** The operation of the interface, or the operator's command. */
  readonly operation: string;
  /** As it is shown, such as `sub_…`. */
  readonly resource: string | null;
  /** The members that the request named. */
  readonly fields: readonly string[];
  readonly reason: string | null;
}

/** What an entry's seal covers, as it is stored. */
export interface SealedFacts extends Omit<AuditedChange, 'reason'> {
  readonly id: string;
  readonly occurredAt: string;
  readonly reasonDigest: Uint8Array | null;
}

/** A row of the audit log. */
export interface AuditEntry extends SealedFacts {
  readonly reasonEncrypted: Buffer | null;
  readonly seal: Buffer;
}

/** What making entries needs. */
export interface AuditTools {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
}

/** The entry that tells of a change, to be written in its commit. */
export function auditEntry({ keys, clock, mintUuid }: AuditTools, { reason, ...change }: AuditedChange): AuditEntry {
  const now = clock.now();
  const facts: SealedFacts = {
    ...change,
    id: mintUuid(now),
    occurredAt: formatInstant(now),
    reasonDigest: reason === null ? null : reasonDigest(keys, reason),
  };
  return {
    ...facts,
    reasonEncrypted: reason === null ? null : keys.encrypt(reason, reasonContext(facts)),
    seal: sealOf(keys, facts),
  };
}

/** The seal of an entry: changes when anything of it does, and nobody makes it without the key. */
export function sealOf(keys: Keys, facts: SealedFacts): Buffer {
  const {
    projectId,
    id,
    occurredAt,
    credentialId,
    requestId,
    operation,
    resource,
    fields,
    reasonDigest: digest,
  } = facts;
  const reason = digest === null ? null : Buffer.from(digest).toString('hex');
  return keys.seal(
    JSON.stringify(['entry', projectId, id, occurredAt, credentialId, requestId, operation, resource, fields, reason]),
  );
}

/** What stays of a reason that is erased. */
export function reasonDigest(keys: Keys, reason: string): Buffer {
  return keys.seal(JSON.stringify(['reason', reason]));
}

/** The reason of an entry; null when it has none, or none any more. @throws when it was moved from another row */
export function readReason(
  keys: Keys,
  entry: Pick<SealedFacts, 'projectId' | 'id'>,
  encrypted: Uint8Array | null,
): string | null {
  return encrypted === null ? null : keys.decrypt(encrypted, reasonContext(entry));
}

/** Binds an encrypted reason to its row. */
function reasonContext({ projectId, id }: Pick<SealedFacts, 'projectId' | 'id'>): string {
  return `audit-reason/${projectId}/${id}`;
}

/** Shows that a reason was erased by the service, and not by somebody with the tables alone. */
export function erasureSeal(keys: Keys, { projectId, id }: Pick<SealedFacts, 'projectId' | 'id'>): Buffer {
  return keys.seal(JSON.stringify(['erasure', projectId, id]));
}
