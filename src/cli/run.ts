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
    const wantsHelp = argv.some((word) => word === '--help' || word === '-h');
    const command = findCommand(argv);
    if (command === null || wantsHelp) {
      const help = command === null ? overview(commands) : usage(command);
      output.stdout(json ? `${JSON.stringify({ help })}\n` : `${help}\n`);
      return 0;
    }
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

/** The command that is named; `null` when none is, but help is fine. @throws UsageError */
function findCommand(argv: readonly string[]): Command | null {
  const [first = '', second = ''] = argv;
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command !== undefined) return command;
  if (['--help', '-h', 'help'].includes(first)) return null;
  if (first === '') throw new UsageError('there is no command');
  const kindred = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (kindred.length > 0) {
    if (second === '--help' || second === '-h') return null;
    throw new UsageError(`"${`${first} ${second}`.trim()}" is no command; there is ${kindred.join(', ')}`);
  }
  throw new UsageError(`"${first}" is no command`);
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
