import { Type, type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { CUSTOMER_TYPES } from '#domain/subscription/sign-up.ts';
import {
  daySchema,
  enumSchema,
  idSchema,
  instantSchema,
  lineSchema,
  listSchema,
  nullable,
} from '#platform/http/schema-parts.ts';
import {
  nextPossibleStart,
  orderedProduct,
  productOrder,
  signUpMembers,
  signUpSchema,
} from '../subscriptions/index.ts';

const { closed, email, malo, metadata, metadataChange, meterType, text, usage, vatId } = signUpMembers;
const { plan, lead: _, ...members } = signUpSchema.properties;
const { type: paymentType, sepa_debit: sepaDebit } = members.payment_method.properties;

const externalId = lineSchema(
  'The caller’s own key, meant for the sign-up to come; several leads may have it.',
  200,
  'order-4711',
);

const intendedStartDate = daySchema(
  'A day after that on which it is sent, in Europe/Berlin, and at most 12 months ahead. The sign-up needs it where `next_possible_start` is false.',
  '2027-02-01',
);

/** A person or company as far as it is known; the same members as in a sign-up. */
const customerMembers = {
  type: enumSchema(CUSTOMER_TYPES, 'Which variant; `company_name` goes with `company` only.'),
  company_name: text.companyName,
  first_name: text.firstName,
  last_name: text.lastName,
  email,
  vat_id: vatId,
};
const placeMembers = { street: text.street, house_number: text.houseNumber };
const meterMembers = { number: text.meterNumber, type: meterType, estimated_usage: usage, malo };
const { iban, account_holder: accountHolder } = sepaDebit.properties;

/** The body of `POST /leads`: everything of a sign-up, but `plan` and `address.zip` are all that is required. */
export const createLeadSchema = Type.Object(
  {
    plan,
    customer: Type.Optional(
      Type.Object(
        {
          type: Type.Optional(customerMembers.type),
          company_name: Type.Optional(customerMembers.company_name),
          first_name: Type.Optional(customerMembers.first_name),
          last_name: Type.Optional(customerMembers.last_name),
          email: Type.Optional(customerMembers.email),
          vat_id: Type.Optional(customerMembers.vat_id),
        },
        {
          ...closed,
          title: 'LeadCustomerInput',
          description: 'What is known of the customer. `company_name` is allowed of a company only.',
          if: { type: 'object', properties: { type: { const: 'company' } }, required: ['type'] },
          else: { properties: { company_name: false } },
        },
      ),
    ),
    address: Type.Object(
      {
        street: Type.Optional(placeMembers.street),
        house_number: Type.Optional(placeMembers.house_number),
        zip: signUpMembers.zip,
        city: Type.Optional(text.city),
      },
      { ...closed, title: 'LeadAddressInput', description: 'Where the electricity would be delivered.' },
    ),
    meter: Type.Optional(
      Type.Object(
        {
          number: Type.Optional(meterMembers.number),
          type: Type.Optional(meterMembers.type),
          estimated_usage: Type.Optional(meterMembers.estimated_usage),
          malo: Type.Optional(meterMembers.malo),
        },
        { ...closed, title: 'LeadMeterInput', description: 'What is known of the meter.' },
      ),
    ),
    payment_method: Type.Optional(
      Type.Object(
        {
          type: Type.Optional(paymentType),
          sepa_debit: Type.Optional(
            Type.Object({ iban: Type.Optional(iban), account_holder: Type.Optional(accountHolder) }, closed),
          ),
        },
        { ...closed, title: 'LeadPaymentMethodInput', description: 'How the customer would pay.' },
      ),
    ),
    next_possible_start: Type.Optional(nextPossibleStart),
    previous_supplier: members.previous_supplier,
    intended_start_date: Type.Optional(intendedStartDate),
    product_orders: members.product_orders,
    external_id: Type.Optional(externalId),
    metadata: members.metadata,
  },
  { ...closed, title: 'LeadInput' },
);
export type CreateLead = Static<typeof createLeadSchema>;

/** A member that null empties. */
const removable = <Schema extends TSchema>(schema: Schema): TOptional<TUnsafe<Static<Schema> | null>> =>
  Type.Optional(Type.Unsafe<Static<Schema> | null>(nullable(schema)));

/** The body of `PATCH /leads/{id}`. */
export const updateLeadSchema = Type.Object(
  {
    plan: Type.Optional(plan),
    customer: removable(
      Type.Object(
        {
          type: removable(customerMembers.type),
          company_name: removable(customerMembers.company_name),
          first_name: removable(customerMembers.first_name),
          last_name: removable(customerMembers.last_name),
          email: removable(customerMembers.email),
          vat_id: removable(customerMembers.vat_id),
        },
        { ...closed, description: 'Members of the customer; null in place of the object empties all.' },
      ),
    ),
    address: Type.Optional(
      Type.Object(
        {
          street: removable(placeMembers.street),
          house_number: removable(placeMembers.house_number),
          zip: Type.Optional(signUpMembers.zip),
          city: removable(text.city),
        },
        { ...closed, description: 'Members of the address.' },
      ),
    ),
    meter: removable(
      Type.Object(
        {
          number: removable(meterMembers.number),
          type: removable(meterMembers.type),
          estimated_usage: removable(meterMembers.estimated_usage),
          malo: removable(meterMembers.malo),
        },
        { ...closed, description: 'Members of the meter; null in place of the object empties all.' },
      ),
    ),
    payment_method: removable(
      Type.Object(
        {
          type: removable(paymentType),
          sepa_debit: removable(
            Type.Object({ iban: removable(iban), account_holder: removable(accountHolder) }, closed),
          ),
        },
        { ...closed, description: 'Members of the payment method; null in place of the object empties all.' },
      ),
    ),
    next_possible_start: removable(nextPossibleStart),
    previous_supplier: removable(members.previous_supplier),
    intended_start_date: removable(intendedStartDate),
    product_orders: removable(Type.Array(productOrder, { maxItems: 10, description: 'Replaces all orders.' })),
    external_id: removable(externalId),
    metadata: Type.Optional(metadataChange),
  },
  { ...closed, minProperties: 1, title: 'LeadUpdate' },
);
export type UpdateLead = Static<typeof updateLeadSchema>;

const shown = (schema: Record<string, TSchema>, description: string): TSchema =>
  Type.Object(Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, nullable(member)])), {
    ...closed,
    description,
  });

