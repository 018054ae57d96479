import { ANSWER_KINDS } from '#domain/market/answers.ts';
import { inboundFields, UNASKED_KINDS, type InboundField, type InboundFields } from '#domain/market/inbound.ts';
import type { InboundKind } from '#domain/market/messages.ts';
import {
  acceptStart,
  giveUpProcess,
  listMarketMessages,
  markTransmitted,
  MAX_LISTED_MESSAGES,
  MESSAGE_STATES,
  receiveMessage,
  recordAnswer,
  retryProcess,
  type Recording,
} from '#features/subscriptions/index.ts';
import { gateways } from '#market/gateways.ts';
import { createLog } from '#platform/log.ts';
import { createPortions } from '#platform/portions.ts';
import { noTraffic } from '#platform/reconcile/traffic.ts';
import {
  projectOption,
  UsageError,
  withDependencies,
  type CliDependencies,
  type Command,
  type OptionDescription,
} from './command.ts';
import { done, messageText, optionOf, subscriptionText } from './market-words.ts';

type Options = Readonly<Record<string, string>>;

/** What the operations need beyond what every command has; nobody asks a command for its metrics, or makes room for it. */
export function market(dependencies: CliDependencies): Parameters<typeof recordAnswer>[0] {
  const quiet = { log: createLog('error', 2), countEvents: () => {}, traffic: noTraffic };
  return { ...dependencies, ...quiet, gateways, portions: createPortions() };
}

// ---------------------------------------------------------------------------------------------------------------
// What waits, and what was handed over

const listCommand: Command = {
  name: 'market messages',
  summary: 'List messages to and from the market, oldest first; those that wait for you when no state is named.',
  options: {
    project: projectOption,
    subscription: { value: 'ID', meaning: 'Only those of this subscription (sub_…).' },
    state: { value: MESSAGE_STATES.join('|'), meaning: 'Which; waiting when absent.' },
    after: { value: 'MESSAGE', meaning: 'Only those behind this one (msg_…), such as the last of the page before.' },
  },
  notes: [
    `At most ${MAX_LISTED_MESSAGES} are listed at once. Ours are waiting, transmitted, or obsolete: need not be sent any more.`,
    'Those of partners are received, or ignored because they came late or were meant for nothing of ours.',
    'Messages of an ended subscription may wait too, such as a reversal.',
  ].join('\n'),
  async run(open, { options }) {
    const asked = options['state'] ?? 'waiting';
    const state = MESSAGE_STATES.find((known) => known === asked);
    if (state === undefined) throw new UsageError(`--state must be one of ${MESSAGE_STATES.join(', ')}`);
    return withDependencies(open, async (dependencies) => {
      const subscription = options['subscription'] ?? null;
      const after = options['after'] ?? null;
      const names = { project: options['project'] ?? '', subscription, message: after ?? '' };
      const found = await listMarketMessages(dependencies, { ...names, state, after });
      const { messages, hasMore } = done(found, names, 'listed');
      const more = `There are more; go on with --after ${messages.at(-1)?.id ?? ''}.`;
      const none = `No message is ${state}.`;
      return {
        exitCode: 0,
        json: { object: 'list', items: messages, has_more: hasMore },
        text: [messages.length === 0 ? none : messages.map(messageText).join('\n\n'), ...(hasMore ? ['', more] : [])]
          .join('\n')
          .trimEnd(),
      };
    });
  },
};

const transmittedCommand: Command = {
  name: 'market transmitted',
  summary: 'Say that you have handed a message to the partner; his time runs from now.',
  operands: ['MESSAGE'],
  options: { project: projectOption },
  notes: 'MESSAGE is the id (msg_…) of a waiting message. Say so on the same day: only the day of receipt counts.',
  async run(open, { options, operands: [message = ''] }) {
    return withDependencies(open, async (dependencies) => {
      const names = { project: options['project'] ?? '', message };
      const found = await markTransmitted(market(dependencies), names);
      const marked = done(found, names, 'transmitted', 'already_transmitted');
      const isNew = marked.kind === 'transmitted';
      return {
        exitCode: 0,
        json: {
          object: 'market_transmission',
          changed: isNew,
          message: marked.message,
          subscription: marked.subscription,
        },
        text: [
          isNew ? `${message} is transmitted.` : `${message} was transmitted already; nothing has changed.`,
          subscriptionText(marked.subscription),
        ].join('\n'),
      };
    });
  },
};

// ---------------------------------------------------------------------------------------------------------------
// What partners send

