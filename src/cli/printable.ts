import type { CliOutput } from './command.ts';

/** Control characters but the line end, and those that turn the direction of what follows. */
const STEERING = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;

/**
 * The same output for texts that hold what others wrote, such as names of customers or the cells of a file: nothing in them
 * steers the terminal. JSON means the same as before.
 */
export function printable(output: CliOutput): CliOutput {
  return { stdout: (text) => output.stdout(escape(text)), stderr: (text) => output.stderr(escape(text)) };
}

function escape(text: string): string {
  return text.replaceAll(STEERING, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
