/** What an operator does about the messages of the market: for the command line. */
export { MESSAGE_STATES } from '../supply/traces.ts';
export { listMarketMessages, MAX_LISTED_MESSAGES } from './list-messages.ts';
export { markTransmitted } from './mark-transmitted.ts';
export type { Recording, Refusal, SeenMessage, SeenSubscription } from './outcome.ts';
export { receiveMessage, recordAnswer } from './record-message.ts';
export { acceptStart, giveUpProcess, retryProcess } from './operate-process.ts';