const VALUES: { readonly [Field in InboundField]: OptionDescription } = {
  code: { value: 'CODE', meaning: 'The answer code, such as A06; of a confirmation A51, A11 or A09 when absent.' },
  start: { value: 'DATE', meaning: 'The first day of supply.' },
  end: { value: 'DATE', meaning: 'The first day without supply; of a cancellation the next possible when absent.' },
  nextPossibleEnd: { value: 'DATE', meaning: 'When the contract can end at the earliest (55018).' },
  acceptedFrom: { value: 'DATE', meaning: 'From when another registration is accepted (55003 A06).' },
  otherStart: { value: 'DATE', meaning: 'The start of the registration in progress (55003 A06).' },
  supplierCode: { value: 'CODE', meaning: 'Why the previous supplier objected (55003 A50).' },
  confirmedEnd: { value: 'DATE', meaning: 'The end that was confirmed before (55006 A09, A10).' },
  marketLocation: { value: 'MALO', meaning: 'The market location that the message names.' },
  gridOperator: { value: 'MP-ID', meaning: 'The grid operator that the message names.' },
  previousSupplier: { value: 'MP-ID', meaning: 'The present supplier that a match names.' },
  detail: { value: 'TEXT', meaning: 'What a syntax error says.' },
  receivedAt: {
    value: 'INSTANT',
    meaning: 'Of an acknowledgement, when the partner received our message; else when his reached us. Now when absent.',
  },
  reason: { value: 'E01|E03', meaning: 'Whether the inquiry is about a move-in (E01) or a switch (E03).' },
  registeredOn: { value: 'DATE', meaning: 'When the grid operator received the other registration (DTM+154).' },
  customerName: { value: 'NAME', meaning: 'Who is registered there.' },
  reverses: { value: 'NUMBER', meaning: 'The process number of the message that shall not have been.' },
  identifier: { value: 'PID', meaning: 'Which master data, such as 55616.' },
};

/** The options for the members of kinds, in the order above. */
function fieldOptions(
  kinds: readonly InboundKind[],
  except: readonly InboundField[],
): Record<string, OptionDescription> {
  const had = new Set(kinds.flatMap(inboundFields));
  const fields = (Object.keys(VALUES) as InboundField[]).filter((field) => had.has(field) && !except.includes(field));
  return Object.fromEntries(fields.map((field) => [optionOf(field), VALUES[field]]));
}

function readFields(options: Options): InboundFields {
  const fields: { -readonly [Field in keyof InboundFields]: string } = {};
  for (const field of Object.keys(VALUES) as InboundField[]) {
    const text = options[optionOf(field)];
    if (text !== undefined) fields[field] = text;
  }
  return fields;
}

function readKind(text: string, kinds: readonly InboundKind[]): InboundKind {
  const kind = kinds.find((known) => known === text);
  if (kind === undefined) throw new UsageError(`KIND must be one of ${kinds.join(', ')}, not "${text}"`);
  return kind;
}

/** Which options a kind takes. */
function kindsHelp(kinds: readonly InboundKind[], except: readonly InboundField[]): string {
  const width = Math.max(...kinds.map(({ length }) => length));
  const fields = (kind: InboundKind): readonly InboundField[] =>
    inboundFields(kind).filter((field) => !except.includes(field));
  const lines = kinds.map((kind) => `  ${kind.padEnd(width)}  ${fields(kind).map(nameOption).join(' ')}`.trimEnd());
  return ['KIND is one of these, with the options that it takes:', ...lines].join('\n');
}

const nameOption = (field: InboundField): string => `--${optionOf(field)}`;

const numbers = {
  'process-number': {
    value: 'NUMBER',
    meaning: 'His process number (Vorgangsnummer); the document number when absent.',
  },
};
/** Known from the message that is answered. */
const KNOWN_OF_ANSWERS: readonly InboundField[] = ['reverses'];

const answerCommand: Command = {
  name: 'market answer',
  summary: 'Record what a partner answered to a message of ours; it counts as transmitted.',
  operands: ['MESSAGE', 'KIND'],
  options: {
    project: projectOption,
    ...fieldOptions(ANSWER_KINDS, KNOWN_OF_ANSWERS),
    'document-number': { value: 'NUMBER', meaning: 'The number of his message; made of that of ours when absent.' },
    ...numbers,
  },
  notes: [
    'MESSAGE is the id (msg_…) of the message of ours. The same answer recorded again changes nothing.',
    kindsHelp(ANSWER_KINDS, KNOWN_OF_ANSWERS),
  ].join('\n'),
  async run(open, { options, operands: [message = '', kindText = ''] }) {
    const kind = readKind(kindText, ANSWER_KINDS);
    return withDependencies(open, async (dependencies) => {
      const names = { project: options['project'] ?? '', message };
      const found = await recordAnswer(market(dependencies), {
        ...names,
        kind,
        fields: readFields(options),
        documentNumber: options['document-number'] ?? null,
        processNumber: options['process-number'] ?? null,
      });
      return resultOf(done(found, names, 'recorded', 'already_recorded'));
    });
  },
};

