import { Type, type Static } from 'typebox';
import { daySchema, enumSchema, idSchema, instantSchema, listSchema, nullable } from '#platform/http/schema-parts.ts';
import { auditEntrySchema } from '../audit-log/index.ts';
import { eventSchema } from '../event-schema.ts';
import { idempotencyKeySchema } from '../idempotency-keys/index.ts';
import { leadSchema } from '../leads/index.ts';
import {
  addressSchema,
  customerSchema,
  meterOrderSchema,
  meterSchema,
  paymentMethodSchema,
  reductionSchema,
  signUpMembers,
  subscriptionSchema,
  timelineEntrySchema as lifeEntrySchema,
} from '../subscriptions/index.ts';

const { closed, email, text, vatId } = signUpMembers;

/** A page of customers. */
export const customerListSchema = listSchema('CustomerList', customerSchema);

/** The body of `PATCH /customers/{id}`. */
export const updateCustomerSchema = Type.Object(
  {
    first_name: Type.Optional(text.firstName),
    last_name: Type.Optional(text.lastName),
    company_name: Type.Optional(text.companyName),
    email: Type.Optional(email),
    vat_id: Type.Optional(
      Type.Unsafe<string | null>({ ...nullable(vatId), description: 'VAT identification number; null removes it.' }),
    ),
  },
  { ...closed, minProperties: 1, title: 'CustomerUpdate' },
);
export type UpdateCustomer = Static<typeof updateCustomerSchema>;

const fields = Type.Array(Type.String(), { description: 'JSON Pointers of what was changed.', example: ['/email'] });

const timelineEntrySchema = Type.Object(
  {
    object: enumSchema(['customer_timeline_entry'], 'Always `customer_timeline_entry`.'),
    sequence: Type.Integer({ description: 'Counts the changes of one customer from 1 without gaps.', example: 1 }),
    type: enumSchema(['updated', 'erased'], 'What was done.'),
    timestamp: instantSchema('When, in the project’s time.'),
    actor: Type.Object(
      {
        type: enumSchema(['api', 'operator'], 'Who did it: a caller of the API, or an operator.'),
        credential: nullable(idSchema('crd', 'The credential of a caller.')),
      },
      closed,
    ),
    request_id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The request that did it.' }),
    fields,
    previous_attributes: Type.Unsafe<object>({
      type: 'object',
      description: 'What the changed members were before; empty once the customer is erased.',
    }),
  },
  { ...closed, title: 'CustomerTimelineEntry' },
);

/** A page of a customer's history. */
export const customerTimelineSchema = listSchema('CustomerTimeline', timelineEntrySchema);

/** Everything that is held about one person. */
export const customerExportSchema = Type.Object(
  {
    object: enumSchema(['customer_export'], 'Always `customer_export`.'),
    exported_at: instantSchema('The project’s time of the export.'),
    customer: customerSchema,
    history: Type.Array(timelineEntrySchema, { description: 'Every change of the customer.' }),
    subscriptions: Type.Array(subscriptionSchema, { description: 'With metadata and product orders.' }),
    timelines: Type.Array(
      Type.Object(
        { subscription: idSchema('sub', 'ID of the subscription.'), entries: Type.Array(lifeEntrySchema) },
        closed,
      ),
      { description: 'The whole timeline of each subscription, with the contents of every market message.' },
    ),
    addresses: Type.Array(addressSchema, { description: 'Of delivery and billing, earlier ones too.' }),
    meters: Type.Array(meterSchema),
    payment_methods: Type.Array(paymentMethodSchema, { description: 'Earlier ones too, each with its full IBAN.' }),
    events: Type.Array(eventSchema, {
      description:
        'Every event of the subscriptions, of the customer and of the leads, as `GET /events/{id}` reads it.',
    }),
    webhook_deliveries: Type.Array(idSchema('whd', 'ID of a delivery of one of these events.')),
    idempotency_keys: Type.Array(Type.Pick(idempotencyKeySchema, ['key', 'method', 'path', 'created_at'], closed), {
      description: 'The requests whose answers are kept for repetition.',
    }),
    leads: Type.Array(leadSchema, {
      description:
        'The leads that the subscriptions came from, and those of an e-mail address of the customer that became nothing, with their full bank details.',
    }),
    meter_orders: Type.Array(meterOrderSchema),
    grid_fee_reductions: Type.Array(reductionSchema),
    audit_entries: Type.Array(auditEntrySchema, { description: 'Who changed any of these, when and why.' }),
  },
  { ...closed, title: 'CustomerExport' },
);

/** What an erasure answers. */
export const customerErasureSchema = Type.Object(
  {
    object: enumSchema(['customer_erasure'], 'Always `customer_erasure`.'),
    customer: idSchema('cus', 'ID of the customer.'),
    erased_at: instantSchema('When everything personal was removed, in the project’s time.'),
    kept: Type.Array(
      Type.Object(
        {
          what: Type.String({
            description: 'The record that is kept, without anything personal.',
            example: 'subscription sub_01k9zr5x3hf8b9m2t4v6w8y0ac (number, plan, dates, status, amounts)',
          }),
          reason: Type.String({
            description: 'The law that demands it.',
            example: '§ 147 AO, § 257 HGB: accounting records',
          }),
          until: daySchema('The last day on which it has to be kept.', '2035-12-31'),
        },
        closed,
      ),
      { description: 'Contracts that were supplied; one that never was need not be kept and is not named.' },
    ),
  },
  { ...closed, title: 'CustomerErasure' },
);
