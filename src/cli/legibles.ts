import { encryptedLeadPayments } from '#features/leads/index.ts';
import { encryptedPaymentMethods } from '#features/subscriptions/index.ts';
import { encryptedWebhookSecrets } from '#features/webhooks/index.ts';
import {
  findIllegible,
  type Encrypted,
  type EncryptedRow,
  type ReadingDependencies,
} from '#platform/database/illegible.ts';
import { encryptedKeptAnswers } from '#platform/http/idempotency.ts';
import { EXAMPLES, type Promised, type Violations } from './invariants-store.ts';

/** Something that must be true of the whole database, and that only the key can tell. */
export interface Legible extends Promised {
  /** @throws when the database cannot be read */
  readonly find: (dependencies: ReadingDependencies) => Promise<Violations>;
}

function legible<Row extends EncryptedRow>(promised: Promised, encrypted: Encrypted<Row>): Legible {
  return { ...promised, find: (dependencies) => findIllegible(dependencies, encrypted, { maxExamples: EXAMPLES }) };
}

/** All of what is encrypted, in the order in which it is opened; but for the reasons in the audit log, see `audit verify`. */
export const legibles: readonly Legible[] = [
  legible(
    {
      name: 'bank_details_can_be_read',
      promise: 'the key opens the bank details of every payment method, and they are its own',
      prefix: 'pm',
    },
    encryptedPaymentMethods,
  ),
  legible(
    {
      name: 'bank_details_of_leads_can_be_read',
      promise: 'the key opens the bank details of every lead, and they are its own',
      prefix: 'lead',
    },
    encryptedLeadPayments,
  ),
  legible(
    {
      name: 'webhook_secrets_can_be_read',
      promise: 'the key opens the secrets of every webhook endpoint, and they are its own',
      prefix: 'whe',
    },
    encryptedWebhookSecrets,
  ),
  legible(
    {
      name: 'kept_answers_can_be_read',
      promise: 'the key opens every answer that is kept for its idempotency key, and it is its own',
      prefix: null,
    },
    encryptedKeptAnswers,
  ),
];
