import { parseArgs } from 'node:util';
import type { Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { Database } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';

/** What commands work on. */
export interface CliDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly keys: Keys;
  /** The names of migrations that are not applied. */
  readonly pendingMigrations: () => Promise<string[]>;
  close(): Promise<void>;
}

/** Opens what commands work on. @throws when the configuration is wrong or the database cannot be reached */
export type OpenDependencies = () => Promise<CliDependencies>;

/** Where a command writes to. */
export interface CliOutput {
  stdout(text: string): void;
  stderr(text: string): void;
}

/** What a command did. */
export interface CommandResult {
  /** 0: done; 1: not done. */
  readonly exitCode: 0 | 1;
  /** The one object that `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The same for people; without the last line end. */
  readonly text: string;
}

/** One option, as help shows it. All options but `--json` and `--help` take a value. */
export interface OptionDescription {
  readonly value: string;
  readonly meaning: string;
  readonly needed?: boolean;
}

/** What a command was called with, needed options present. */
export interface CommandInput {
  readonly options: Readonly<Record<string, string>>;
  readonly operands: readonly string[];
  /** For messages on the way to the result. */
  readonly progress: (text: string) => void;
}

/** One command of the operator. */
export interface Command {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  readonly operands?: readonly string[];
  readonly options?: Readonly<Record<string, OptionDescription>>;
  /** Anything worth knowing, for help. */
  readonly notes?: string;
  readonly run: (open: OpenDependencies, input: CommandInput) => Promise<CommandResult>;
}

/** The command was called wrongly; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not do what it should; its message is a sentence for the operator; exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Options and operands of a command. @throws UsageError */
export function readArguments(
  command: Command,
  argv: readonly string[],
): { readonly options: Record<string, string>; readonly operands: readonly string[] } {
  const descriptions = command.options ?? {};
  const names = Object.keys(descriptions);
  const parsed = parse(argv, names);
  const options: Record<string, string> = {};
  for (const name of names) {
    const values = parsed.values[name];
    if (Array.isArray(values) && values.length > 1) throw new UsageError(`--${name} is given more than once`);
    const value = Array.isArray(values) ? values[0] : undefined;
    if (typeof value === 'string') options[name] = value;
    else if (descriptions[name]?.needed === true) throw new UsageError(`--${name} is missing`);
  }
  const expected = command.operands ?? [];
  const missing = expected[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const surplus = parsed.positionals[expected.length];
  if (surplus !== undefined) throw new UsageError(`there is nothing to do with "${surplus}"`);
  return { options, operands: parsed.positionals };
}

function parse(argv: readonly string[], names: readonly string[]): ReturnType<typeof parseArgs> {
  const texts = names.map((name) => [name, { type: 'string', multiple: true }] as const);
  const flags = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const options = { ...Object.fromEntries(texts), ...flags };
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      throw new UsageError(error.message.split('. ', 1)[0] ?? error.message);
    }
    throw error;
  }
}

/** Opens, works, and closes whatever happens. */
export async function withDependencies<Result>(
  open: OpenDependencies,
  work: (dependencies: CliDependencies) => Promise<Result>,
): Promise<Result> {
  const dependencies = await open();
  try {
    return await work(dependencies);
  } finally {
    await dependencies.close();
  }
}
