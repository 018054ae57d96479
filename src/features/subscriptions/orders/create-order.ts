import { formatId, parseId, type IdPrefix } from '#domain/identifiers.ts';
import { newMeterOrder, newReduction, type OrdersInput } from '#domain/orders/state.ts';
import { checkModuleMeter, checkModuleSet, type GridFeeModules } from '#domain/subscription/sign-up.ts';
import { formatInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { invalid, type FieldError } from '#platform/http/problems.ts';
import { soundPart } from '#platform/http/validation.ts';
import { marketProblems } from '../../problems.ts';
import { refusal } from '../refusals.ts';
import type { Change, ChangeDependencies } from '../supply/change.ts';
import { takeOrderStep } from '../supply/life.ts';
import { handleOrders } from './change-orders.ts';
import { noOrders, type LifeOrders } from './life-orders.ts';
import { presentMeterOrder, presentReduction } from './present.ts';
import type { CreateMeterOrder, CreateReduction } from './schema.ts';
import { readMeterOrder, readOffers, readReduction } from './store.ts';

const SUBSCRIPTION = '/subscription';

/** `POST /meter-orders` */
export function handleCreateMeterOrder(
  dependencies: ChangeDependencies,
  request: Request<CreateMeterOrder>,
): Promise<Answer> {
  return create(dependencies, request, {
    prefix: 'mor',
    path: '/meter-orders',
    product: 'smart-meter',
    errors: request.errors,
    inputOf({ state }, id, at) {
      if (state.has_smart_meter) throw refusal(marketProblems.meter_already_smart, [SUBSCRIPTION], 'has a smart meter');
      if (state.meter_order !== null) {
        throw refusal(marketProblems.meter_order_open, [SUBSCRIPTION], 'has an open order');
      }
      return { type: 'meter_order_added', order: newMeterOrder(id, at) };
    },
    async read({ transaction, projectId }, id) {
      const row = await readMeterOrder(transaction, projectId, id);
      return row === undefined ? undefined : presentMeterOrder(row);
    },
  });
}

/** `POST /grid-fee-reductions` */
export function handleCreateReduction(
  dependencies: ChangeDependencies,
  request: Request<CreateReduction>,
): Promise<Answer> {
  const { errors: refused } = request;
  const { subscription: _, ...modules } = soundPart(request.body, refused);
  // A malformed module may have been the one that is missing.
  const isSetKnown = !refused.some(({ field }) => /^\/module_[123]$/.test(field));
  return create(dependencies, request, {
    prefix: 'gfr',
    path: '/grid-fee-reductions',
    product: '14a_enwg',
    errors: isSetKnown ? [...refused, ...checkModuleSet('', modules)] : refused,
    inputOf: (orders, id, at) => ({ type: 'reduction_added', reduction: newCheckedReduction(orders, id, modules, at) }),
    async read({ transaction, projectId }, id) {
      const row = await readReduction(transaction, projectId, id);
      return row === undefined ? undefined : presentReduction(row);
    },
  });
}

/** @throws Problem */
function newCheckedReduction(
  { state }: LifeOrders,
  id: string,
  modules: GridFeeModules,
  at: string,
): ReturnType<typeof newReduction> {
  const reduction = newReduction(id, modules, at);
  const wrongMeter = checkModuleMeter('', modules, state.has_smart_meter || state.meter_order !== null);
  if (wrongMeter.length > 0) throw invalid(wrongMeter);
  if (state.reductions.some(({ status }) => status !== 'activated')) {
    throw refusal(marketProblems.grid_fee_reduction_open, [SUBSCRIPTION], 'has a reduction under way');
  }
  const isSame = state.reductions.some(
    (each) =>
      each.effective_until === null &&
      each.module_1 === reduction.module_1 &&
      each.module_2 === reduction.module_2 &&
      each.module_3 === reduction.module_3,
  );
  if (isSame) {
    const chosen = ([1, 2, 3] as const).map((n) => `module_${n}` as const).filter((name) => reduction[name]);
    const fields = chosen.map((name) => `/${name}`);
    throw refusal(marketProblems.grid_fee_reduction_open, fields, 'is in force already');
  }
  return reduction;
}

interface Creation {
  readonly prefix: Extract<IdPrefix, 'mor' | 'gfr'>;
  readonly path: string;
  /** What the plan must offer. */
  readonly product: 'smart-meter' | '14a_enwg';
  /** What is wrong with the body by itself; the subscription is looked up all the same. */
  readonly errors: readonly FieldError[];
  /** @throws Problem when the orders that there are do not permit it */
  readonly inputOf: (orders: LifeOrders, id: string, at: string) => OrdersInput;
  readonly read: (where: Pick<Change, 'transaction' | 'projectId'>, id: string) => Promise<string | undefined>;
}

function create(
  dependencies: ChangeDependencies,
  request: Request<CreateMeterOrder>,
  { prefix, path, product, errors, inputOf, read }: Creation,
): Promise<Answer> {
  const { projectId } = request.caller;
  const { subscription } = soundPart(request.body, request.errors);
  if (subscription === undefined) throw invalid(errors);
  const work: Parameters<typeof handleOrders>[2] = async (transaction, inLife) => {
    const subscriptionId = parseId('sub', subscription);
    const unknown = { field: SUBSCRIPTION, code: 'invalid_reference', message: 'names nothing in this project' };
    if (subscriptionId === null) throw invalid([unknown, ...errors]);
    const id = await inLife(subscriptionId, async ({ life, now, preciseNow, tools }, cause) => {
      const [offer] = await readOffers(transaction, projectId, [subscriptionId]);
      const isOffered = offer?.products.includes(product) === true;
      const notOffered = {
        field: SUBSCRIPTION,
        code: 'product_not_offered',
        message: 'has a plan that does not offer this',
      };
      if (!isOffered || errors.length > 0) throw invalid([...(isOffered ? [] : [notOffered]), ...errors]);
      if (life.row.status === 'ended') throw refusal(marketProblems.not_in_this_stage, [SUBSCRIPTION], 'has ended');
      const orders = life.memory.orders ?? noOrders(tools.gateway.transport, offer.meter_type === 'smart');
      const minted = dependencies.mintUuid(preciseNow);
      const input = inputOf(orders, minted, formatInstant(now));
      life.memory = { ...life.memory, orders };
      takeOrderStep(life, input, now, tools, cause);
      return minted;
    });
    if (id === undefined) throw invalid([unknown, ...errors]);
    const body = await read({ transaction, projectId }, id);
    if (body === undefined) throw new Error('an order that was created is not there');
    const headers = { location: `${path}/${formatId(prefix, id)}`, etag: entityTag(body) };
    return { status: 201, body, headers };
  };
  return handleOrders(dependencies, request, work, subscription);
}
