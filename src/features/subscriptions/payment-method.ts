import { electronicIban, maskIban } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import { decryptPaymentDetails, paymentContext, type PaymentDetails, type PaymentMethodRow } from './present.ts';
import type { SignUp } from './schema.ts';

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
