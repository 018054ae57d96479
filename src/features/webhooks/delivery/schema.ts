import { Type } from 'typebox';
import {
  askedInstantSchema,
  enumSchema,
  idSchema,
  instantSchema,
  listSchema,
  nullable,
  referenceSchema,
} from '#platform/http/schema-parts.ts';
import { ATTEMPT_ERRORS } from './client.ts';

/** What a delivery can be. */
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

const outcome = {
  status_code: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The status that was answered; null when there was no answer.',
    example: 200,
  }),
  latency_ms: Type.Integer({ description: 'How long it took, in milliseconds.', example: 48 }),
  error: nullable(
    enumSchema(ATTEMPT_ERRORS, 'Why it failed; `status`: it was answered, but not with 2xx; null when it succeeded.'),
  ),
};

/** So many attempts of a delivery are kept: it can be asked for again without end, and each attempt writes all of them. */
export const MOST_ATTEMPTS = 100;

/** A delivery as it is read. */
export const deliverySchema = Type.Object(
  {
    object: enumSchema(['webhook_delivery'], 'Always `webhook_delivery`.'),
    id: idSchema('whd', 'Unique delivery identifier.'),
    endpoint: idSchema('whe', 'The endpoint it goes to.'),
    event: idSchema('evt', 'The event; the header `webhook-id` of every attempt.'),
    event_type: Type.String({ description: 'The type of the event.', example: 'subscription.created' }),
    subscription: nullable(idSchema('sub', 'The subscription that the event belongs to; null: to another resource.')),
    state: enumSchema(DELIVERY_STATES, 'What has become of it.'),
    attempts: Type.Array(
      Type.Object({ at: instantSchema('When it was attempted.'), ...outcome }, { additionalProperties: false }),
      { description: `Every attempt, oldest first; of more than ${MOST_ATTEMPTS} the last ones.` },
    ),
    next_attempt_at: nullable(
      instantSchema(
        'When it is attempted next, unless an earlier one of its subscription is pending or the endpoint is disabled; null when it is not pending.',
      ),
    ),
    created_at: instantSchema('Creation time.'),
  },
  { title: 'WebhookDelivery', additionalProperties: false },
);
/** A page of deliveries. */
export const deliveryListSchema = listSchema('WebhookDeliveryList', deliverySchema);

/** What is to be sent again: one of `event`, `from` with `to`, and `failed`. */
export interface ReplayBody {
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
  readonly failed?: true;
}
/** The schema of `ReplayBody`; that one of them is there is checked by the operation. */
export const replaySchema = Type.Object(
  {
    event: Type.Optional(referenceSchema('evt', 'One event.')),
    from: Type.Optional(askedInstantSchema('Events from this instant on, in the project’s time; goes with `to`.')),
    to: Type.Optional(askedInstantSchema('Events before this instant; goes with `from`.')),
    failed: Type.Optional(
      Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'All deliveries that have failed.' }),
    ),
  },
  { title: 'WebhookReplayRequest', additionalProperties: false },
);
/** What a replay came to. */
export const replayAnswerSchema = Type.Object(
  {
    object: enumSchema(['webhook_replay'], 'Always `webhook_replay`.'),
    endpoint: idSchema('whe', 'The endpoint.'),
    deliveries: Type.Integer({ description: 'How many deliveries are pending now that were not before.', example: 12 }),
    has_more: Type.Boolean({ description: 'Whether there were more than are taken at once: ask again.' }),
    next_from: nullable(instantSchema('Of a time of which there is more: the `from` to ask with again.')),
  },
  { title: 'WebhookReplay', additionalProperties: false },
);

/** What a test came to. */
export const testAnswerSchema = Type.Object(
  {
    object: enumSchema(['webhook_test'], 'Always `webhook_test`.'),
    endpoint: idSchema('whe', 'The endpoint.'),
    succeeded: Type.Boolean({ description: 'Whether it was answered with 2xx in time.' }),
    ...outcome,
  },
  { title: 'WebhookTest', additionalProperties: false },
);
