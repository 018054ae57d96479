import { parseArgs } from 'node:util';
import type { ClientConfig } from 'pg';
import type { Clock } from '#platform/clock.ts';
import type { Keys } from '#platform/crypto.ts';
import type { SchemaState } from '#platform/database/migrate.ts';
import type { Database } from '#platform/database/pool.ts';
import type { MintUuid } from '#platform/uuid.ts';

/** What commands work on. */
export interface CliDependencies {
  readonly database: Database;
  /** How to reach it beside the pool. */
  readonly connection: ClientConfig;
  readonly clock: Clock;
  readonly mintUuid: MintUuid;
  readonly keys: Keys;
  /** The names of migrations that are not applied. */
  readonly pendingMigrations: () => Promise<string[]>;
  close(): Promise<void>;
}

/** Opens what commands work on. @throws when the configuration is wrong or the database cannot be reached */
export type OpenDependencies = (state?: SchemaState) => Promise<CliDependencies>;

/** A database to be filled, and what that needs. */
export interface CliGround {
  readonly connection: ClientConfig;
  readonly keys: Keys;
  /** Absolute path of the folder with the migrations. */
  readonly migrations: string;
  close(): Promise<void>;
}

/** Finds the database and leaves it as it is. @throws when the configuration is wrong or it cannot be reached */
export type OpenGround = () => Promise<CliGround>;

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

/** One option that takes a value, as help shows it. */
export interface OptionDescription {
  readonly value: string;
  readonly meaning: string;
  readonly needed?: boolean;
}

/** What a command was called with, needed options present. */
export interface CommandInput {
  readonly options: Readonly<Record<string, string>>;
  /** The flags that were given. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly string[];
  /** Opens a database that may be empty; instead of what commands usually work on. */
  readonly openGround: OpenGround;
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
  /** Options without a value, and what each means. */
  readonly flags?: Readonly<Record<string, string>>;
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

/** The option that names the project a command works on. */
export const projectOption: OptionDescription = { value: 'ID', meaning: 'The project (prj_…).', needed: true };

/** Why a command does nothing for a project that there is not. */
export function projectNotFound(id: string): CommandFailure {
  return new CommandFailure('project_not_found', `there is no project ${id}; see "project list"`);
}

/** Options, flags and operands of a command. @throws UsageError */
export function readArguments(
  command: Command,
  argv: readonly string[],
): Pick<CommandInput, 'options' | 'flags' | 'operands'> {
  const descriptions = command.options ?? {};
  const names = Object.keys(descriptions);
  const flagNames = Object.keys(command.flags ?? {});
  const parsed = parse(argv, names, flagNames);
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
  const flags = new Set(flagNames.filter((name) => parsed.values[name] === true));
  return { options, flags, operands: parsed.positionals };
}

function parse(
  argv: readonly string[],
  names: readonly string[],
  flagNames: readonly string[],
): ReturnType<typeof parseArgs> {
  const own = flagNames.map((name) => [name, { type: 'boolean' }] as const);
  const texts = names.map((name) => [name, { type: 'string', multiple: true }] as const);
  const flags = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const options = { ...Object.fromEntries(texts), ...Object.fromEntries(own), ...flags };
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
  state: SchemaState = 'migrated',
): Promise<Result> {
  const dependencies = await open(state);
  try {
    return await work(dependencies);
  } finally {
    await dependencies.close();
  }
}
