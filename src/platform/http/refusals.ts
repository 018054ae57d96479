import { DatabaseUnavailable, isUndone } from '#platform/database/errors.ts';
import { createSeldomWarning, type Logger } from '#platform/log.ts';
import { Problem, problems, RETRY_SOON } from './problems.ts';

/** Whether the same request may find its way when it is sent again: the database is away, or has preferred another. */
export function isPassing(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isUndone(error);
}

/**
 * What a thrown error means to the caller. Anything unexpected is a 500 that tells nothing.
 * @param bodyLimit what the route takes, in bytes
 */
export function toProblem(error: unknown, bodyLimit: number): Problem {
  if (error instanceof Problem) return error;
  if (isPassing(error)) return new Problem(problems.service_unavailable, undefined, [], RETRY_SOON);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem(problems.payload_too_large, `The body is larger than ${bodyLimit / 1024} KiB.`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new Problem(problems.bad_request);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(problems.unsupported_media_type);
    default:
      return new Problem(problems.internal_error);
  }
}

/** Tells the log of a request, by its id, that failed on our side; of one that was refused it says nothing. */
export type NoteFailure = (id: string, error: unknown) => void;

/** A defect has a line each time; a database that is away, one a second. */
export function createFailureNotes(log: Logger): NoteFailure {
  const noteOutage = createSeldomWarning(log, 'database unavailable');
  return (id, err) => {
    if (isPassing(err)) noteOutage({ err, id });
    else if (toProblem(err, 0).definition.status === 500) log.error({ err, id }, 'request failed');
  };
}
