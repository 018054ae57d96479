/**
 * What to tell an operator of an error and its cause, in one line. An address that has several, such as `localhost`, fails
 * with an error of all of them, which has no message of its own.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
}
