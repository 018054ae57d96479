import { Type } from 'typebox';
import { EVENT_TYPES } from '#domain/event-types.ts';
import { route, type Route } from '#platform/http/contract.ts';
import { enumSchema, idSchema, instantSchema } from '#platform/http/schema-parts.ts';
import {
  createSharedRead,
  DEFAULT_LIMIT,
  handleReadEvent,
  handleReadEvents,
  MAX_LIMIT,
  MAX_WAIT_SECONDS,
  type EventDependencies,
} from './read-events.ts';

export { createFeedCursors, createFeedSignal, type FeedCursors, type FeedSignal } from './feed.ts';
export { presentEvent } from './read-events.ts';
export { describeFeedHolder, findFeedHolder, type FeedHolder } from './feed-holder-store.ts';
export { createFeedWatch } from './feed-watch.ts';
export { publishRound, waitForFeed } from './publish.ts';
export { mendFeed, takeUpFeed, type FeedPosition } from './store.ts';
export { recordEvents, type NewEvent } from './record-events.ts';

const eventSchema = Type.Object(
  {
    object: enumSchema(['event'], 'Always `event`.'),
    id: idSchema('evt', 'Unique event identifier.'),
    type: enumSchema(Object.values(EVENT_TYPES).flat(), 'What has happened; further types may be added.'),
    timestamp: instantSchema('When it happened, in the project’s time.'),
    sequence: Type.Integer({
      description: 'Counts the events of one subscription, or of one other resource, from 1 without gaps.',
      example: 3,
    }),
    request_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The request that caused it; null when the market or the passing of time did.',
    }),
    data: Type.Unsafe<object>({
      type: 'object',
      description:
        '`subscription`, or the resource that the type begins with, as `GET` read it right after (of a `lead` without personal data, which are null; of a `customer` only `object`, `id`, `updated_at` and `erased_at`, with empty `previous_attributes`: events carry nothing personal, read the resource or its timeline); `previous_attributes`: what its changed members were before, but for `updated_at` (of several events of one step, which all show what came of it, `subscription.action_…` tell of `next_action` alone and the others of the rest); where it applies `fields` (JSON Pointers of what an edit named, and `/meter/malo` where correcting the place made it unknown) and `reason` (`lead_time`, `previous_contract` or `grid_operator`: why the market moved the requested start or the end; `withdrawal`: the customer withdraws).',
    }),
  },
  { additionalProperties: false, title: 'Event' },
);

const feedSchema = Type.Object(
  {
    object: enumSchema(['list'], 'Always `list`.'),
    items: Type.Array(eventSchema),
    has_more: Type.Boolean({
      description:
        'Whether more can be read at once; where the types asked for are rare, also when there are no items yet.',
    }),
    next_page: Type.String({ description: 'The cursor to read on from, as `after`; also when there was nothing.' }),
  },
  { additionalProperties: false, title: 'EventFeed' },
);

const text = Type.String();
const tag = 'Events';

/** The routes of events. */
export function createEventRoutes(dependencies: EventDependencies): Route[] {
  const readAgain = createSharedRead(dependencies);
  return [
    route(
      {
        operationId: 'readEvents',
        method: 'GET',
        path: '/events',
        tag,
        summary: 'Read the feed of events',
        description:
          'All events of the project, oldest first, in the order in which they were committed; of each subscription in the order of its `sequence`. Nothing is ever missed between two cursors: an event gets its place only when no older one can still appear. Start without `after`, or with the `X-Event-Cursor` of `GET /subscriptions`, and go on with `next_page`.',
        access: 'read:*',
        query: {
          after: { description: 'Cursor: reads what came after it; absent: from the very first event.', schema: text },
          limit: {
            description:
              'How many events an answer has at most; fewer where they are large, so that an answer has about two megabytes: `has_more` says whether there are more.',
            schema: Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
          },
          wait: {
            description: 'Seconds to wait for something new when there is nothing.',
            schema: Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 }),
          },
          types: { description: 'Types with commas between, also `subscription.*`; absent: all.', schema: text },
        },
        collectsErrors: true,
        response: { status: 200, description: 'Events, and where to read on.', schema: feedSchema },
      },
      (request) => handleReadEvents(dependencies, readAgain, request),
    ),
    route(
      {
        operationId: 'readEvent',
        method: 'GET',
        path: '/events/:id',
        tag,
        summary: 'Read an event',
        description: 'The event as it was written.',
        access: 'read:*',
        parameters: { id: 'ID of the event (`evt_…`).' },
        response: { status: 200, description: 'The event.', schema: eventSchema },
      },
      (request) => handleReadEvent(dependencies, request),
    ),
  ];
}
