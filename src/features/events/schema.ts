import { Type, type TSchema } from 'typebox';
import { EVENT_TYPES } from '#domain/event-types.ts';
import { EVENT_REASONS } from '#domain/market/state.ts';
import { daySchema, enumSchema, idSchema, instantSchema } from '#platform/http/schema-parts.ts';

/** What an edit has named. */
export const eventFields = Type.Array(Type.String(), {
  description: 'JSON Pointers of what an edit named, and `/meter/malo` where correcting the place made it unknown.',
  example: ['/meter/number'],
});

/** Why a change came about that nobody has asked for. */
export const eventReason = enumSchema(
  EVENT_REASONS,
  'Why the market moved the requested start or the end; `withdrawal`: the customer withdraws.',
);

/** Days without the previous supplier and without us. */
export const eventSubstituteSupply = Type.Object(
  {
    from: daySchema('The day on which the previous contract ends, the first of them.', '2027-01-31'),
    until: daySchema('The day on which our supply starts.', '2027-02-01'),
  },
  {
    additionalProperties: false,
    description:
      'Days between the confirmed end of the previous contract and the requested or confirmed start, when that has come to lie later. The default supplier supplies the customer then by law, at his price (substitute supply, § 38 EnWG). Nobody has to act; tell the customer. Told with each change of these days, and with the confirmation.',
  },
);

/** An event as it is read. @param data what it carries: features that write events import this one */
export const eventSchemaWith = (data: TSchema): TSchema =>
  Type.Object(
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
      data,
    },
    { additionalProperties: false, title: 'Event' },
  );

/** A page of the feed of such events. */
export const feedSchemaOf = (event: TSchema): TSchema =>
  Type.Object(
    {
      object: enumSchema(['list'], 'Always `list`.'),
      items: Type.Array(event),
      has_more: Type.Boolean({
        description:
          'Whether more can be read at once; where the types asked for are rare, also when there are no items yet.',
      }),
      next_page: Type.String({ description: 'The cursor to read on from, as `after`; also when there was nothing.' }),
    },
    { additionalProperties: false, title: 'EventFeed' },
  );
