import {
  ANSWER_KINDS,
  inboundFields,
  UNASKED_KINDS,
  type InboundField,
  type InboundFields,
} from '#domain/market/inbound.ts';
import type { InboundKind } from '#domain/market/messages.ts';
import {
  listMarketMessages,
  markTransmitted,
  MAX_LISTED_MESSAGES,
  MESSAGE_STATES,
  receiveMessage,
  recordAnswer,
  retryProcess,
  type Recording,
  type Refusal,
  type SeenMessage,
  type SeenSubscription,
} from '#features/subscriptions/index.ts';
import { manualGateway } from '#market/manual/gateway.ts';
import { sandboxGateway } from '#market/sandbox/gateway.ts';
import { createLog } from '#platform/log.ts';
import { noTraffic } from '#platform/reconcile/traffic.ts';
import {
  CommandFailure,
  UsageError,
  withDependencies,
  type CliDependencies,
  type Command,
  type OptionDescription,
} from './command.ts';

type Options = Readonly<Record<string, string>>;

const project = { value: 'ID', meaning: 'The project (prj_…).', needed: true };

/** What the operations need beyond what every command has; nobody asks a command for its metrics, or makes room for it. */
export function market(dependencies: CliDependencies): Parameters<typeof recordAnswer>[0] {
  const gateways = { live: manualGateway, sandbox: sandboxGateway };
  return { ...dependencies, gateways, log: createLog('error', 2), countEvents: () => {}, traffic: noTraffic };
}

// ---------------------------------------------------------------------------------------------------------------
// What waits, and what was handed over

const listCommand: Command = {
  name: 'market messages',
  summary: 'List messages to and from the market, oldest first; those that wait for you when no state is named.',
  options: {
    project,
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
  options: { project },
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
    project,
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
    project,
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

const retryCommand: Command = {
  name: 'market retry',
  summary: 'Go on with a subscription after you have cleared something up.',
  operands: ['SUBSCRIPTION'],
  options: { project },
  notes: [
    'Takes the step again that its next_action waits for, with new numbers, whoever was to act;',
    'POST …/retry of the API does so only where that is the operator.',
  ].join('\n'),
  async run(open, { options, operands: [subscription = ''] }) {
    return withDependencies(open, async (dependencies) => {
      const names = { project: options['project'] ?? '', subscription };
      const retried = done(await retryProcess(market(dependencies), names), names, 'retried');
      const { sent } = retried;
      return {
        exitCode: 0,
        json: {
          object: 'market_retry',
          sent,
          subscription: retried.subscription,
        },
        text: [
          subscriptionText(retried.subscription),
          ...(sent.length === 0 ? [] : ['', sent.map(messageText).join('\n\n')]),
        ].join('\n'),
      };
    });
  },
};

// ---------------------------------------------------------------------------------------------------------------
// In words

function optionOf(field: InboundField): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What to hand over, or what came: enough to write it into another system. */
function messageText(message: SeenMessage): string {
  const { id, state, identifier, name, kind, direction, partner, contents } = message;
  const since = message.transmitted_at ?? message.occurred_at;
  const said = Object.entries(contents).filter(([, value]) => value !== null);
  const answers = message.answers === null ? '' : `, answers ${message.answers}`;
  return [
    `${id}  ${state} since ${since}`,
    `  ${identifier} ${name} (${kind}) ${direction === 'out' ? 'to' : 'from'} ${partner}`,
    `  document ${message.document_number}, process ${message.process_number}${answers}`,
    `  of ${message.subscription}`,
    ...said.map(([field, value]) => `    ${field}: ${typeof value === 'string' ? value : partnerText(value)}`),
  ].join('\n');
}

/** The one member that is no text: the supplier to whom a cancellation goes. */
function partnerText(value: unknown): string {
  const { name, code } = value as { readonly name: string; readonly code: string | null };
  return code === null ? name : `${name} (${code})`;
}

function subscriptionText({ id, status, stage, start_at: start, next_action: action }: SeenSubscription): string {
  const starts = start === null ? '' : `, start ${start}`;
  const waits = action === null ? 'It waits for nobody.' : `It waits: ${String(action['message'])}`;
  return `${id} is ${status}, ${stage}${starts}. ${waits}`;
}

/** The wanted kinds of an answer. @throws CommandFailure or UsageError with a sentence for every refusal */
function done<Answer extends { readonly kind: string }, Wanted extends Answer['kind']>(
  answer: Answer | Refusal,
  names: { readonly project: string; readonly subscription?: string | null; readonly message?: string },
  ...wanted: readonly Wanted[]
): Extract<Answer, { readonly kind: Wanted }> {
  if (wanted.some((kind) => kind === answer.kind)) return answer as Extract<Answer, { readonly kind: Wanted }>;
  throw refusalOf(answer as Refusal, names);
}

function refusalOf(
  refusal: Refusal,
  { project: id, subscription, message }: { project: string; subscription?: string | null; message?: string },
): Error {
  const failure = (words: string): CommandFailure => new CommandFailure(refusal.kind, words);
  switch (refusal.kind) {
    case 'project_not_found':
      return failure(`there is no project ${id}; see "project list"`);
    case 'subscription_not_found':
      return failure(`there is no subscription ${subscription ?? ''} in that project`);
    case 'message_not_found':
      return failure(`there is no message ${message ?? ''} in that project; see "market messages"`);
    case 'not_our_message':
      return failure(`${message ?? ''} came from a partner; only messages of ours are transmitted and answered`);
    case 'answers_another_message':
      return failure(`a ${refusal.asked} is answered by one of ${refusal.possible.join(', ')}`);
    case 'obsolete':
      return failure(`${message ?? ''} need no longer be sent, or another replaces it; see "market messages"`);
    case 'recorded_differently':
      return failure(`under that number something else is recorded:\n${messageText(refusal.recorded)}`);
    case 'market_location_taken':
      return failure('another open subscription got that market location in this moment; try again');
    case 'nothing_to_retry':
      return failure('nothing waits to be retried there');
    case 'invalid_number':
      return new UsageError(`--${refusal.which}-number must be 1 to 35 letters, digits and signs without blanks`);
    case 'invalid':
      return new UsageError(refusal.errors.map(({ field, message: is }) => `--${optionOf(field)} ${is}`).join('; '));
  }
}

/** The commands about the messages of the market. */
export const marketCommands: readonly Command[] = [
  listCommand,
  transmittedCommand,
  answerCommand,
  receiveCommand,
  retryCommand,
];
