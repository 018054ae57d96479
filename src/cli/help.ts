import type { Command } from './command.ts';

const CALL = 'npm run --silent cli --';

/** What all commands are. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `Usage: ${CALL} COMMAND [OPTIONS]`,
    '',
    'Commands (they work while the service runs, too):',
    ...lines,
    '',
    'Every command takes --json (print one JSON object) and --help.',
    'Exit codes: 0 done, 1 not done, 2 called wrongly.',
  ].join('\n');
}

/** How one command is called. */
export function usage(command: Command): string {
  const options = Object.entries(command.options ?? {});
  const flags = Object.entries(command.flags ?? {});
  const call = [
    CALL,
    command.name,
    ...(command.operands ?? []),
    ...options.map(([name, { value, needed }]) => (needed === true ? `--${name} ${value}` : `[--${name} ${value}]`)),
    ...flags.map(([name]) => `[--${name}]`),
    '[--json]',
  ];
  const rows = [
    ...options.map(([name, { value, meaning }]) => [`--${name} ${value}`, meaning] as const),
    ...flags.map(([name, meaning]) => [`--${name}`, meaning] as const),
    ['--json', 'Print one JSON object on stdout and nothing else there.'] as const,
    ['--help', 'Show this.'] as const,
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    command.summary,
    '',
    `Usage: ${call.join(' ')}`,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(command.notes === undefined ? [] : ['', command.notes]),
  ].join('\n');
}
