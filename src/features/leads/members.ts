import { electronicIban, formatId, maskIban } from '#domain/identifiers.ts';
import { checkMeterNumber } from '#domain/subscription/sign-up.ts';
import type { FieldError } from '#platform/http/problems.ts';
import type { CreateLead, UpdateLead } from './schema.ts';

/** Every member of an object, null where it has no value. */
type Filled<Members> = { readonly [Member in keyof Members]-?: NonNullable<Members[Member]> | null };
type Payment = NonNullable<CreateLead['payment_method']>;

/** What a lead holds of a sign-up; null is what is not known. `metadata` and references are apart. */
export interface LeadMembers {
  readonly customer: Filled<NonNullable<CreateLead['customer']>> | null;
  readonly address: Filled<CreateLead['address']> & { readonly zip: string };
  readonly meter: Filled<NonNullable<CreateLead['meter']>> | null;
  readonly payment_method: {
    readonly type: 'sepa_debit' | null;
    readonly sepa_debit: Filled<NonNullable<Payment['sepa_debit']>> | null;
  } | null;
  readonly next_possible_start: boolean | null;
  readonly intended_start_date: string | null;
  readonly product_orders: CreateLead['product_orders'] | null;
  readonly external_id: string | null;
}

const NO_CUSTOMER = { type: null, company_name: null, first_name: null, last_name: null, email: null, vat_id: null };
const NO_METER = { number: null, type: null, estimated_usage: null, malo: null };
const NO_SEPA_DEBIT = { iban: null, account_holder: null };

/** What a lead holds before anything is known. */
export const NOTHING_KNOWN: LeadMembers = {
  customer: null,
  address: { street: null, house_number: null, zip: '', city: null },
  meter: null,
  payment_method: null,
  next_possible_start: null,
  intended_start_date: null,
  product_orders: null,
  external_id: null,
};

/**
 * The object with the members that a change names; null empties it. Members stay in the order of `blank`. Of what is not known,
 * nothing is known that a change only empties.
 */
function merge<Members extends object>(
  known: Members | null,
  change: Partial<Members> | null | undefined,
  blank: Members,
): Members | null {
  if (change === undefined) return known;
  if (change === null) return null;
  if (known === null && Object.values(change).every((value) => value === null)) return null;
  return { ...(known ?? blank), ...change };
}

/** Merges a body into what is known: objects member by member, anything else as a whole. */
export function mergeMembers(known: LeadMembers, body: UpdateLead): LeadMembers {
  const { customer, address, meter, payment_method: payment } = body;
  const orders = body.product_orders?.map(({ type, '14a_enwg': modules }) =>
    modules === undefined ? { type } : { type, '14a_enwg': modules },
  );
  const sepaDebit = payment?.sepa_debit;
  const given = <Value>(value: Value | null | undefined, before: Value | null): Value | null =>
    value === undefined ? before : value;
  return {
    customer: merge(known.customer, customer, NO_CUSTOMER),
    address: { ...known.address, ...address },
    meter: merge(known.meter, meter, NO_METER),
    payment_method: merge(
      known.payment_method,
      payment === undefined || payment === null
        ? payment
        : {
            ...(payment.type === undefined ? {} : { type: payment.type }),
            sepa_debit: merge(
              known.payment_method?.sepa_debit ?? null,
              sepaDebit === undefined || sepaDebit === null
                ? sepaDebit
                : {
                    ...sepaDebit,
                    ...(typeof sepaDebit.iban === 'string' ? { iban: electronicIban(sepaDebit.iban) } : {}),
                  },
              NO_SEPA_DEBIT,
            ),
          },
      { type: null, sepa_debit: null },
    ),
    next_possible_start: given(body.next_possible_start, known.next_possible_start),
    intended_start_date: given(body.intended_start_date, known.intended_start_date),
    product_orders: body.product_orders === null ? null : (orders ?? known.product_orders ?? null),
    external_id: given(body.external_id, known.external_id),
  };
}

/**
 * The rules between members that the body of a change alone cannot tell.
 * @param refused what is wrong with the body in itself
 */
export function checkMembers({ customer, meter }: LeadMembers, refused: readonly FieldError[]): FieldError[] {
  const errors: FieldError[] = [];
  const isTypeKnown = !refused.some(({ field }) => field === '/customer/type');
  if (isTypeKnown && customer !== null && customer.company_name !== null && customer.type !== 'company') {
    errors.push({ field: '/customer/company_name', code: 'not_allowed', message: 'is allowed of a company only' });
  }
  const number = meter?.number ?? null;
  return number === null ? errors : [...errors, ...checkMeterNumber(number)];
}

/** A payment method as it is shown: of the IBAN country, check digits and last four. */
export function maskPayment(payment: LeadMembers['payment_method']): LeadMembers['payment_method'] {
  if (payment === null || payment.sepa_debit === null) return payment;
  const { iban, account_holder: accountHolder } = payment.sepa_debit;
  return {
    type: payment.type,
    sepa_debit: { iban: iban === null ? null : maskIban(iban), account_holder: accountHolder },
  };
}

/** The members without what tells who somebody is, where he lives, or what is his: what events may keep for ever. */
export function withoutPersonalData(members: LeadMembers): LeadMembers {
  const { address, meter } = members;
  return {
    ...members,
    customer: null,
    address: { ...NOTHING_KNOWN.address, zip: address.zip },
    meter: meter === null ? null : { ...meter, number: null, malo: null },
    payment_method: null,
  };
}

/** The shop window of an id: where a checkout can serve a lead. */
export function linkOf(publicUrl: string, id: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/checkout/${formatId('lead', id)}`;
}
