import { Type, type TSchema } from 'typebox';
import { MESSAGE_TYPES } from '#domain/market/messages.ts';
import { STAGES, SUBSCRIPTION_EVENT_TYPES } from '#domain/subscription/lifecycle.ts';
import { enumSchema, idSchema, instantSchema, listSchema, nullable } from '#platform/http/schema-parts.ts';
import { causeMembers, toldMembers } from '../audit-log/index.ts';
import { eventFields, eventReason, eventSubstituteSupply } from '../events/index.ts';
import { MESSAGE_STATES } from './supply/traces.ts';

const closed = { additionalProperties: false } as const;

/** What only the entries of one type have. */
const details = (members: Record<string, TSchema>, description: string): TSchema =>
  nullable(Type.Object(members, { ...closed, description }));

const transition = details(
  {
    from: enumSchema(STAGES, 'The stage before.'),
    to: enumSchema(STAGES, 'The stage from then on.'),
  },
  'A step of the lifecycle; null in entries of other types.',
);

const event = details(
  {
    ...toldMembers(enumSchema(SUBSCRIPTION_EVENT_TYPES, 'What has happened; further types may be added.')),
    fields: nullable(eventFields),
    reason: nullable(eventReason),
    substitute_supply: nullable(eventSubstituteSupply),
  },
  'What was told; null in entries of other types.',
);

const message = details(
  {
    id: idSchema('msg', 'Unique message identifier.'),
    direction: enumSchema(['out', 'in'], '`out`: from us to the partner.'),
    kind: enumSchema(Object.keys(MESSAGE_TYPES), 'What it is; further kinds may be added.'),
    identifier: Type.String({
      description: 'The check identifier (PID) of an EDIFACT message, or the operation of the REST API.',
      example: '55001',
    }),
    format: enumSchema(
      [...new Set(Object.values(MESSAGE_TYPES).map(({ format }) => format))],
      'The format that the market knows it in.',
    ),
    name: Type.String({ description: 'What the market calls it, in German.', example: 'Anmeldung' }),
    partner: enumSchema(
      ['grid_operator', 'other_supplier', 'either'],
      'Who it is exchanged with; `either` where it cannot be told which of both.',
    ),
    document_number: Type.String({ description: 'The number of the document, given by its sender.' }),
    process_number: Type.String({ description: 'The number of the process, by which answers name it.' }),
    answers: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The `process_number` of what it answers; null when it answers nothing.',
    }),
    state: enumSchema(
      MESSAGE_STATES,
      'Of what goes out `waiting`, `transmitted`, or `obsolete` when it was not sent any more; of what came in `received`, or `ignored` where nothing waited for it.',
    ),
    contents: Type.Unsafe<object>({ type: 'object', description: 'What it says, which depends on its kind.' }),
  },
  'A message of the market; null in entries of other types.',
);

/** What has happened to a subscription: a step, what was told of it, or a message. */
export const timelineEntrySchema = Type.Object(
  {
    object: enumSchema(['timeline_entry'], 'Always `timeline_entry`.'),
    type: enumSchema(['event', 'transition', 'message'], 'Which of the members below is filled.'),
    timestamp: instantSchema('When it happened, in the project’s time.'),
    revision: Type.Integer({
      description: 'Counts the steps of the life; what belongs together shares one.',
      example: 3,
    }),
    ...causeMembers(
      ['api', 'operator', 'market', 'time', 'service'],
      'Who caused it: a caller of the API, an operator, a market partner, the passing of time, or the service itself.',
    ),
    transition,
    event,
    message,
  },
  { ...closed, title: 'TimelineEntry' },
);

/** A page of it, oldest first. */
export const timelineSchema = listSchema('Timeline', timelineEntrySchema);
