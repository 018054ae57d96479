import type { IdPrefix } from '#domain/identifiers.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import { route, type Request, type Route } from '#platform/http/contract.ts';
import { named } from '#platform/http/named.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import {
  addressSchema,
  meterSchema,
  paymentMethodSchema,
  presentAddress,
  presentMeter,
  presentPaymentMethod,
  readAddresses,
  readMeters,
  readPaymentMethods,
} from '../subscriptions/index.ts';

/** What reading the parts of a subscription needs. */
export interface PartDependencies {
  readonly database: Database;
  readonly keys: Keys;
}

const tag = 'Customers';

/** The routes of what a sign-up stores beside the customer: addresses, meters and payment methods. */
export function createPartRoutes({ database, keys }: PartDependencies): Route[] {
  return [
    route(
      {
        operationId: 'readAddress',
        method: 'GET',
        path: '/addresses/:id',
        tag,
        summary: 'Read an address',
        description: 'A delivery or billing address. It is corrected with `PATCH /subscriptions/{id}`.',
        access: 'read:*',
        parameters: { id: 'ID of the address (`adr_…`).' },
        response: { status: 200, description: 'The address.', schema: addressSchema },
      },
      readOne('adr', async (projectId, id) => (await readAddresses(database, projectId, [id])).map(presentAddress)),
    ),
    route(
      {
        operationId: 'readMeter',
        method: 'GET',
        path: '/meters/:id',
        tag,
        summary: 'Read a meter',
        description:
          'A meter; `malo` is filled in once the market location was found. It is corrected with `PATCH /subscriptions/{id}`.',
        access: 'read:*',
        parameters: { id: 'ID of the meter (`mtr_…`).' },
        response: { status: 200, description: 'The meter.', schema: meterSchema },
      },
      readOne('mtr', async (projectId, id) => (await readMeters(database, projectId, [id])).map(presentMeter)),
    ),
    route(
      {
        operationId: 'readPaymentMethod',
        method: 'GET',
        path: '/payment_methods/:id',
        tag,
        summary: 'Read a payment method',
        description: 'A payment method, its IBAN masked. Another one is set with `PATCH /subscriptions/{id}`.',
        access: 'read:*',
        parameters: { id: 'ID of the payment method (`pm_…`).' },
        response: { status: 200, description: 'The payment method.', schema: paymentMethodSchema },
      },
      readOne('pm', async (projectId, id) =>
        (await readPaymentMethods(database, projectId, [id])).map((row) => presentPaymentMethod(keys, projectId, row)),
      ),
    ),
  ];
}

function readOne(prefix: IdPrefix, read: (projectId: string, id: string) => Promise<string[]>): Route['handle'] {
  return async (request: Request) => {
    const body = await named(request, prefix, async (id) => (await read(request.caller.projectId, id))[0]);
    return { status: 200, body, headers: { etag: entityTag(body) } };
  };
}
