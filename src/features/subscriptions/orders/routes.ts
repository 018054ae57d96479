import { METER_ORDER_STATUSES, REDUCTION_STATUSES } from '#domain/orders/lifecycle.ts';
import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import type { FilterTable } from '#platform/http/filters.ts';
import { problems } from '#platform/http/problems.ts';
import { marketProblems } from '../../problems.ts';
import type { SubscriptionDependencies } from '../dependencies.ts';
import { handleCancelMeterOrder, handleEndReduction } from './change-orders.ts';
import { handleCreateMeterOrder, handleCreateReduction } from './create-order.ts';
import {
  handleListMeterOrders,
  handleListReductions,
  handleReadMeterOrder,
  handleReadReduction,
} from './read-orders.ts';
import {
  createMeterOrderSchema,
  createReductionSchema,
  meterOrderListSchema,
  meterOrderSchema,
  reductionListSchema,
  reductionSchema,
  type CreateMeterOrder,
  type CreateReduction,
} from './schema.ts';

/** The filters of `GET /meter-orders`. */
export const meterOrderFilters: FilterTable = {
  subscription: { kind: 'id', prefix: 'sub' },
  status: { kind: 'enum', values: METER_ORDER_STATUSES },
  created_at: { kind: 'instant' },
  updated_at: { kind: 'instant' },
};

/** The filters of `GET /grid-fee-reductions`. */
export const reductionFilters: FilterTable = {
  ...meterOrderFilters,
  status: { kind: 'enum', values: REDUCTION_STATUSES },
};

const meterOrderParameters = { id: 'ID of the meter order (`mor_…`).' };
const reductionParameters = { id: 'ID of the grid-fee reduction (`gfr_…`).' };
const bodyExample = { subscription: 'sub_01k9zr5x3hf8b9m2t4v6w8y0ac' };

const meterOrderContracts = {
  createMeterOrder: {
    operationId: 'createMeterOrder',
    method: 'POST',
    path: '/meter-orders',
    tag: 'Meter orders',
    summary: 'Order a smart meter',
    description:
      'Has the metering operator exchange the meter of a subscription for a smart one. The order is placed as soon as the grid operator has confirmed the supply. A sign-up with the product order `smart-meter` makes one too, unless its meter is smart already.',
    access: 'write:*',
    body: createMeterOrderSchema,
    collectsErrors: true,
    bodyExample,
    response: { status: 201, description: 'The meter order.', schema: meterOrderSchema },
    problems: [marketProblems.meter_order_open, marketProblems.meter_already_smart, marketProblems.not_in_this_stage],
  },
  listMeterOrders: {
    operationId: 'listMeterOrders',
    method: 'GET',
    path: '/meter-orders',
    tag: 'Meter orders',
    summary: 'List meter orders',
    description: 'The meter orders of the project, newest first.',
    access: 'read:*',
    paged: true,
    filters: meterOrderFilters,
    response: { status: 200, description: 'A page of meter orders.', schema: meterOrderListSchema },
  },
  readMeterOrder: {
    operationId: 'readMeterOrder',
    method: 'GET',
    path: '/meter-orders/:id',
    tag: 'Meter orders',
    summary: 'Read a meter order',
    description: 'The meter order as it stands.',
    access: 'read:*',
    parameters: meterOrderParameters,
    response: { status: 200, description: 'The meter order.', schema: meterOrderSchema },
  },
  cancelMeterOrder: {
    operationId: 'cancelMeterOrder',
    method: 'POST',
    path: '/meter-orders/:id/cancel',
    tag: 'Meter orders',
    summary: 'Cancel a meter order',
    description:
      'Possible until the smart meter is installed. In a live project an order that the metering operator has stays as it is, `blocked` by `transmit_order`, until he was told; a fitter who comes all the same has installed it. The end of the subscription cancels it as well.',
    access: 'write:*',
    parameters: meterOrderParameters,
    response: { status: 200, description: 'The meter order as it stands now.', schema: meterOrderSchema },
    problems: [marketProblems.not_in_this_status, problems.precondition_failed],
  },
} satisfies Record<string, RouteContract>;

