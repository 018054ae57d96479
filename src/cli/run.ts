import { messageOf } from '#platform/message-of.ts';
import { auditCommands } from './audit-commands.ts';
import { backupCommands } from './backup-commands.ts';
import {
  CommandFailure,
  readArguments,
  UsageError,
  type CliOutput,
  type Command,
  type CommandResult,
  type OpenDependencies,
  type OpenGround,
} from './command.ts';
import { credentialCommands } from './credential-commands.ts';
import { doctorCommand } from './doctor.ts';
import { overview, usage } from './help.ts';
import { marketCommands } from './market-commands.ts';
import { orderCommands } from './order-commands.ts';
import { planCommands } from './plan-commands.ts';
import { printable } from './printable.ts';
import { projectCommands } from './project-commands.ts';
import { supplierCommands } from './supplier-commands.ts';

export type { CliDependencies, CliOutput, OpenDependencies } from './command.ts';

const commands: readonly Command[] = [
  ...projectCommands,
  ...credentialCommands,
  ...supplierCommands,
  ...planCommands,
  ...marketCommands,
  ...auditCommands,
  ...orderCommands,
  ...backupCommands,
  doctorCommand,
];

/**
 * Runs one command of the operator. With `--json` stdout gets exactly one JSON object, also when the command fails:
 * `{"error":{"reason","message"}}`.
 *
 * @param argv what follows the program's name
 * @param open opens what commands work on; not called for help or when the command is called wrongly
 * @param openGround opens a database that is to be filled
 * @returns the exit code: 0 done, 1 not done, 2 called wrongly
 */
export async function runCli(
  argv: readonly string[],
  open: OpenDependencies,
  openGround: OpenGround,
  terminal: CliOutput,
): Promise<number> {
  const output = printable(terminal);
  const json = argv.includes('--json');
  try {
    if (argv.some(isHelp)) {
      const help = helpFor(argv.filter((word, index) => !isHelp(word, index) && word !== '--json'));
      output.stdout(json ? `${JSON.stringify({ help })}\n` : `${help}\n`);
      return 0;
    }
    const command = findCommand(argv);
    const { options, flags, operands } = readArguments(command, argv.slice(command.name.split(' ').length));
    const result = await command.run(open, {
      options,
      flags,
      operands,
      openGround,
      progress: (text) => output.stderr(`${text}\n`),
    });
    print(result, json, output);
    return result.exitCode;
  } catch (error) {
    return fail(error, argv, json, output);
  }
}

function isHelp(word: string, index: number): boolean {
  return word === '--help' || word === '-h' || (word === 'help' && index === 0);
}

/** The commands whose names begin with a word, and have another one. */
function kindredOf(first: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `));
}

/** Of the command that is named, of those whose names begin so, or of all. @throws UsageError */
function helpFor(words: readonly string[]): string {
  const [first = '', second] = words;
  if (first === '') return overview(commands);
  const kindred = kindredOf(first);
  return second === undefined && kindred.length > 0 ? overview(kindred) : usage(findCommand(words));
}

/** The command that is named. @throws UsageError */
function findCommand([first = '', second = '']: readonly string[]): Command {
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command !== undefined) return command;
  if (first === '') throw new UsageError('there is no command');
  const kindred = kindredOf(first).map(({ name }) => name);
  if (kindred.length === 0) throw new UsageError(`"${first}" is no command`);
  throw new UsageError(`"${`${first} ${second}`.trim()}" is no command; there is ${kindred.join(', ')}`);
}

function print(result: CommandResult, json: boolean, output: CliOutput): void {
  output.stdout(`${json ? JSON.stringify(result.json) : result.text}\n`);
}

function fail(error: unknown, argv: readonly string[], json: boolean, output: CliOutput): number {
  const message = messageOf(error);
  const isUsage = error instanceof UsageError;
  const reason = isUsage ? 'usage' : error instanceof CommandFailure ? error.reason : 'failed';
  if (json) output.stdout(`${JSON.stringify({ error: { reason, message } })}\n`);
  output.stderr(`wattline: ${message}\n`);
  if (isUsage) {
    const known = commands.find(({ name }) => `${argv.join(' ')} `.startsWith(`${name} `));
    output.stderr(known === undefined ? `\n${overview(commands)}\n` : `\n${usage(known)}\n`);
  }
  return isUsage ? 2 : 1;
}
