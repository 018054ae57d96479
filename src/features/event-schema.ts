import { Type, type TSchema } from 'typebox';
import type { EVENT_TYPES } from '#domain/event-types.ts';
import { eventFields, eventReason, eventSchemaWith, eventSubstituteSupply } from './events/index.ts';
import { leadSchema } from './leads/index.ts';
import { customerSchema, meterOrderSchema, reductionSchema, subscriptionSchema } from './subscriptions/index.ts';
import { webhookEndpointSchema } from './webhooks/index.ts';

const closed = { additionalProperties: false } as const;

const resources: Readonly<Record<keyof typeof EVENT_TYPES, TSchema>> = {
  subscription: subscriptionSchema,
  lead: leadSchema,
  meter_order: meterOrderSchema,
  grid_fee_reduction: reductionSchema,
  customer: Type.Pick(customerSchema, ['object', 'id', 'updated_at', 'erased_at'], {
    ...closed,
    title: 'EventCustomer',
  }),
  webhook_endpoint: webhookEndpointSchema,
};

/** What an event carries: the resource that its type begins with, and what is said of the change. */
const eventData = Type.Object(
  {
    ...Object.fromEntries(Object.entries(resources).map(([name, schema]) => [name, Type.Optional(schema)])),
    previous_attributes: Type.Unsafe<object>({
      type: 'object',
      description:
        'What the changed members were before, but for `updated_at` (of several events of one step, which all show what came of it, `subscription.action_…` tell of `next_action` alone and the others of the rest); empty where events carry nothing of it, as of a customer.',
    }),
    fields: Type.Optional(eventFields),
    reason: Type.Optional(eventReason),
    substitute_supply: Type.Optional(eventSubstituteSupply),
  },
  {
    ...closed,
    title: 'EventData',
    description:
      '`subscription`, or the resource that the type begins with, as `GET` read it right after: of a `lead` without personal data, which are null; of a `customer` only which it is, since events carry nothing personal: read it, or its timeline.',
  },
);

/** An event as it is read, and as it is pushed to webhook endpoints. */
export const eventSchema = eventSchemaWith(eventData);
