import { Type, type Static } from 'typebox';
import { ACTION_CODES } from '#domain/market/next-action.ts';
import { MOVE_REASONS } from '#domain/market/state.ts';
import { ACTORS, END_REASONS, STAGES, STATUSES } from '#domain/subscription/lifecycle.ts';
import {
  daySchema,
  enumSchema,
  idSchema,
  instantSchema,
  lineSchema,
  listSchema,
  nullable,
  referenceSchema,
} from '#platform/http/schema-parts.ts';
import {
  address,
  closed,
  customer,
  customerType,
  email,
  intendedStartDate,
  malo,
  metadata,
  meter,
  meterType,
  paymentMethod,
  text,
  usage,
  vatId,
  zip,
} from './schema-members.ts';
import { PRODUCTS, planSchema } from '../plans/index.ts';
import { supplierSchema } from '../suppliers/index.ts';

const modules = Type.Object(
  {
    module_1: Type.Optional(Type.Boolean({ description: 'Flat yearly reduction.' })),
    module_2: Type.Optional(Type.Boolean({ description: 'Reduced work price; needs a meter of its own.' })),
    module_3: Type.Optional(
      Type.Boolean({ description: 'Time-variable work price; with module 1 and a smart meter.' }),
    ),
  },
  { ...closed, description: 'Modules of the grid-fee reduction: 1, 2, or 1 and 3.' },
);

export const productOrder = Type.Object(
  { type: enumSchema(PRODUCTS, 'What is ordered.'), '14a_enwg': Type.Optional(modules) },
  {
    ...closed,
    title: 'ProductOrder',
    description: 'An additional order; `14a_enwg` holds the details of an order of that type.',
    if: { type: 'object', properties: { type: { const: '14a_enwg' } }, required: ['type'] },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's keyword
    then: { required: ['14a_enwg'] },
    else: { properties: { '14a_enwg': false } },
  },
);

/** As answers show it: there it may have more members one day. */
export const orderedProduct = Type.Unsafe<Static<typeof productOrder>>({ ...productOrder, title: 'OrderedProduct' });

export const nextPossibleStart = Type.Boolean({
  description: 'True asks for the next possible date; false for exactly `intended_start_date`.',
  example: true,
});
export const externalId = lineSchema(
  'The caller’s own key, unique in the project until its customer is erased.',
  200,
  'order-4711',
);

/** The body of a sign-up. */
export const signUpSchema = Type.Object(
  {
    plan: referenceSchema('pln', 'Plan ID.'),
    customer,
    address,
    meter,
    payment_method: paymentMethod,
    next_possible_start: nextPossibleStart,
    previous_supplier: Type.Optional(
      referenceSchema('mp', 'ID of the previous supplier, see `GET /suppliers`. Absent: nobody has to be cancelled.'),
    ),
    intended_start_date: Type.Optional(intendedStartDate),
    lead: Type.Optional(referenceSchema('lead', 'Lead ID, used to track attribution.')),
    product_orders: Type.Optional(
      Type.Array(productOrder, { maxItems: 10, description: 'Additional product orders.' }),
    ),
    external_id: Type.Optional(externalId),
    metadata: Type.Optional(metadata),
  },
  { ...closed, title: 'SignUp' },
);
export type SignUp = Static<typeof signUpSchema>;

/** A customer as it is read. */
export const customerSchema = Type.Object(
  {
    object: enumSchema(['customer'], 'Always `customer`.'),
    id: idSchema('cus', 'Unique customer identifier.'),
    type: customerType,
    company_name: nullable(text.companyName),
    first_name: text.firstName,
    last_name: text.lastName,
    email,
    vat_id: nullable(vatId),
    created_at: instantSchema('Creation time.'),
    updated_at: instantSchema('Time of last update.'),
    erased_at: nullable(
      instantSchema('When everything personal was removed; names and e-mail are placeholders then. Null until then.'),
    ),
  },
  { ...closed, title: 'Customer' },
);

/** An address as it is read. */
export const addressSchema = Type.Object(
  {
    object: enumSchema(['address'], 'Always `address`.'),
    id: idSchema('adr', 'Unique address identifier.'),
    street: text.street,
    house_number: text.houseNumber,
    zip,
    city: text.city,
    created_at: instantSchema('Creation time.'),
  },
  { ...closed, title: 'Address' },
);

/** A meter as it is read. */
export const meterSchema = Type.Object(
  {
    object: enumSchema(['meter'], 'Always `meter`.'),
    id: idSchema('mtr', 'Unique meter identifier.'),
    number: text.meterNumber,
    type: meterType,
    estimated_usage: usage,
    malo: nullable(malo),
    created_at: instantSchema('Creation time.'),
  },
  { ...closed, title: 'Meter' },
);

/** A payment method as it is read. */
export const paymentMethodSchema = Type.Object(
  {
    object: enumSchema(['payment_method'], 'Always `payment_method`.'),
    id: idSchema('pm', 'Unique payment method identifier.'),
    type: enumSchema(['sepa_debit'], 'Which kind.'),
    sepa_debit: Type.Object(
      {
        iban: Type.String({
          description: 'Masked: country, check digits and the last four characters.',
          example: 'DE89**************3000',
        }),
        account_holder: text.accountHolder,
      },
      closed,
    ),
    created_at: instantSchema('Creation time.'),
  },
  { ...closed, title: 'PaymentMethod' },
);

