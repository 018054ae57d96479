import { Type } from 'typebox';
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

export const auditLogSchema = listSchema('AuditLog', auditEntrySchema);
