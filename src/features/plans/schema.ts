import { Type, type Static } from 'typebox';
import { CANCELLATION_PERIOD } from '#domain/calendar.ts';
import { enumSchema, idSchema, instantSchema, lineSchema, listSchema } from '#platform/http/schema-parts.ts';

/** What can be ordered with a sign-up. */
export const PRODUCTS = ['smart-meter', '14a_enwg'] as const;

const name = lineSchema('What the plan is called.', 200, 'Ökostrom 12');
const slug = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Short name for URLs, unique in the project; made of the name when absent.',
  example: 'oekostrom-12',
});
const description = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 2000,
  description: 'What customers should know about it.',
  example: 'Ökostrom mit zwölf Monaten Preisgarantie.',
});
const price = Type.Unsafe<number>({
  type: 'number',
  format: 'price',
  minimum: 0,
  maximum: 9_999_999.99,
  description: 'Base fee in EUR per month, gross, at most two decimals.',
  example: 12.9,
});
const cancellationPeriod = Type.Unsafe<string>({
  type: 'string',
  format: 'cancellation-period',
  pattern: CANCELLATION_PERIOD.source,
  description:
    'Notice of an ordinary termination: an ISO 8601 period of years and months, each below 100, and weeks and days, each below 1000.',
  example: 'P1M',
});
const products = Type.Unsafe<(typeof PRODUCTS)[number][]>({
  type: 'array',
  items: { type: 'string', enum: [...PRODUCTS] },
  uniqueItems: true,
  maxItems: PRODUCTS.length,
  description: 'The product orders that a sign-up with this plan may make.',
  example: [...PRODUCTS],
});
const active = Type.Boolean({ description: 'Whether sign-ups may name it; false archives it.', example: true });

/** A plan as it is read. */
export const planSchema = Type.Object(
  {
    object: enumSchema(['plan'], 'Always `plan`.'),
    id: idSchema('pln', 'Unique plan identifier.'),
    name,
    slug,
    description,
    type: enumSchema(['consumption'], 'What is supplied: electricity for consumption.'),
    price,
    currency: enumSchema(['EUR'], 'Currency of the price.'),
    cancellation_period: cancellationPeriod,
    products,
    active,
    created_at: instantSchema('Creation time.'),
    updated_at: instantSchema('Time of last update.'),
  },
  { title: 'Plan', additionalProperties: false },
);

/** The body that creates a plan. */
export const createPlanSchema = Type.Object(
  {
    name,
    slug: Type.Optional(slug),
    description: Type.Optional(description),
    type: Type.Optional(enumSchema(['consumption'], 'What is supplied; `consumption` when absent.')),
    price,
    currency: Type.Optional(enumSchema(['EUR'], 'Currency of the price; `EUR` when absent.')),
    cancellation_period: Type.Optional(cancellationPeriod),
    products: Type.Optional(products),
    active: Type.Optional(active),
  },
  { title: 'PlanCreation', additionalProperties: false },
);
export type CreatePlan = Static<typeof createPlanSchema>;

/** The body that changes a plan; what is absent stays. */
export const updatePlanSchema = Type.Object(
  {
    name: Type.Optional(name),
    slug: Type.Optional(slug),
    description: Type.Optional(description),
    price: Type.Optional(price),
    cancellation_period: Type.Optional(cancellationPeriod),
    products: Type.Optional(products),
    active: Type.Optional(active),
  },
  { title: 'PlanChange', additionalProperties: false, minProperties: 1 },
);
export type UpdatePlan = Static<typeof updatePlanSchema>;

export const planListSchema = listSchema('PlanList', planSchema);
