import type { Encrypted } from '#platform/database/illegible.ts';
import { decryptPaymentDetails } from './present.ts';
import { encryptedDetails, type OwnedPaymentMethod } from './store.ts';

/** The bank details of every payment method. */
export const encryptedPaymentMethods: Encrypted<OwnedPaymentMethod> = {
  rows: encryptedDetails,
  open(keys, row) {
    const { iban, account_holder: holder } = decryptPaymentDetails(keys, row.project_id, row);
    if (typeof iban !== 'string' || typeof holder !== 'string') throw new Error('these are not bank details');
  },
};
