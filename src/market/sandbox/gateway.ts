/** Sandbox projects: the simulated market of interface.md §9 answers, as far as it is not silent. */
import type { OutboundMessage } from '#domain/market/messages.ts';
import type { Delivery, GatewayMemory, MarketGateway } from '../gateway.ts';
import { sandboxAnswers, SHUT_DOWN_ZIP } from './answers.ts';
import { sandboxReports } from './orders.ts';

const NOTHING: GatewayMemory = { firstMeterNumber: null, shutDown: null, asked: {} };

/** Answers every message at once, for delivery in project time. */
export const sandboxGateway: MarketGateway = {
  transport: 'automatic',
  accept: (messages, { zip }, state, at) => {
    let { deliveries, memory: remembered } = state;
    for (const message of messages) {
      const before = remembered ?? NOTHING;
      const key = keyOf(message);
      remembered = remember(before, message, zip, key);
      const scenario = {
        zip,
        isMeterCorrected:
          message.kind === 'identification_request' && message.meterNumber !== remembered.firstMeterNumber,
        shutDown: remembered.shutDown,
        timesAsked: before.asked[key] ?? 0,
        answeredAt: message.kind === 'reversal' ? answeredAt(message.reverses, deliveries) : null,
      };
      const answers = sandboxAnswers(message, scenario, at);
      const forgotten = answers.flatMap(({ message: answer }) =>
        answer.kind === 'reversal_confirmation' ? [answer.reverses] : [],
      );
      // What a partner has agreed to forget he does not answer any more.
      deliveries = [...deliveries.filter((each) => !isAnswerTo(each, forgotten)), ...answers];
      const unanswered = { ...before.unanswered, [message.processNumber]: key };
      remembered = {
        ...remembered,
        asked: forget(remembered.asked, unanswered, forgotten),
        unanswered: Object.fromEntries(
          Object.entries(unanswered).filter(([number]) => answeredAt(number, deliveries) !== null),
        ),
      };
    }
    return { deliveries, memory: remembered };
  },
  placeOrder: (order, { zip }, at) => sandboxReports(order, zip, at),
};

/** Whether a delivery is more than the receipt of one of these processes. */
function isAnswerTo({ message }: Delivery, processNumbers: readonly (string | null)[]): boolean {
  return message.kind !== 'acknowledgement' && message.answers !== null && processNumbers.includes(message.answers);
}

/** When a process will be answered, as far as that is under way. That somebody supplies there (55036) is no answer. */
function answeredAt(processNumber: string, deliveries: readonly Delivery[]): string | null {
  const answers = deliveries
    .filter((each) => isAnswerTo(each, [processNumber]) && each.message.kind !== 'existing_assignment')
    .map(({ at }) => at);
  return answers.toSorted()[0] ?? null;
}

/** What is forgotten before it was answered counts as never asked. */
function forget(
  asked: GatewayMemory['asked'],
  unanswered: Readonly<Record<string, string>>,
  forgotten: readonly string[],
): GatewayMemory['asked'] {
  const left = { ...asked };
  for (const number of forgotten) {
    const key = unanswered[number];
    if (key !== undefined) left[key] = Math.max(0, (left[key] ?? 0) - 1);
  }
  return left;
}

function keyOf(message: OutboundMessage): string {
  return message.kind === 'cancellation' ? `cancellation ${message.supplier?.id ?? ''}` : message.kind;
}

function remember(before: GatewayMemory, message: OutboundMessage, zip: string, key: string): GatewayMemory {
  const asked = { ...before.asked, [key]: (before.asked[key] ?? 0) + 1 };
  if (message.kind === 'identification_request') {
    return { ...before, asked, firstMeterNumber: before.firstMeterNumber ?? message.meterNumber };
  }
  const isShutDown = message.kind === 'registration' && zip === SHUT_DOWN_ZIP;
  return { ...before, asked, shutDown: before.shutDown ?? (isShutDown ? message.marketLocation : null) };
}
