/**
 * One subscription while it is worked on: what is stored of it, and the steps that it takes now, laid out as the rows
 * to write. Pure but for the ids it mints; `store.ts` writes the steps of many lives in one commit.
 */
import { changedAt } from '#domain/calendar.ts';
import { formatId } from '#domain/identifiers.ts';
import { statusOf } from '#domain/subscription/lifecycle.ts';
import type { InboundMessage } from '#domain/market/messages.ts';
import { nextAction, type NextAction } from '#domain/market/next-action.ts';
import { answerable, isRevoking } from '#domain/market/revocations.ts';
import { visibleAction, type Outcome } from '#domain/market/state.ts';
import type { SupplyEvent, SupplyFacts, SupplyState } from '#domain/market/state.ts';
import { beginSupply, decide, type Decision, type SupplyInput } from '#domain/market/supply.ts';
import type { OrdersInput } from '#domain/orders/state.ts';
import type { Delivery, GatewayMemory, MarketGateway } from '#market/gateway.ts';
import { formatInstant } from '#platform/clock.ts';
import type { MintUuid } from '#platform/uuid.ts';
import { changeOrders, ordersDueAt, playOrders, type LifeOrders, type OrderTrace } from '../orders/life-orders.ts';
import { firstDelivery, supplyDueAt } from './due.ts';
import {
  causedBy,
  eventsOfStep,
  fieldsOfEdit,
  inboundRow,
  messageRow,
  note,
  type EventRow,
  type MarkedMessage,
  type MessageRow,
} from './traces.ts';
import { presentPreviousAttributes, presentSubscription, type SubscriptionRow } from '../present.ts';

/** A subscription with what only its process needs to know. */
export interface LifeRow extends SubscriptionRow {
  readonly revision: number;
  readonly malo: string | null;
  readonly meter_number_normalised: string;
  readonly zip: string;
}

/** What is kept of a process between its steps; plain JSON. */
export interface Memory {
  readonly supply: SupplyState;
  readonly gateway: GatewayMemory | null;
  /** What the simulated market will deliver. */
  readonly under_way: readonly Delivery[];
  /** Its meter order and grid-fee reductions; absent of a life that never had any. */
  readonly orders?: LifeOrders;
  /** When the last step was taken: no later one lies before it. */
  readonly last_at: string;
  /** Set aside by a defect until an operator takes it up again; nothing is due. */
  readonly is_parked?: boolean;
}

/** Who asks for a step. Without a credential it is an operator. */
export interface Cause {
  readonly requestId: string | null;
  readonly credentialId: string | null;
}

/** A life in work; its steps are written together. */
export interface Life {
  readonly processId: string;
  /** As it was before the first step. */
  readonly stored: LifeRow;
  row: LifeRow;
  readonly loaded: Memory;
  memory: Memory;
  /** When something happens by itself next, deliveries included. */
  dueAt: string | null;
  /** The row after each step; the database takes them one by one. */
  readonly rows: LifeRow[];
  readonly messages: MessageRow[];
  readonly events: EventRow[];
  readonly marked: MarkedMessage[];
  /** Each step of its orders. */
  readonly orders: OrderTrace[];
  /** Whether the memory must be written, also when no step was taken. */
  isTouched: boolean;
  /** Not started yet. */
  isNew: boolean;
}

/** What taking steps needs. */
export interface LifeTools {
  readonly gateway: MarketGateway;
  readonly mintUuid: MintUuid;
}

/** An action as JSON text, with the path of its subscription. */
function presentAction(id: string, action: NextAction): string {
  const { resolve } = action;
  const path = resolve?.path.replace('{subscription}', formatId('sub', id));
  return JSON.stringify({ ...action, resolve: resolve === null ? null : { ...resolve, path } });
}

/** The members of a subscription that follow from the state of its process. */
function shownBy(state: SupplyState, row: LifeRow, malo: string | null): Partial<LifeRow> {
  const action = visibleAction(state);
  return {
    status: statusOf(state.stage),
    stage: state.stage,
    end_reason: state.endReason,
    next_action: action === null ? null : presentAction(row.id, action),
    start_at: state.startAt,
    terminated_at: state.terminatedAt,
    end_at: state.endAt,
    requested_start_date: state.requestedStart,
    requested_start_reason: state.moveReason,
    malo,
  };
}

