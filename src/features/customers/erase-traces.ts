/**
 * What stays of events, messages and processes when a person is erased. Members are let through by name, so that a new one
 * is erased until somebody has thought about it. Pure.
 */
import type { EVENT_TYPES } from '#domain/event-types.ts';
import type { Question, SupplyFacts, SupplyState } from '#domain/market/state.ts';
import type { Memory } from '../subscriptions/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What stands where something personal stood and the schema wants a value. */
export const ERASED = 'erased';
/** Has the form of an address, of a domain that never is one (RFC 2606). */
export const ERASED_EMAIL = 'erased@erased.invalid';
/** Has the form of a postcode, and belongs to no place. */
export const ERASED_ZIP = '99999';
/** Where a meter number stood; no meter has it. */
export const ERASED_METER_NUMBER = 'ERASED';

/**
 * What is kept of the events of a kind of resource: the members that its row shows after an erasure as well. They say
 * that there is a contract, or was an interest in one, and how it went, and nothing else about a person.
 */
interface Kind {
  readonly kept: ReadonlySet<string>;
  /** What stands in the place of members that are never null. */
  readonly replaced?: ReadonlyMap<string, (value: unknown) => unknown>;
}

const SUBSCRIPTION: Kind = {
  kept: new Set([
    'object',
    'id',
    'plan',
    'customer',
    'address',
    'meter',
    'payment_method',
    'billing_address',
    'supplier',
    'number',
    'status',
    'stage',
    'end_reason',
    'next_action',
    'estimated_usage',
    'next_possible_start',
    'intended_start_date',
    'requested_start_date',
    'requested_start_reason',
    'lead',
    'created_by',
    'created_at',
    'updated_at',
    'start_at',
    'terminated_at',
    'end_at',
  ]),
  replaced: new Map([['product_orders', eraseOrders]]),
};

/** Members of every resource that only say that it is there. */
const THERE = ['object', 'id', 'created_at', 'updated_at'];

const LEAD: Kind = {
  kept: new Set([...THERE, 'plan', 'previous_supplier', 'subscription', 'subscribed_at', 'link', 'created_by']),
  replaced: new Map<string, () => unknown>([
    ['address', () => ({ street: null, house_number: null, zip: ERASED_ZIP, city: null })],
    ['erased', () => true],
  ]),
};

const METER_ORDER: Kind = {
  kept: new Set([
    ...THERE,
    'subscription',
    'meter',
    'status',
    'blocked',
    'due_at',
    'placed_at',
    'appointment_at',
    'installed_at',
    'activated_at',
    'cancelled_at',
  ]),
};

const GRID_FEE_REDUCTION: Kind = {
  kept: new Set([
    ...THERE,
    'subscription',
    'module_1',
    'module_2',
    'module_3',
    'status',
    'blocked',
    'due_at',
    'ordered_at',
    'effective_from',
    'effective_until',
    'rejection',
    'end_reason',
  ]),
};

/** Events of customers tell no more than this in the first place. */
const CUSTOMER: Kind = { kept: new Set([...THERE, 'erased_at']) };

/** Of every kind whose events are held about a person. */
const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    subscription: SUBSCRIPTION,
    lead: LEAD,
    meter_order: METER_ORDER,
    grid_fee_reduction: GRID_FEE_REDUCTION,
    customer: CUSTOMER,
  } satisfies Readonly<Record<Exclude<keyof typeof EVENT_TYPES, 'webhook_endpoint'>, Kind>>),
);

/** What messages say about the contract alone: codes, days and references. */
const KEPT_OF_MESSAGE: ReadonlySet<string> = new Set([
  'code',
  'supplierCode',
  'start',
  'end',
  'otherStart',
  'acceptedFrom',
  'confirmedEnd',
  'nextPossibleEnd',
  'reason',
  'registeredOn',
  'reverses',
  'receivedAt',
  'identifier',
  'gridOperator',
  'retryOf',
  'supplier',
]);

/** A resource, or what changed of it, with every member that it had, the personal ones empty. */
function eraseMembers({ kept, replaced }: Kind, members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      kept.has(name) ? value : (replaced?.get(name)?.(value) ?? null),
    ]),
  );
}

/** Orders without their details. */
function eraseOrders(orders: unknown): unknown {
  if (!Array.isArray(orders)) return [];
  return (orders as { readonly type: string }[]).map((order) => {
    const { type } = order;
    return Object.hasOwn(order, type) ? { type, [type]: {} } : { type };
  });
}

