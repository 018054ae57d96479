import { Type } from 'typebox';
import { enumSchema, idSchema, instantSchema, listSchema, nullable } from '#platform/http/schema-parts.ts';

/** What a supplier's code can be: issued by BDEW (electricity), by DVGW (gas), or a global location number of GS1. */
export const CODE_TYPES = ['BDEW', 'DVGW', 'GLN'] as const;
export type CodeType = (typeof CODE_TYPES)[number];

/** A supplier as it is read. */
export const supplierSchema = Type.Object(
  {
    object: enumSchema(['supplier'], 'Always `supplier`.'),
    id: idSchema('mp', 'Unique supplier identifier.'),
    name: Type.Unsafe<string>({
      type: 'string',
      description: 'What the supplier is called.',
      example: 'Stadtwerke Musterstadt GmbH',
    }),
    code: nullable(
      Type.Unsafe<string>({
        type: 'string',
        pattern: '^[0-9]{13}$',
        description: 'Its code number in the energy market, 13 digits; null when it is not known.',
        example: '9900123456789',
      }),
    ),
    code_type: nullable(enumSchema(CODE_TYPES, 'Who issued the code; null without one.')),
    country: Type.Unsafe<string>({
      type: 'string',
      pattern: '^[A-Z]{2}$',
      description: 'Where it is at home, ISO 3166-1 alpha-2.',
      example: 'DE',
    }),
    created_at: instantSchema('Creation time.'),
  },
  { title: 'Supplier', additionalProperties: false },
);

/** A page of suppliers. */
export const supplierListSchema = listSchema('SupplierList', supplierSchema);
