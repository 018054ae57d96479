import { Type, type Static } from 'typebox';
import { BLOCKED_ACTORS, BLOCKED_CODES, REJECTION_CODES } from '#domain/orders/blocked.ts';
import { METER_ORDER_STATUSES, REDUCTION_STATUSES } from '#domain/orders/lifecycle.ts';
import { REDUCTION_END_REASONS } from '#domain/orders/state.ts';
import {
  daySchema,
  enumSchema,
  idSchema,
  instantSchema,
  listSchema,
  nullable,
  referenceSchema,
} from '#platform/http/schema-parts.ts';
import { closed } from '../schema-members.ts';

const day = (description: string): ReturnType<typeof nullable> => nullable(daySchema(description, '2027-02-01'));

const blocked = nullable(
  Type.Object(
    {
      code: enumSchema(BLOCKED_CODES, 'What holds it up; further codes may be added.'),
      actor: enumSchema(BLOCKED_ACTORS, 'Who has to act.'),
      message: Type.String({ description: 'The same for people.' }),
      since: instantSchema('Since when.'),
    },
    { ...closed, description: 'What must happen before it can go on; null when nothing holds it up.' },
  ),
);
const dueAt = nullable(
  instantSchema('By when the partner should have answered, or have done what he promised; null: nothing is awaited.'),
);
const dates = { created_at: instantSchema('Creation time.'), updated_at: instantSchema('Time of last update.') };

/** A meter order as it is read. */
export const meterOrderSchema = Type.Object(
  {
    object: enumSchema(['meter_order'], 'Always `meter_order`.'),
    id: idSchema('mor', 'Unique meter order identifier.'),
    subscription: idSchema('sub', 'The subscription whose meter it is.'),
    meter: idSchema('mtr', 'The meter that is exchanged for a smart one.'),
    status: enumSchema(
      METER_ORDER_STATUSES,
      '`placed`: the metering operator has it; `scheduled`: the fitter comes at `appointment_at`; `installed`: it hangs; `activated`: it delivers values, and the meter is `smart`.',
    ),
    blocked,
    due_at: dueAt,
    placed_at: nullable(instantSchema('When the metering operator got the order.')),
    appointment_at: nullable(instantSchema('When the fitter comes, or came.')),
    installed_at: nullable(instantSchema('When the smart meter was fitted.')),
    activated_at: nullable(instantSchema('When it delivered values.')),
    cancelled_at: nullable(instantSchema('When it was cancelled, or the subscription ended.')),
    ...dates,
  },
  { ...closed, title: 'MeterOrder' },
);
/** A page of meter orders. */
export const meterOrderListSchema = listSchema('MeterOrderList', meterOrderSchema);

const subscription = referenceSchema('sub', 'The subscription; it must not have ended.');

/** The body that orders a smart meter. */
export const createMeterOrderSchema = Type.Object({ subscription }, { ...closed, title: 'MeterOrderRequest' });
export type CreateMeterOrder = Static<typeof createMeterOrderSchema>;

/** A grid-fee reduction as it is read. */
export const reductionSchema = Type.Object(
  {
    object: enumSchema(['grid_fee_reduction'], 'Always `grid_fee_reduction`.'),
    id: idSchema('gfr', 'Unique grid-fee reduction identifier.'),
    subscription: idSchema('sub', 'The subscription whose grid fees are reduced.'),
    module_1: Type.Boolean({ description: 'Flat yearly reduction.' }),
    module_2: Type.Boolean({ description: 'Reduced work price.' }),
    module_3: Type.Boolean({ description: 'Time-variable work price.' }),
    status: enumSchema(
      REDUCTION_STATUSES,
      '`intended`: waits for the supply, or for the smart meter; `ordered`: the grid operator was asked; `activated`: in force from `effective_from` on.',
    ),
    blocked,
    due_at: dueAt,
    ordered_at: nullable(instantSchema('When the grid operator was asked.')),
    effective_from: day('The first day with it, in Europe/Berlin, once the grid operator has agreed.'),
    effective_until: day('The first day without it, once one is asked for.'),
    rejection: nullable(
      Type.Object(
        {
          code: enumSchema(REJECTION_CODES, 'Why; further codes may be added.'),
          message: Type.String({ description: 'The same for people.' }),
        },
        { ...closed, description: 'Why the grid operator refused it; null unless he did.' },
      ),
    ),
    end_reason: nullable(
      enumSchema(
        REDUCTION_END_REASONS,
        'Why it ended: asked for, replaced by another one, or with the supply; null until then.',
      ),
    ),
    ...dates,
  },
  { ...closed, title: 'GridFeeReduction' },
);
/** A page of grid-fee reductions. */
export const reductionListSchema = listSchema('GridFeeReductionList', reductionSchema);

/** The body that asks for a grid-fee reduction. */
export const createReductionSchema = Type.Object(
  {
    subscription,
    module_1: Type.Optional(Type.Boolean({ description: 'Flat yearly reduction.' })),
    module_2: Type.Optional(
      Type.Boolean({
        description: 'Reduced work price; the controllable device needs a meter and market location of its own.',
      }),
    ),
    module_3: Type.Optional(
      Type.Boolean({ description: 'Time-variable work price; with module 1 and a smart meter.' }),
    ),
  },
  { ...closed, title: 'GridFeeReductionRequest', description: 'Module 1, module 2, or modules 1 and 3.' },
);
export type CreateReduction = Static<typeof createReductionSchema>;