/** A lead as it is read. */
export const leadSchema = Type.Object(
  {
    object: enumSchema(['lead'], 'Always `lead`.'),
    id: idSchema('lead', 'Unique lead identifier.'),
    plan: idSchema('pln', 'ID of the plan.'),
    customer: nullable(shown(customerMembers, 'What is known of the customer; null: nothing.')),
    address: Type.Object(
      {
        street: nullable(text.street),
        house_number: nullable(text.houseNumber),
        zip: signUpMembers.zip,
        city: nullable(text.city),
      },
      { ...closed, description: 'Where the electricity would be delivered.' },
    ),
    meter: nullable(shown(meterMembers, 'What is known of the meter; null: nothing.')),
    payment_method: nullable(
      Type.Object(
        {
          type: nullable(paymentType),
          sepa_debit: nullable(
            Type.Object(
              {
                iban: nullable(
                  Type.String({
                    description: 'Masked: country, check digits and the last four characters.',
                    example: 'DE89**************3000',
                  }),
                ),
                account_holder: nullable(accountHolder),
              },
              closed,
            ),
          ),
        },
        { ...closed, description: 'How the customer would pay; null: not known.' },
      ),
    ),
    next_possible_start: nullable(nextPossibleStart),
    previous_supplier: nullable(idSchema('mp', 'ID of the previous supplier, or null.')),
    intended_start_date: nullable(intendedStartDate),
    product_orders: nullable(Type.Array(orderedProduct, { description: 'Additional orders; null: not known.' })),
    external_id: nullable(externalId),
    subscription: nullable(idSchema('sub', 'ID of the subscription that it has become; null until then.')),
    subscribed_at: nullable(instantSchema('When it has become that subscription; null until then.')),
    link: Type.String({
      description:
        'An address for this lead’s checkout, below `PUBLIC_URL`. The service answers nothing there: a checkout that is put in front of it can serve it.',
      example: 'https://example.com/checkout/lead_01k9zr5x3hf8b9m2t4v6w8y0ac',
    }),
    erased: Type.Boolean({
      description:
        'Whether everything personal has been removed for good: it neither changes nor becomes a subscription any more.',
      example: false,
    }),
    created_by: nullable(idSchema('crd', 'ID of the credential that has brought it.')),
    created_at: instantSchema('Creation time.'),
    updated_at: instantSchema('Time of last update.'),
    metadata,
  },
  { ...closed, title: 'Lead' },
);

export const leadListSchema = listSchema('LeadList', leadSchema);
