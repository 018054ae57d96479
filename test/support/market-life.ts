import assert from 'node:assert/strict';
import { isReached } from '#domain/market/instants.ts';
import { visibleAction, type SupplyFacts } from '#domain/market/state.ts';
import { beginSupply, decide, type Decision, type SupplyInput } from '#domain/market/supply.ts';
import type { InboundMessage, MarketPartner, MessageKind, OutboundMessage } from '#domain/market/messages.ts';
import type { Delivery, GatewayMemory, MarketGateway } from '#market/gateway.ts';
import { manualGateway } from '#market/manual/gateway.ts';
import { sandboxGateway } from '#market/sandbox/gateway.ts';

/** A subscription living in memory, with the way to the market that its project has. */
export interface Life {
  now: Temporal.Instant;
  last: Decision;
  deliveries: readonly Delivery[];
  memory: GatewayMemory | null;
  readonly gateway: MarketGateway;
  readonly sent: OutboundMessage[];
  readonly trace: unknown[];
}

/** The market location that lives begin with, and another. */
export const MALO = '51238696781';
export const OTHER_MALO = '41373559241';

export const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

/** A supplier of this name; his id follows from it. */
export function supplierNamed(name: string): MarketPartner {
  return { id: `sup_${name}`, name, code: null };
}

const facts: SupplyFacts = {
  reference: '01h455vb4pex5vsknk084sn02q',
  transport: 'automatic',
  nextPossibleStart: true,
  concludedAt: '2026-11-21T09:00:00Z',
  customerType: 'person',
  cancellationPeriod: 'P1M',
  marketLocation: MALO,
  meterNumber: '1EMH0012345678',
  zip: '10115',
  address: 'Musterstraße 12, Berlin',
  customerName: 'Erika Mustermann',
  intendedStartDate: null,
  previousSupplier: null,
};

/** What the market has to know of an ordinary sign-up on Saturday 2026-11-21, 10:00 in Berlin, as far as not given. */
export function supplyFacts(given: Partial<SupplyFacts> = {}): SupplyFacts {
  return { ...facts, ...given };
}

/** Begins a life: of a sandbox project, or with `transport: 'manual'` of a live one. */
export function beginLife(given: Partial<SupplyFacts> = {}): Life {
  const complete = supplyFacts(given);
  const now = Temporal.Instant.from(complete.concludedAt);
  const state = beginSupply(complete);
  const last: Decision = {
    state,
    outcome: { kind: 'done' },
    stageEvent: null,
    messages: [],
    events: [],
    dueAt: null,
  };
  const gateway = complete.transport === 'manual' ? manualGateway : sandboxGateway;
  const life: Life = { now, last, deliveries: [], memory: null, gateway, sent: [], trace: [] };
  give(life, { type: 'started' });
  return life;
}

/** Lets something happen now, and the market hear of it. */
export function give(life: Life, input: SupplyInput): Decision {
  const decision = decide(life.last.state, input, life.now);
  life.last = decision;
  life.trace.push([life.now.toString(), input, decision.outcome, decision.events, decision.messages, decision.dueAt]);
  life.sent.push(...decision.messages);
  const { zip } = decision.state.facts;
  const { deliveries, memory } = life.gateway.accept(decision.messages, { zip }, life, life.now);
  life.deliveries = deliveries;
  life.memory = memory;
  return decision;
}

/** Lets the time pass until an instant; everything due happens in its order. */
export function advance(life: Life, until: Temporal.Instant): void {
  for (let steps = 0; ; steps += 1) {
    if (steps > 2000) throw new Error(`never comes to rest: ${JSON.stringify(life.last.state)}`);
    const [next] = life.deliveries.toSorted((one, other) =>
      Temporal.Instant.compare(Temporal.Instant.from(one.at), Temporal.Instant.from(other.at)),
    );
    const { dueAt } = life.last;
    const isDelivery = next !== undefined && (dueAt === null || isReached(next.at, Temporal.Instant.from(dueAt)));
    const at = isDelivery ? next.at : dueAt;
    if (at === null || !isReached(at, until)) break;
    const instant = Temporal.Instant.from(at);
    if (Temporal.Instant.compare(instant, life.now) > 0) life.now = instant;
    if (isDelivery) life.deliveries = life.deliveries.filter((each) => each !== next);
    give(life, isDelivery ? { type: 'received', message: next.message } : { type: 'due' });
  }
  life.now = until;
}

// ---------------------------------------------------------------------------------------------------------------
// Lives in which the market says nothing but what a test says

/** Begins a life of which the simulated market has not heard. */
export function quiet(given: Partial<SupplyFacts> = {}): Life {
  const life = beginLife(given);
  life.deliveries = [];
  return life;
}

/** Hears a message, which answers another where one is given. */
export function hear(
  life: Life,
  content: Record<string, unknown> & { kind: MessageKind },
  answered?: OutboundMessage,
): Decision {
  const number = `in-${life.trace.length}`;
  const head = { documentNumber: number, processNumber: number, answers: answered?.processNumber ?? null };
  const decision = give(life, { type: 'received', message: { ...head, ...content } as unknown as InboundMessage });
  life.deliveries = [];
  return decision;
}

/** The last message of a kind that was sent. @throws AssertionError when there is none */
export function newest(life: Life, kind: MessageKind): OutboundMessage {
  const found = life.sent.findLast((message) => message.kind === kind);
  assert.ok(found !== undefined, `no ${kind} was sent`);
  return found;
}

/** How many messages of a kind were sent. */
export function sentOf(life: Life, kind: MessageKind): number {
  return life.sent.filter((message) => message.kind === kind).length;
}

/** The starts that are being taken back: market location and day of each. */
export function revokedIn(life: Life): unknown[] {
  return (life.last.state.revocations ?? []).map(({ marketLocation, start }) => [marketLocation, start]);
}

/** What the API shows as next action: code, actor, and by when. */
export function shown(life: Life): unknown[] {
  const action = visibleAction(life.last.state);
  return [action?.code, action?.actor, action?.due_at];
}

/** The input that asks for an end; without a day for the earliest. */
export function askFor(reason: 'ordinary' | 'withdrawal', endDay: string | null = null): SupplyInput {
  return { type: 'termination_asked', request: { reason, endDay } };
}

/** In supply since 2026-11-24, with an ordinary end on 2027-02-01 that the grid operator knows of but has not confirmed. */
export function ending(now = '2026-12-02T01:00:00Z'): Life {
  const life = beginLife();
  advance(life, instant('2026-12-01T11:00:00Z'));
  give(life, askFor('ordinary', '2027-02-01'));
  advance(life, instant(now));
  life.deliveries = [];
  return life;
}
