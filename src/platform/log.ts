import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { openDestination } from './log-destination.ts';
import { errorCode } from './error-code.ts';

export type { Logger } from 'pino';

/** Logs of one process share what waits to be written. */
const destinations: { 1?: DestinationStream; 2?: DestinationStream } = {};

/**
 * The log: one JSON object a line on standard output. Callers hand it ids, codes and figures, never names, e-mails,
 * IBANs, tokens or bodies; errors are cut to type, message, code and stack, because those of the database carry rows.
 */
export function createLog(level: LevelWithSilent, descriptor: 1 | 2 = 1): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: time,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    (destinations[descriptor] ??= openDestination({ descriptor, tellLost })),
  );
}

function tellLost(lost: number): string {
  return `{"level":"warn"${time()},"lost":${lost},"msg":"lines of the log were lost, because nobody read them"}\n`;
}

function time(): string {
  return `,"time":"${Temporal.Now.instant().toString({ smallestUnit: 'millisecond' })}"`;
}

/**
 * SQLSTATEs by which a database tells of itself, and never of what it was given: it takes no writes, lets nobody in, lacks a
 * right or a table, a place, room, a lock or time, or somebody has intervened. The code alone tells few what to do.
 */
const ABOUT_ITSELF = /^(25006|25P0[34]|28|3D000|3F000|42501|42P01|53|55P03|57|58)/;

/** What of an error may be logged: PostgreSQL's `detail` and `where`, and causes' messages with values, stay out. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = errorCode(error);
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
  return {
    type: error.name,
    // A database error's text can quote the value that it refuses.
    message: 'severity' in error && !ABOUT_ITSELF.test(code ?? '') ? undefined : error.message,
    code,
    constraint,
    // Its lines alone: the text stands before them, and may have several itself.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^ +at /.test(line))
      .join('\n'),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

/** While it goes on, one line in so many milliseconds. */
const SELDOM_MS = 1_000;

/**
 * Tells of what befalls every request while it lasts, such as a database that is away: one line a second, which says how many
 * were left out since the one before. A line for each would fill the disk that the database needs to come back.
 */
export function createSeldomWarning(
  log: Pick<Logger, 'warn'>,
  text: string,
  monotonicMs: () => number = () => performance.now(),
): (fields: Readonly<Record<string, unknown>>) => void {
  const state = { quietUntil: -Infinity, leftOut: 0 };
  return (fields) => {
    const now = monotonicMs();
    if (now < state.quietUntil) {
      state.leftOut += 1;
      return;
    }
    log.warn({ ...fields, left_out: state.leftOut === 0 ? undefined : state.leftOut }, text);
    state.quietUntil = now + SELDOM_MS;
    state.leftOut = 0;
  };
}
