/** Members that the bodies of requests and answers about subscriptions have in common. */
import { Type } from 'typebox';
import { CUSTOMER_TYPES } from '#domain/subscription/sign-up.ts';
import { daySchema, enumSchema, lineSchema } from '#platform/http/schema-parts.ts';

export const closed = { additionalProperties: false } as const;

export const text = {
  firstName: lineSchema('First name; of a company, that of its contact.', 200, 'Erika'),
  lastName: lineSchema('Last name; of a company, that of its contact.', 200, 'Mustermann'),
  companyName: lineSchema('Name of the company.', 200, 'Muster GmbH'),
  street: lineSchema('Street.', 200, 'Heidestraße'),
  houseNumber: lineSchema('House number with its addition.', 30, '17a'),
  city: lineSchema('Town.', 200, 'Köln'),
  meterNumber: lineSchema('Number on the meter, kept as given.', 50, '1EMH0012345678'),
  accountHolder: lineSchema('Name of the account’s holder.', 70, 'Erika Mustermann'),
};
export const email = Type.Unsafe<string>({
  type: 'string',
  format: 'idn-email',
  description: 'E-mail address, of letters of any script.',
  example: 'erika@example.com',
});
export const vatId = Type.Unsafe<string>({
  type: 'string',
  format: 'vat-id',
  description: 'VAT identification number.',
  example: 'DE123456789',
});
export const zip = Type.Unsafe<string>({
  type: 'string',
  format: 'postcode',
  description: 'German postcode, 5 digits.',
  example: '51147',
});
export const malo = Type.Unsafe<string>({
  type: 'string',
  format: 'market-location',
  description: 'Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.',
  example: '41373559241',
});
export const usage = Type.Unsafe<number>({
  type: 'number',
  exclusiveMinimum: 0,
  maximum: 100_000,
  description: 'Estimated yearly usage in kWh.',
  example: 3500,
});
export const meterType = enumSchema(['smart', 'modern', 'analog'], 'What kind of meter it is.');
/** As a whole: of a sign-up or a new lead. */
export const metadata = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  description: 'Free-form data of the caller, at most 10,240 bytes as compact UTF-8 JSON; comes back as sent.',
  example: { channel: 'web' },
});
/** Of a change: merged with what is there. */
export const metadataChange = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  description:
    'Merged key by key with what is there; a key with null is removed, and null in place of the object removes all.',
  example: { channel: null, campaign: 'spring' },
});
export const customerType = enumSchema(CUSTOMER_TYPES, 'Which variant; `person` when absent.');

export const customer = Type.Object(
  {
    type: Type.Optional(customerType),
    company_name: Type.Optional(text.companyName),
    first_name: text.firstName,
    last_name: text.lastName,
    email,
    vat_id: Type.Optional(vatId),
  },
  {
    ...closed,
    title: 'CustomerInput',
    description:
      'A person, or a company with its contact. `company_name` is required of a company and not allowed of a person.',
    if: { type: 'object', properties: { type: { const: 'company' } }, required: ['type'] },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's keyword
    then: { required: ['company_name'] },
    else: { properties: { company_name: false } },
  },
);

export const address = Type.Object(
  { street: text.street, house_number: text.houseNumber, zip, city: text.city },
  { ...closed, title: 'AddressInput', description: 'Where the electricity is delivered.' },
);

export const meter = Type.Object(
  { number: text.meterNumber, type: meterType, estimated_usage: usage, malo: Type.Optional(malo) },
  {
    ...closed,
    title: 'MeterInput',
    description: 'The meter; with `malo` the switch starts without an identification.',
  },
);

export const paymentMethod = Type.Object(
  {
    type: enumSchema(['sepa_debit'], 'Which kind; the member of that name holds its data.'),
    sepa_debit: Type.Object(
      {
        iban: Type.Unsafe<string>({
          type: 'string',
          maxLength: 60,
          format: 'iban',
          description: 'IBAN of any SEPA country; blanks and lower case are accepted.',
          example: 'DE89370400440532013000',
        }),
        account_holder: text.accountHolder,
      },
      closed,
    ),
  },
  { ...closed, title: 'PaymentMethodInput', description: 'How the customer pays.' },
);

export const intendedStartDate = daySchema(
  'A day after today in Europe/Berlin, at most 12 months ahead. Required when `next_possible_start` is false.',
  '2027-02-01',
);
