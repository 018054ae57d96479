import { electronicIban, maskIban } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Encrypted } from '#platform/database/illegible.ts';
import { decryptPaymentDetails, paymentContext, type PaymentDetails, type PaymentMethodRow } from './present.ts';
import type { SignUp } from './schema.ts';
import { encryptedDetails, type OwnedPaymentMethod } from './store.ts';

/** A payment method as it is stored: the IBAN masked, and encrypted together with the account holder. */
export function layOutPaymentMethod(
  keys: Keys,
  projectId: string,
  { type, sepa_debit: { iban: given, account_holder } }: SignUp['payment_method'],
  { id, created_at }: Pick<PaymentMethodRow, 'id' | 'created_at'>,
): PaymentMethodRow {
  const iban = electronicIban(given);
  const details: PaymentDetails = { iban, account_holder };
  return {
    id,
    type,
    iban_masked: maskIban(iban),
    details_encrypted: keys.encrypt(JSON.stringify(details), paymentContext(projectId, id)),
    created_at,
  };
}

/** Whether a caller gives the payment method that is stored, however he spells the IBAN. */
export function isPaymentMethod(
  keys: Keys,
  projectId: string,
  row: PaymentMethodRow,
  { type, sepa_debit: { iban, account_holder } }: SignUp['payment_method'],
): boolean {
  const known = decryptPaymentDetails(keys, projectId, row);
  return type === row.type && electronicIban(iban) === known.iban && account_holder === known.account_holder;
}

/** The bank details of every payment method. */
export const encryptedPaymentMethods: Encrypted<OwnedPaymentMethod> = {
  rows: encryptedDetails,
  open(keys, row) {
    const { iban, account_holder: holder } = decryptPaymentDetails(keys, row.project_id, row);
    if (typeof iban !== 'string' || typeof holder !== 'string') throw new Error('these are not bank details');
  },
};