/** What `expand[]` can put in the place of an ID. */
export const EXPANDABLE = [
  'plan',
  'customer',
  'address',
  'meter',
  'payment_method',
  'billing_address',
  'supplier',
] as const;
export type Expandable = (typeof EXPANDABLE)[number];

const expandable = (
  id: ReturnType<typeof idSchema>,
  schema: ReturnType<typeof Type.Object>,
): ReturnType<typeof Type.Union> =>
  Type.Union([id, schema], {
    description: `${String((id as { description?: string }).description)} The object itself with \`expand[]\`.`,
  });

const nextAction = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'What must happen before the subscription can go on; null while nothing is asked of anybody.',
  additionalProperties: false,
  required: ['code', 'actor', 'message', 'fields', 'resolve', 'due_at', 'retry_at'],
  properties: {
    code: enumSchema(ACTION_CODES, 'What is the matter; `/docs/market.md` has the table of all codes.'),
    actor: enumSchema(ACTORS, 'Who has to act.'),
    message: Type.String({ description: 'The same for people.' }),
    fields: Type.Array(Type.String(), {
      description: 'JSON Pointers of what `PATCH` may correct; naming one as it is says that it is right.',
    }),
    resolve: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'The request that resolves it; null where only waiting, or an operator’s command, does.',
      additionalProperties: false,
      required: ['method', 'path'],
      properties: {
        method: enumSchema(['PATCH', 'POST'], 'Method.'),
        path: Type.String({ description: 'Path.', example: '/subscriptions/sub_01k9zr5x3hf8b9m2t4v6w8y0ac' }),
      },
    }),
    due_at: nullable(instantSchema('By when the actor should have acted; null without a limit.')),
    retry_at: nullable(instantSchema('When the service goes on by itself; null where it does not.')),
  },
});

/** A subscription as it is read. */
export const subscriptionSchema = Type.Object(
  {
    object: enumSchema(['subscription'], 'Always `subscription`.'),
    id: idSchema('sub', 'Unique subscription identifier.'),
    plan: expandable(idSchema('pln', 'ID of the plan.'), planSchema),
    customer: expandable(idSchema('cus', 'ID of the customer.'), customerSchema),
    address: expandable(idSchema('adr', 'ID of the address.'), addressSchema),
    meter: expandable(idSchema('mtr', 'ID of the meter.'), meterSchema),
    payment_method: expandable(idSchema('pm', 'ID of the payment method.'), paymentMethodSchema),
    billing_address: Type.Union([idSchema('adr', 'ID of the billing address.'), addressSchema, Type.Null()], {
      description:
        'ID of the billing address, or null where it is the delivery address. The object itself with `expand[]`.',
    }),
    supplier: Type.Union([idSchema('mp', 'ID of the previous supplier.'), supplierSchema, Type.Null()], {
      description: 'ID of the previous supplier, or null. The object itself with `expand[]`.',
    }),
    number: Type.String({ description: 'Human-readable identifier, unique in the project.', example: 'K7M2P9QX' }),
    status: enumSchema(STATUSES, 'Subscription status.'),
    stage: enumSchema(STAGES, 'Where the subscription stands, finer than `status`.'),
    end_reason: nullable(enumSchema(END_REASONS, 'Why it ended; null until then.')),
    next_action: nextAction,
    estimated_usage: usage,
    next_possible_start: nextPossibleStart,
    intended_start_date: nullable(intendedStartDate),
    requested_start_date: nullable(
      daySchema(
        'The first day of supply that the market is asked for at present; null before anything was asked.',
        '2027-02-01',
      ),
    ),
    requested_start_reason: nullable(
      enumSchema(
        MOVE_REASONS,
        'Why the requested day is not `intended_start_date`: the market’s lead time, the contract with the previous supplier, or the grid operator’s answer. Null where it is, or where the next possible start was asked for. While a registration is taken back after a correction, this and the requested day are still those of that registration.',
      ),
    ),
    lead: nullable(idSchema('lead', 'ID of the lead, or null.')),
    product_orders: Type.Array(orderedProduct, { description: 'The additional orders, as they were made.' }),
    external_id: nullable(externalId),
    created_at: instantSchema('Creation time.'),
    updated_at: instantSchema('Time of last update.'),
    start_at: nullable(
      instantSchema(
        'When delivery started or will start; null until the grid operator has confirmed, and once he has revoked the start.',
      ),
    ),
    terminated_at: nullable(
      instantSchema(
        'When the termination was accepted, or the withdrawal, also of what was terminated before; null until then.',
      ),
    ),
    end_at: nullable(instantSchema('When the subscription ended or will end, exclusive; null while that is open.')),
    created_by: idSchema('crd', 'ID of the credential that signed up.'),
    metadata,
  },
  { ...closed, title: 'Subscription' },
);

/** A page of subscriptions. */
export const subscriptionListSchema = listSchema('SubscriptionList', subscriptionSchema);