/** The routes of meter orders. */
export function createMeterOrderRoutes(dependencies: SubscriptionDependencies): Route[] {
  return [
    route<CreateMeterOrder>(meterOrderContracts.createMeterOrder, (request) =>
      handleCreateMeterOrder(dependencies, request),
    ),
    route(meterOrderContracts.listMeterOrders, (request) => handleListMeterOrders(dependencies, request)),
    route(meterOrderContracts.readMeterOrder, (request) => handleReadMeterOrder(dependencies, request)),
    route(meterOrderContracts.cancelMeterOrder, (request) => handleCancelMeterOrder(dependencies, request)),
  ];
}

const reductionContracts = {
  createGridFeeReduction: {
    operationId: 'createGridFeeReduction',
    method: 'POST',
    path: '/grid-fee-reductions',
    tag: 'Grid-fee reductions',
    summary: 'Ask for a grid-fee reduction',
    description:
      'Asks the grid operator for modules of § 14a EnWG, as soon as he has confirmed the supply; with module 3 also not before the meter is smart. It takes effect on a day to come, and takes the place of the one that is in force then: a change of modules is never retroactive. The customer must have a controllable device of more than 4.2 kW, and for module 2 a market location of its own for it; the grid operator knows, and rejects it otherwise.',
    access: 'write:*',
    body: createReductionSchema,
    collectsErrors: true,
    bodyExample: { ...bodyExample, module_1: true },
    response: { status: 201, description: 'The grid-fee reduction.', schema: reductionSchema },
    problems: [marketProblems.grid_fee_reduction_open, marketProblems.not_in_this_stage],
  },
  listGridFeeReductions: {
    operationId: 'listGridFeeReductions',
    method: 'GET',
    path: '/grid-fee-reductions',
    tag: 'Grid-fee reductions',
    summary: 'List grid-fee reductions',
    description: 'The grid-fee reductions of the project, newest first.',
    access: 'read:*',
    paged: true,
    filters: reductionFilters,
    response: { status: 200, description: 'A page of grid-fee reductions.', schema: reductionListSchema },
  },
  readGridFeeReduction: {
    operationId: 'readGridFeeReduction',
    method: 'GET',
    path: '/grid-fee-reductions/:id',
    tag: 'Grid-fee reductions',
    summary: 'Read a grid-fee reduction',
    description: 'The grid-fee reduction as it stands.',
    access: 'read:*',
    parameters: reductionParameters,
    response: { status: 200, description: 'The grid-fee reduction.', schema: reductionSchema },
  },
  endGridFeeReduction: {
    operationId: 'endGridFeeReduction',
    method: 'POST',
    path: '/grid-fee-reductions/:id/end',
    tag: 'Grid-fee reductions',
    summary: 'End a grid-fee reduction',
    description:
      'What is not in force yet ends at once. What is in force stays so until `effective_until`: the grid operator needs two working days. In a live project that holds for all that he was asked for, and it is `blocked` by `transmit_order` until he was told and goes on until he has agreed. The end of the subscription ends it as well.',
    access: 'write:*',
    parameters: reductionParameters,
    response: { status: 200, description: 'The grid-fee reduction as it stands now.', schema: reductionSchema },
    problems: [marketProblems.not_in_this_status, problems.precondition_failed],
  },
} satisfies Record<string, RouteContract>;

/** The routes of grid-fee reductions. */
export function createReductionRoutes(dependencies: SubscriptionDependencies): Route[] {
  return [
    route<CreateReduction>(reductionContracts.createGridFeeReduction, (request) =>
      handleCreateReduction(dependencies, request),
    ),
    route(reductionContracts.listGridFeeReductions, (request) => handleListReductions(dependencies, request)),
    route(reductionContracts.readGridFeeReduction, (request) => handleReadReduction(dependencies, request)),
    route(reductionContracts.endGridFeeReduction, (request) => handleEndReduction(dependencies, request)),
  ];
}