const receiveCommand: Command = {
  name: 'market receive',
  summary: 'Record what a partner sent of his own accord, and print what we answer.',
  operands: ['SUBSCRIPTION', 'KIND'],
  options: {
    project: projectOption,
    'document-number': { value: 'NUMBER', meaning: 'The number of his message.', needed: true },
    ...numbers,
    ...fieldOptions(UNASKED_KINDS, []),
  },
  notes: [
    'SUBSCRIPTION is the id (sub_…); its market location is meant unless --market-location names another.',
    kindsHelp(UNASKED_KINDS, []),
  ].join('\n'),
  async run(open, { options, operands: [subscription = '', kindText = ''] }) {
    const kind = readKind(kindText, UNASKED_KINDS);
    return withDependencies(open, async (dependencies) => {
      const names = { project: options['project'] ?? '', subscription };
      const found = await receiveMessage(market(dependencies), {
        ...names,
        kind,
        fields: readFields(options),
        documentNumber: options['document-number'] ?? '',
        processNumber: options['process-number'] ?? null,
      });
      return resultOf(done(found, names, 'recorded', 'already_recorded'));
    });
  },
};

function resultOf({ kind, message, outcome, sent, subscription }: Recording): Awaited<ReturnType<Command['run']>> {
  const isNew = kind === 'recorded';
  const ignored = outcome?.kind === 'ignored' ? outcome.reason : null;
  return {
    exitCode: 0,
    json: {
      object: 'market_recording',
      recorded: isNew,
      ignored,
      message,
      sent,
      subscription,
    },
    text: [
      isNew ? `Recorded as ${message.id}.${effectText(ignored)}` : 'It was recorded already; nothing has changed.',
      subscriptionText(subscription),
      ...(sent.length === 0 ? [] : ['', 'We say to that:', '', sent.map(messageText).join('\n\n')]),
    ].join('\n'),
  };
}

function effectText(ignored: string | null): string {
  if (ignored === null) return '';
  if (ignored === 'late_or_unknown_reference') return ' It is ignored: what it answers is not open any more.';
  if (ignored === 'not_in_this_stage') return ' It is ignored: it means nothing in the present stage.';
  return ' Nothing follows from it.';
}

// ---------------------------------------------------------------------------------------------------------------

/** A command about one subscription that waits for somebody. */
function operatorCommand(
  help: Pick<Command, 'name' | 'summary' | 'notes'>,
  operate: typeof retryProcess,
  object: string,
): Command {
  return {
    ...help,
    operands: ['SUBSCRIPTION'],
    options: { project: projectOption },
    async run(open, { options, operands: [subscription = ''] }) {
      return withDependencies(open, async (dependencies) => {
        const names = { project: options['project'] ?? '', subscription };
        const { sent, subscription: shown } = done(await operate(market(dependencies), names), names, 'operated');
        return {
          exitCode: 0,
          json: { object, sent, subscription: shown },
          text: [subscriptionText(shown), ...(sent.length === 0 ? [] : ['', sent.map(messageText).join('\n\n')])].join(
            '\n',
          ),
        };
      });
    },
  };
}

const retryCommand = operatorCommand(
  {
    name: 'market retry',
    summary: 'Go on with a subscription after you have cleared something up.',
    notes: [
      'Takes the step again that its next_action waits for, with new numbers, whoever was to act;',
      'POST …/retry of the API does so only where that is the operator.',
    ].join('\n'),
  },
  retryProcess,
  'market_retry',
);

const giveUpCommand = operatorCommand(
  {
    name: 'market give-up',
    summary: 'End a sign-up that waits for somebody in vain; its market location is free again.',
    notes: [
      'It is ended for good, as rejected, and cannot be taken up again. Not possible once the grid operator has',
      'confirmed it, nor while he still may: record his answer first. What a previous supplier has confirmed stands.',
    ].join('\n'),
  },
  giveUpProcess,
  'market_give_up',
);

const acceptStartCommand = operatorCommand(
  {
    name: 'market accept-start',
    summary: 'Supply from the day that the grid operator has confirmed too late or too early.',
    notes: [
      'For what "confirmed_too_late" or "confirmed_too_early" asks you to clear up, when he says that his start stands;',
      'also after a retry that he has refused, unless something else is asked first, such as for another location.',
      'Supply begins on that day, or has begun; what was withdrawn meanwhile is deregistered. When he takes his',
      'confirmation back instead, use "market retry".',
    ].join('\n'),
  },
  acceptStart,
  'market_accept_start',
);

/** The commands about the messages of the market. */
export const marketCommands: readonly Command[] = [
  listCommand,
  transmittedCommand,
  answerCommand,
  receiveCommand,
  retryCommand,
  giveUpCommand,
  acceptStartCommand,
];
