/** What the commands about the market say, in words. */
import type { InboundField } from '#domain/market/inbound.ts';
import type { Refusal, SeenMessage, SeenSubscription } from '#features/subscriptions/index.ts';
import { CommandFailure, projectNotFound, UsageError } from './command.ts';

/** The option for a member of a message, without its dashes. */
export function optionOf(field: InboundField): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What to hand over, or what came: enough to write it into another system. */
export function messageText(message: SeenMessage): string {
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

/** Where a subscription stands after a command. */
export function subscriptionText({
  id,
  status,
  stage,
  start_at: start,
  next_action: action,
}: SeenSubscription): string {
  const starts = start === null ? '' : `, start ${start}`;
  const waits = action === null ? 'It waits for nobody.' : `It waits: ${String(action['message'])}`;
  return `${id} is ${status}, ${stage}${starts}. ${waits}`;
}

/** The wanted kinds of an answer. @throws CommandFailure or UsageError with a sentence for every refusal */
export function done<Answer extends { readonly kind: string }, Wanted extends Answer['kind']>(
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
      return projectNotFound(id);
    case 'subscription_not_found':
      return failure(`there is no subscription ${subscription ?? ''} in that project`);
    case 'message_not_found':
      return failure(`there is no message ${message ?? ''} in that project; see "market messages"`);
    case 'not_our_message':
      return failure(`${message ?? ''} came from a partner; only messages of ours are transmitted and answered`);
    case 'answers_another_message':
      return failure(`a ${refusal.asked} is answered by one of ${refusal.possible.join(', ')}`);
    case 'obsolete':
      return failure(
        `${message ?? ''} need no longer be sent, or another replaces it; see "market messages". Where the partner has it already, record what he answers`,
      );
    case 'recorded_differently':
      return failure(`under that number something else is recorded:\n${messageText(refusal.recorded)}`);
    case 'market_location_taken':
      return failure('another open subscription got that market location in this moment; try again');
    case 'market_location_of_another':
      return failure(
        `${subscription ?? ''} has nothing to do with that market location by now, and ${refusal.subscription} has: record it there`,
      );
    case 'nothing_to_retry':
      return failure('nothing waits to be retried there');
    case 'cannot_be_given_up':
      return failure('it has ended, or the grid operator has confirmed it, or may still do so');
    case 'no_start_to_accept':
      return failure(
        'the grid operator has confirmed no start there for another day than asked, or the sign-up has gone on elsewhere since',
      );
    case 'invalid_number':
      return new UsageError(`--${refusal.which}-number must be 1 to 35 letters, digits and signs without blanks`);
    case 'invalid':
      return new UsageError(refusal.errors.map(({ field, message: is }) => `--${optionOf(field)} ${is}`).join('; '));
  }
}
