import { Type, type Static } from 'typebox';
import { address, closed, intendedStartDate, malo, metadataChange, paymentMethod, text } from './schema-members.ts';

const { properties: addressMembers } = address;

/** The body of `PATCH /subscriptions/{id}`. */
export const updateSubscriptionSchema = Type.Object(
  {
    payment_method: Type.Optional(paymentMethod),
    billing_address: Type.Optional(
      Type.Unsafe<Static<typeof address> | null>({
        ...address,
        title: 'BillingAddressInput',
        type: ['object', 'null'],
        description: 'Where bills go; null: to the delivery address.',
      }),
    ),
    metadata: Type.Optional(metadataChange),
    meter: Type.Optional(
      Type.Object(
        { number: Type.Optional(text.meterNumber), malo: Type.Optional(malo) },
        {
          ...closed,
          minProperties: 1,
          description:
            'Corrects the meter number or the market location, until the grid operator has confirmed. Another number makes the market location unknown: it is searched, unless `malo` is sent along to keep it.',
        },
      ),
    ),
    address: Type.Optional(
      Type.Object(
        {
          street: Type.Optional(addressMembers.street),
          house_number: Type.Optional(addressMembers.house_number),
          zip: Type.Optional(addressMembers.zip),
          city: Type.Optional(addressMembers.city),
        },
        {
          ...closed,
          minProperties: 1,
          description:
            'Corrects members of the delivery address, until the grid operator has confirmed. Another address makes the market location unknown: it is searched, unless `meter.malo` is sent along to keep it.',
        },
      ),
    ),
    customer: Type.Optional(
      Type.Object(
        {
          first_name: Type.Optional(text.firstName),
          last_name: Type.Optional(text.lastName),
          company_name: Type.Optional(text.companyName),
        },
        {
          ...closed,
          minProperties: 1,
          description: 'Corrects names, until the grid operator has confirmed. `company_name` of a company only.',
        },
      ),
    ),
    intended_start_date: Type.Optional(
      Type.Unsafe<string>({
        ...intendedStartDate,
        description:
          'A day after today in Europe/Berlin, at most 12 months ahead. Of a subscription with `next_possible_start` it counts only where `next_action.fields` asks for it; where that is because the previous contract still runs, no day before its end is taken.',
      }),
    ),
    previous_supplier: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description:
          'ID of the supplier to cancel, see `GET /suppliers`; null: nobody has to be cancelled. Until the grid operator has confirmed.',
        example: 'mp_01k9zr5x3hf8b9m2t4v6w8y0ac',
      }),
    ),
  },
  { ...closed, minProperties: 1, title: 'SubscriptionUpdate' },
);
export type UpdateSubscription = Static<typeof updateSubscriptionSchema>;
