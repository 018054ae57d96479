/** Live projects: an operator transmits every message himself and records what is answered. */
import type { MarketGateway } from '../gateway.ts';

/** Accepts everything and delivers nothing. */
export const manualGateway: MarketGateway = {
  transport: 'manual',
  accept: (_messages, _place, state) => state,
  placeOrder: () => [],
};