/** The data of an event, JSON text, without anything personal; it still reads like the event that it was. */
export function eraseEventData(data: string): string {
  const {
    previous_attributes: previous = {},
    reason,
    fields,
    substitute_supply: days,
    ...resources
  } = JSON.parse(data) as Readonly<Record<string, JsonObject | undefined>>;
  const told = {
    ...(reason === undefined ? {} : { reason }),
    ...(fields === undefined ? {} : { fields }),
    ...(days === undefined ? {} : { substitute_supply: { from: days['from'], until: days['until'] } }),
  };
  const kindOf = (name: string): Kind => KINDS.get(name) ?? { kept: new Set(THERE) };
  const erased = Object.entries(resources).map(([name, members = {}]) => [name, eraseMembers(kindOf(name), members)]);
  const [name = ''] = Object.keys(resources);
  const before = eraseMembers(kindOf(name), previous);
  return JSON.stringify({ ...Object.fromEntries(erased), previous_attributes: before, ...told });
}

/** The contents of a message, JSON text, without anything personal. */
export function eraseContents(contents: string): string {
  const members = Object.entries(JSON.parse(contents) as JsonObject);
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => KEPT_OF_MESSAGE.has(name))));
}

/** Every member of it has to be named, those that may be absent too: the compiler asks about each new one. */
type Named<T> = { readonly [Name in keyof Required<T>]: T[Name] };

function eraseQuestion(question: Question): Required<Question> {
  return {
    kind: question.kind,
    documentNumber: question.documentNumber,
    processNumber: question.processNumber,
    day: question.day,
    marketLocation: null,
    answerBy: question.answerBy,
    transmitted: question.transmitted,
    reverses: question.reverses,
    revokedStart: question.revokedStart ?? null,
    noticedEnd: question.noticedEnd ?? null,
    shutDownOn: question.shutDownOn ?? null,
    revokes: question.revokes ?? false,
  };
}

/** What is remembered of the market without where and for whom. */
function eraseSupply(supply: SupplyState): Named<SupplyState> {
  const { facts, settled, takenBack } = supply;
  const erasedFacts: Named<SupplyFacts> = {
    reference: facts.reference,
    transport: facts.transport,
    nextPossibleStart: facts.nextPossibleStart,
    customerType: facts.customerType,
    concludedAt: facts.concludedAt,
    cancellationPeriod: facts.cancellationPeriod,
    marketLocation: null,
    meterNumber: ERASED_METER_NUMBER,
    zip: ERASED_ZIP,
    address: ERASED,
    customerName: ERASED,
    intendedStartDate: facts.intendedStartDate,
    previousSupplier: facts.previousSupplier,
  };
  return {
    stage: supply.stage,
    facts: erasedFacts,
    questions: supply.questions.map(eraseQuestion),
    action: null,
    untransmitted: supply.untransmitted,
    owed: supply.owed,
    answered: supply.answered,
    hasUnprocessedAnswer: supply.hasUnprocessedAnswer,
    replaced: supply.replaced?.map(eraseQuestion),
    dropped: supply.dropped?.map(eraseQuestion),
    // Without the market location nothing can be taken back anew.
    revocations: [],
    startAt: supply.startAt,
    endAt: supply.endAt,
    terminatedAt: supply.terminatedAt,
    endReason: supply.endReason,
    end: supply.end,
    endsAtLatest: supply.endsAtLatest,
    formerDeregistrations: supply.formerDeregistrations,
    withdrawn: supply.withdrawn,
    afterReversal: supply.afterReversal,
    settled: settled === null ? null : { supplier: settled.supplier, end: settled.end, marketLocation: null },
    takenBack: takenBack?.map(({ processNumber, supplier, end }) => ({
      processNumber,
      supplier,
      end,
      marketLocation: null,
    })),
    notBefore: supply.notBefore,
    chosenStart: supply.chosenStart,
    gridOperator: supply.gridOperator,
    unclearLocation: null,
    unclearStart: null,
    otherStarts: [],
    revokedStart: supply.revokedStart,
    noticedEnd: supply.noticedEnd,
    shutDownOn: supply.shutDownOn,
    isSwitch: supply.isSwitch,
    attempts: supply.attempts,
    redirections: supply.redirections,
    requestedStart: supply.requestedStart,
    moveReason: supply.moveReason,
    sent: supply.sent,
    received: supply.received,
  };
}

/**
 * What the process of an ended subscription remembers, JSON text, without anything personal: enough to receive a late
 * answer.
 */
export function eraseMemory(text: string): string {
  const { supply, gateway, last_at: lastAt } = JSON.parse(text) as Memory;
  const erasedGateway = gateway === null ? null : { asked: gateway.asked, firstMeterNumber: null, shutDown: null };
  return JSON.stringify({ supply: eraseSupply(supply), gateway: erasedGateway, under_way: [], last_at: lastAt });
}
