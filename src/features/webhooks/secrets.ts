/** The secrets of webhook endpoints, and the signatures of Standard Webhooks that they make. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Keys } from '#platform/crypto.ts';
import type { Encrypted, EncryptedRow } from '#platform/database/illegible.ts';
import { encryptedSecrets } from './store.ts';

/** What an endpoint's deliveries are signed with. */
export interface EndpointSecrets {
  /** `whsec_…` */
  readonly current: string;
  /** The one before, as long as it signs too. */
  readonly previous: { readonly secret: string; readonly expiresAt: string } | null;
}

/** The secrets of an endpoint as they are stored. */
export interface StoredSecrets {
  readonly id: string;
  readonly secret_encrypted: Uint8Array;
  readonly previous_secret_encrypted: Uint8Array | null;
  readonly previous_secret_expires_at: string | null;
}

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, as it is shown once. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The secrets of every endpoint. */
export const encryptedWebhookSecrets: Encrypted<StoredSecrets & EncryptedRow> = {
  rows: encryptedSecrets,
  open: (keys, row) => void decryptWebhookSecrets(keys, row.project_id, row),
};

/** A secret as it is stored, of use in the row of this project and id only. */
export function encryptWebhookSecret(keys: Keys, projectId: string, id: string, secret: string): Buffer {
  return keys.encrypt(secret, contextOf(projectId, id));
}

/** The secrets of a stored endpoint. @throws when they are another endpoint's, or of another key */
export function decryptWebhookSecrets(keys: Keys, projectId: string, row: StoredSecrets): EndpointSecrets {
  const context = contextOf(projectId, row.id);
  const { previous_secret_encrypted: previous, previous_secret_expires_at: expiresAt } = row;
  return {
    current: keys.decrypt(row.secret_encrypted, context),
    previous: previous === null || expiresAt === null ? null : { secret: keys.decrypt(previous, context), expiresAt },
  };
}

/**
 * The header `webhook-signature`: one signature, or two with a blank between while a rotation overlaps.
 * @param id the header `webhook-id`
 * @param timestamp the header `webhook-timestamp`, in seconds
 * @param now wall time, which decides whether the secret before still signs
 */
export function signaturesOf(
  { current, previous }: EndpointSecrets,
  id: string,
  timestamp: number,
  body: string,
  now: Temporal.Instant,
): string {
  const content = `${id}.${timestamp}.${body}`;
  const overlaps = previous !== null && Temporal.Instant.compare(now, Temporal.Instant.from(previous.expiresAt)) < 0;
  const secrets = overlaps ? [current, previous.secret] : [current];
  return secrets.map((secret) => signatureOf(secret, content)).join(' ');
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function contextOf(projectId: string, id: string): string {
  return `webhook-secret/${projectId}/${id}`;
}