/** A life that was loaded; one that was never worked on begins with its facts. */
export function openLife(
  processId: string,
  row: LifeRow,
  stored: { readonly memory: string | null; readonly dueAt: string | null },
  factsOf: () => SupplyFacts,
): Life {
  const memory: Memory =
    stored.memory === null
      ? { supply: beginSupply(factsOf()), gateway: null, under_way: [], last_at: row.created_at }
      : (JSON.parse(stored.memory) as Memory);
  return {
    processId,
    stored: row,
    row,
    loaded: memory,
    memory,
    dueAt: stored.dueAt,
    rows: [],
    messages: [],
    events: [],
    marked: [],
    orders: [],
    isTouched: false,
    isNew: stored.memory === null,
  };
}

/** What a step changes beside what the machine decides, and who causes it. */
export interface StepDetails {
  readonly cause?: Cause;
  /** Members of the row that an edit sets; absent of one that names only what is there already. */
  readonly edits?: Partial<LifeRow>;
  /** JSON Pointers of what an edit names; told in its event. */
  readonly fields?: readonly string[];
  /** By an edit of the place the market location may become unknown; by all else the place stays claimed by the one that was. */
  readonly namesPlace?: boolean;
  readonly isFromMarket?: boolean;
}

/** Takes one step; an input that is refused or ignored changes nothing, but a message is kept all the same. */
export function takeStep(
  life: Life,
  input: SupplyInput,
  now: Temporal.Instant,
  tools: LifeTools,
  details: StepDetails = {},
): Decision {
  const decision = decide(life.memory.supply, input, now);
  const { outcome } = decision;
  if (outcome.kind === 'refused') return decision;
  const isRecorded =
    outcome.kind === 'done' ||
    details.edits !== undefined ||
    (input.type === 'received' && outcome.reason !== 'duplicate');
  if (isRecorded) writeStep(life, decision, input, now, tools, details);
  return decision;
}

/** Takes a step that concerns the market in nothing: only what an edit sets. */
export function takeEdit(life: Life, now: Temporal.Instant, tools: LifeTools, details: StepDetails): void {
  const { supply } = life.memory;
  const nothing = { outcome: { kind: 'done' } as const, stageEvent: null, messages: [], events: [], dueAt: null };
  writeStep(life, { state: supply, ...nothing }, null, now, tools, details);
}

function writeStep(
  life: Life,
  decision: Decision,
  input: SupplyInput | null,
  now: Temporal.Instant,
  tools: LifeTools,
  details: StepDetails,
): void {
  const at = formatInstant(now);
  const before = life.row;
  const revision = before.revision + 1;
  const { marketLocation } = decision.state.facts;
  const malo = details.namesPlace === true ? marketLocation : (marketLocation ?? before.malo);
  const changed: LifeRow = {
    ...before,
    ...details.edits,
    ...shownBy(decision.state, before, malo),
    revision,
  };
  // A process that was set aside stays so when only something beside the market is edited.
  const isParked = life.memory.is_parked === true && input === null;
  if (isParked) Object.assign(changed, { next_action: before.next_action });
  const isEdit = details.edits !== undefined || details.fields !== undefined;
  const events = eventsOfStep(decision, isEdit, life.memory.is_parked === true && !isParked);
  const after: LifeRow = {
    ...changed,
    event_sequence: before.event_sequence + events.length,
    updated_at: events.length > 0 ? changedAt(before.created_at, at) : before.updated_at,
  };
  const head = { subscriptionId: before.id, revision, now, mintUuid: tools.mintUuid };
  if (input?.type === 'received') life.messages.push(inboundRow(input.message, decision, head));
  const caused = { ...details, isFromMarket: input?.type === 'received' };
  pushEvents(life, before, after, events, now, tools, caused);
  markMessages(life, input, decision, at);
  const place = { zip: decision.state.facts.zip };
  const { gateway: memory, under_way: deliveries } = life.memory;
  const known = { memory, deliveries };
  const taken = decision.messages.length === 0 ? known : tools.gateway.accept(decision.messages, place, known, now);
  for (const message of decision.messages) {
    const isWaiting = decision.state.untransmitted.includes(message.documentNumber);
    life.messages.push({
      ...messageRow(message, head),
      direction: 'out',
      state: isWaiting ? 'waiting' : 'transmitted',
      transmitted_at: isWaiting ? null : at,
    });
  }
  life.rows.push(after);
  life.row = after;
  const { orders } = life.memory;
  life.memory = {
    supply: decision.state,
    gateway: taken.memory,
    under_way: taken.deliveries,
    ...(orders === undefined ? {} : { orders }),
    last_at: at,
    ...(isParked ? { is_parked: true } : {}),
  };
  changeOrders(life, { type: 'supply_changed' }, now, tools, { by: causedBy(caused), cause: details.cause });
  remember(life, life.memory);
}

