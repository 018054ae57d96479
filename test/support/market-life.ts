import { isReached } from '#domain/market/state.ts';
import type { SupplyFacts } from '#domain/market/state.ts';
import { beginSupply, decide, type Decision, type SupplyInput } from '#domain/market/supply.ts';
import type { MarketPartner, OutboundMessage } from '#domain/market/messages.ts';
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
  marketLocation: '51238696781',
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
