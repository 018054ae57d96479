import { Type } from 'typebox';
import { daySchema, enumSchema, idSchema, nullable } from '#platform/http/schema-parts.ts';
import { externalId, nextPossibleStart, orderedProduct } from '../schema.ts';
import {
  closed,
  customerType,
  email,
  intendedStartDate,
  malo,
  metadata,
  meterType,
  text,
  usage,
  vatId,
  zip,
} from '../schema-members.ts';

const remarks = (description: string): ReturnType<typeof Type.Array> =>
  Type.Array(
    Type.Object(
      {
        field: Type.String({ description: 'JSON Pointer into the body.', example: '/meter/malo' }),
        code: Type.String({ description: 'One of the codes listed at `/docs/errors`.' }),
        message: Type.String({ description: 'The same for people.' }),
      },
      { ...closed, title: 'SignUpRemark' },
    ),
    { description },
  );

const day = (description: string): ReturnType<typeof nullable> => nullable(daySchema(description, '2026-11-24'));

const maskedPaymentMethod = Type.Object(
  {
    type: enumSchema(['sepa_debit'], 'Which kind.'),
    sepa_debit: Type.Object(
      {
        iban: Type.String({ description: 'Normalised and masked.', example: 'DE89**************3000' }),
        account_holder: text.accountHolder,
      },
      closed,
    ),
  },
  closed,
);

const normalised = Type.Object(
  {
    plan: idSchema('pln', 'ID of the plan.'),
    customer: Type.Object(
      {
        type: customerType,
        company_name: nullable(text.companyName),
        first_name: text.firstName,
        last_name: text.lastName,
        email,
        vat_id: nullable(vatId),
      },
      closed,
    ),
    address: Type.Object({ street: text.street, house_number: text.houseNumber, zip, city: text.city }, closed),
    meter: Type.Object(
      {
        number: text.meterNumber,
        number_normalised: Type.String({
          description: 'What the number is matched by: upper case, no blanks or dashes.',
          example: '1EMH0012345678',
        }),
        type: meterType,
        estimated_usage: usage,
        malo: nullable(malo),
      },
      closed,
    ),
    payment_method: maskedPaymentMethod,
    next_possible_start: nextPossibleStart,
    previous_supplier: nullable(idSchema('mp', 'ID of the previous supplier, or null.')),
    intended_start_date: nullable(intendedStartDate),
    lead: nullable(idSchema('lead', 'ID of the lead, or null.')),
    product_orders: Type.Array(orderedProduct),
    external_id: nullable(externalId),
    metadata,
  },
  { ...closed, title: 'NormalisedSignUp' },
);

/** What a dry run answers. */
export const signUpCheckSchema = Type.Object(
  {
    object: enumSchema(['sign_up_check'], 'Always `sign_up_check`.'),
    valid: Type.Boolean({ description: 'Whether a sign-up with this body would be created now.' }),
    errors: remarks(
      'Everything that a sign-up would be refused for, conflicts with what is stored included; empty when it is valid.',
    ),
    warnings: remarks('What will come otherwise than expected.'),
    earliest_start_date: day(
      'The first day of supply that the market can be asked for today; a previous supplier’s contract may end later. Null while `previous_supplier` is wrong.',
    ),
    requested_start_date: day(
      '`requested_start_date` of the subscription that would be created; null where it has none, or the body is not well-formed.',
    ),
    faster: remarks('What would bring supply sooner, or spare the switch a detour.'),
    normalised: Type.Union([normalised, Type.Null()], {
      description: 'The body as it would be stored; null while a member is wrong in itself.',
    }),
  },
  { ...closed, title: 'SignUpCheck' },
);
