import { Type, type TSchema } from 'typebox';
import { enumSchema, idSchema, instantSchema, listSchema, nullable } from '#platform/http/schema-parts.ts';

/** An entry of the audit log as it is read. */
export const auditEntrySchema = Type.Object(
  {
    object: enumSchema(['audit_entry'], 'Always `audit_entry`.'),
    id: idSchema('aud', 'Unique entry identifier.'),
    created_at: instantSchema('When it was done: wall time, also in sandbox projects.'),
    actor: Type.Object(
      {
        type: enumSchema(['credential', 'operator'], '`operator`: by a command of the service.'),
        credential: nullable(idSchema('crd', 'The credential whose token was used.')),
      },
      { additionalProperties: false, description: 'Who did it.' },
    ),
    request_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The request; events that came of it carry it too. Null for commands.',
    }),
    operation: Type.String({
      description: 'The `operationId` of this reference, or the command.',
      example: 'terminateSubscription',
    }),
    resource: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'ID of what was created or changed; null when that is no resource.',
      example: 'sub_01kb9x8m0ke5b8dcjrg2k8q3zv',
    }),
    fields: Type.Array(Type.String(), { description: 'The members that the request named, of what existed before.' }),
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The `X-Reason` that was sent; null when none was, or when it is erased.',
    }),
  },
  { title: 'AuditEntry', additionalProperties: false },
);

/** A page of the audit log. */
export const auditLogSchema = listSchema('AuditLog', auditEntrySchema);

/** Who caused an entry of a timeline, by which request, and why: the members that timelines share. */
export const causeMembers = (actors: readonly string[], description: string): Record<string, TSchema> => ({
  actor: Type.Object(
    { type: enumSchema(actors, description), credential: nullable(idSchema('crd', 'The credential of a caller.')) },
    { additionalProperties: false },
  ),
  request_id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The request that caused it.' }),
  reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The `X-Reason` of that request; null when there was none.',
  }),
});

/** The event that an entry of a timeline tells of: the members that timelines share. */
export const toldMembers = (type: TSchema): Record<string, TSchema> => ({
  id: idSchema('evt', 'The event that tells of it.'),
  type,
  sequence: Type.Integer({ description: 'Counts the events of the resource from 1 without gaps.', example: 2 }),
  previous_attributes: Type.Unsafe<object>({ type: 'object', description: 'What changed members were before.' }),
});

const stepSchema = Type.Object(
  {
    object: enumSchema(['timeline_entry'], 'Always `timeline_entry`.'),
    type: enumSchema(['event'], 'Every step has its event.'),
    timestamp: instantSchema('When it happened, in the project’s time.'),
    ...causeMembers(
      ['api', 'operator', 'market', 'time'],
      'Who caused it: a caller of the API, an operator, a market partner, or the passing of time.',
    ),
    event: Type.Object(toldMembers(Type.String({ description: 'Its type.', example: 'meter_order.placed' })), {
      additionalProperties: false,
    }),
  },
  { additionalProperties: false, title: 'ResourceTimelineEntry' },
);

/** A page of the story of a resource. */
export const stepListSchema = listSchema('ResourceTimeline', stepSchema);
