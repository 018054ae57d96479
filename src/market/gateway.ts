/**
 * The port between the processes and whatever carries messages to the market. One gateway serves one kind of project;
 * what it has to remember of a life is stored with that life, so that it keeps nothing itself.
 */
import type { InboundMessage, InstantText, OutboundMessage } from '#domain/market/messages.ts';
import type { OrderReport } from '#domain/orders/state.ts';

/** A message that arrives at an instant of project time. */
export interface Delivery {
  readonly at: InstantText;
  readonly message: InboundMessage;
}

/** What a gateway remembers of one life; plain JSON. */
export interface GatewayMemory {
  /** The first meter number that was searched. */
  readonly firstMeterNumber: string | null;
  /** The market location that is shut down: the first that was registered where the zip says so. */
  readonly shutDown: string | null;
  /** How often each was asked for: by kind of message, for a cancellation also by the id of the supplier. */
  readonly asked: Readonly<Record<string, number>>;
  /** As what each counts that will be answered yet, by its process number; absent of a life that began without it. */
  readonly unanswered?: Readonly<Record<string, string>>;
}

/** What a gateway knows of one life between two decisions. */
export interface GatewayState {
  /** What will arrive. */
  readonly deliveries: readonly Delivery[];
  /** What an earlier call returned, or null. */
  readonly memory: GatewayMemory | null;
}

/** What a partner says about an order at an instant of project time. */
export interface OrderDelivery {
  readonly at: InstantText;
  /** The order's id. */
  readonly order: string;
  readonly report: OrderReport;
}

/** Carries messages to the market. */
export interface MarketGateway {
  /** Who transmits: the gateway, or an operator by hand. */
  readonly transport: 'automatic' | 'manual';
  /**
   * Takes over the messages of one decision within its commit; pure. `place` is where supply shall be, `state` what an
   * earlier call for the same life returned, without what has arrived since.
   */
  accept(
    messages: readonly OutboundMessage[],
    place: { readonly zip: string },
    state: GatewayState,
    at: Temporal.Instant,
  ): GatewayState;
  /** Takes an order over within the commit in which it is placed; pure. Answers what will be said about it. */
  placeOrder(
    order: { readonly kind: 'meter_order' | 'grid_fee_reduction'; readonly id: string },
    place: { readonly zip: string },
    at: Temporal.Instant,
  ): readonly OrderDelivery[];
}