/** Lets something happen to the orders of a life; `refused` changes nothing. */
export function takeOrderStep(
  life: Life,
  input: OrdersInput,
  now: Temporal.Instant,
  tools: LifeTools,
  cause: Cause,
): 'done' | 'refused' {
  const outcome = changeOrders(life, input, now, tools, { by: causedBy({ cause }), cause });
  if (outcome === 'done') remember(life, { ...life.memory, last_at: formatInstant(now) });
  return outcome;
}

/** Keeps a memory, and when it is due: by the machine's own reckoning or because something is delivered. */
function remember(life: Life, memory: Memory): void {
  life.memory = memory;
  life.isTouched = true;
  life.isNew = false;
  const [supply, orders] = [supplyDueAt(life), ordersDueAt(life)];
  const first = supply === null || (orders !== null && orders < supply) ? orders : supply;
  life.dueAt = memory.is_parked === true ? null : first;
}

function pushEvents(
  life: Life,
  before: LifeRow,
  after: LifeRow,
  events: readonly SupplyEvent[],
  now: Temporal.Instant,
  { mintUuid }: LifeTools,
  details: StepDetails,
): void {
  if (events.length === 0) return;
  const { cause } = details;
  const fields = fieldsOfEdit(details.fields, before, after);
  const shown = presentSubscription(after);
  const isActionEvent = (type: string): boolean => type.startsWith('subscription.action_');
  // The next action has events of its own.
  const besideAction = events.some(({ type }) => isActionEvent(type))
    ? { ...before, next_action: after.next_action }
    : before;
  for (const [index, { type, reason, substituteSupply: days }] of events.entries()) {
    const isAction = isActionEvent(type);
    const previous = isAction
      ? presentPreviousAttributes({ ...after, next_action: before.next_action }, after)
      : presentPreviousAttributes(besideAction, after);
    const extra = `${reason === null ? '' : `,"reason":${JSON.stringify(reason)}`}${
      fields === undefined || isAction ? '' : `,"fields":${JSON.stringify(fields)}`
    }${days === undefined ? '' : `,"substitute_supply":${JSON.stringify(days)}`}`;
    life.events.push({
      id: mintUuid(now),
      subscription_id: after.id,
      revision: after.revision,
      sequence: before.event_sequence + index + 1,
      type,
      occurred_at: formatInstant(now),
      request_id: cause?.requestId ?? null,
      caused_by: causedBy(details),
      credential_id: cause?.credentialId ?? null,
      data: `{"subscription":${shown},"previous_attributes":${previous}${extra}}`,
    });
  }
}

