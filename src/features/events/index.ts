import { Type, type TSchema } from 'typebox';
import { route, type Route } from '#platform/http/contract.ts';
import {
  createSharedRead,
  DEFAULT_LIMIT,
  handleReadEvent,
  handleReadEvents,
  MAX_LIMIT,
  MAX_WAIT_SECONDS,
  type EventDependencies,
} from './read-events.ts';
import { feedSchemaOf } from './schema.ts';

export { createFeedCursors, createFeedSignal, type FeedCursors, type FeedSignal } from './feed.ts';
export { presentEvent } from './read-events.ts';
export { findFeedHolder, type FeedHolder } from './feed-holder-store.ts';
export { createFeedWatch, describeFeedHolder } from './feed-watch.ts';
export { createPublisher, waitForFeed } from './publish.ts';
export { mendFeed, takeUpFeed } from './origin-store.ts';
export { type FeedPosition } from './store.ts';
export { recordEvents, type NewEvent } from './record-events.ts';
export { eventFields, eventReason, eventSchemaWith, eventSubstituteSupply } from './schema.ts';

const text = Type.String();
const tag = 'Events';

/** The routes of events, which are shown like this. */
export function createEventRoutes(dependencies: EventDependencies, eventSchema: TSchema): Route[] {
  const shared = createSharedRead(dependencies);
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
        response: { status: 200, description: 'Events, and where to read on.', schema: feedSchemaOf(eventSchema) },
      },
      (request) => handleReadEvents(dependencies, shared, request),
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