/** What waits no longer was handed over, or is pointless; what was replaced or dropped and is answered was handed over too. */
function markMessages(life: Life, input: SupplyInput | null, { state, outcome }: Decision, at: string): void {
  const waiting = new Set(state.untransmitted);
  const isHandedOver =
    input?.type === 'transmitted' || (input?.type === 'received' && input.message.kind === 'acknowledgement');
  for (const documentNumber of life.memory.supply.untransmitted) {
    if (waiting.has(documentNumber)) continue;
    const marked = isHandedOver ? 'transmitted' : 'obsolete';
    const own = life.messages.find((message) => message.document_number === documentNumber);
    if (own === undefined) {
      note(life.marked, { subscription_id: life.row.id, document_number: documentNumber, state: marked, at });
    } else Object.assign(own, { state: marked, transmitted_at: marked === 'transmitted' ? at : null });
  }
  const answers = input?.type === 'received' && outcome.kind === 'done' ? input.message.answers : null;
  const sent = answerable(life.memory.supply).find(({ processNumber }) => processNumber === answers);
  const known = { subscription_id: life.row.id, at };
  if (sent !== undefined) note(life.marked, { ...known, document_number: sent.documentNumber, state: 'transmitted' });
}

/** Takes the first thing that is due by an instant: what the market delivers goes before what is waited for. */
export function takeDueStep(
  life: Life,
  now: Temporal.Instant,
  tools: LifeTools,
  isTaken: (message: InboundMessage) => boolean,
): void {
  if (life.isNew) {
    takeStep(life, { type: 'started' }, now, tools);
    life.isNew = false;
    return;
  }
  // Of what is due at one instant, orders come after the supply, on which they depend.
  if (life.memory.orders !== undefined && supplyDueAt(life) !== life.dueAt) {
    playOrders(life, now, tools);
    remember(life, { ...life.memory, last_at: formatInstant(now) });
    return;
  }
  const delivery = firstDelivery(life);
  if (delivery === undefined || delivery.at !== life.dueAt) {
    const { outcome } = takeStep(life, { type: 'due' }, now, tools);
    // Nothing was due: only the reckoning is put right.
    if (outcome.kind !== 'done') remember(life, life.memory);
    return;
  }
  const { message } = delivery;
  const underWay = life.memory.under_way.filter((each) => each !== delivery);
  life.memory = { ...life.memory, under_way: underWay };
  const { outcome } = takeStep(life, { type: 'received', message, isTaken: isTaken(message) }, now, tools);
  if (outcome.kind !== 'done') remember(life, life.memory);
}

/**
 * Sets a life aside whose machine failed: what it did now is forgotten, nothing is due any more, and an operator is asked
 * to look, unless nothing is to be done after its end. `operator_retry` takes it up again.
 */
export function parkLife(life: Life, now: Temporal.Instant, tools: LifeTools): void {
  const { stored } = life;
  const memory = { ...life.loaded, last_at: formatInstant(now), is_parked: true };
  Object.assign(life, { row: stored, memory, isTouched: true, dueAt: null });
  for (const list of [life.rows, life.messages, life.events, life.marked, life.orders]) list.length = 0;
  if (stored.status === 'ended' && !isRevoking(memory.supply)) return;
  const action = nextAction('internal_error', 'person', {});
  const after: LifeRow = {
    ...stored,
    next_action: presentAction(stored.id, action),
    revision: stored.revision + 1,
    event_sequence: stored.event_sequence + 1,
    updated_at: changedAt(stored.created_at, formatInstant(now)),
  };
  pushEvents(life, stored, after, [{ type: 'subscription.action_required', reason: null }], now, tools, {});
  life.rows.push(after);
  life.row = after;
}

/** Takes the step again that an operator has cleared up, also of a life that was set aside; `ignored`: nothing waits. */
export function takeUpAgain(life: Life, now: Temporal.Instant, tools: LifeTools, cause: Cause): Outcome {
  const isParked = life.memory.is_parked === true;
  const outcome = stepOfOperator(life, { type: 'operator_retry' }, now, tools, cause);
  return isParked && outcome.kind === 'ignored' ? { kind: 'done' } : outcome;
}

/** Takes a step that an operator has asked for. Of a life that was set aside an edit of nothing takes it up. */
export function stepOfOperator(
  life: Life,
  input: SupplyInput,
  now: Temporal.Instant,
  tools: LifeTools,
  cause: Cause,
): Outcome {
  const isParked = life.memory.is_parked === true;
  return takeStep(life, input, now, tools, isParked ? { cause, edits: {} } : { cause }).outcome;
}
