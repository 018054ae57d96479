import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Finding } from './finding.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What the operator's command said. */
interface Said {
  readonly exitCode: number;
  readonly output: string;
}

function cli(settings: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Said> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/main.ts', ...words], { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
}

/**
 * What the operator's `doctor` says of a service, in its words when it complains: with the invariants of everything that is
 * stored where this version has them (`--deep`). The settings are those of the service.
 */
export async function askDoctor(settings: Readonly<Record<string, string>>): Promise<string | null> {
  const deep = await cli(settings, 'doctor', '--deep', '--json');
  const isKnown = !/unknown option/i.test(deep.output);
  const { exitCode, output } = isKnown ? deep : await cli(settings, 'doctor', '--json');
  return exitCode === 0 ? null : output;
}

/** What the operator's verification of the audit log says when it complains. */
export async function verifyAudit(settings: Readonly<Record<string, string>>): Promise<string | null> {
  const { exitCode, output } = await cli(settings, 'audit', 'verify', '--json');
  return exitCode === 0 ? null : output;
}

/** What one visit of the doctor finds. */
export async function visitDoctor(settings: Readonly<Record<string, string>>): Promise<Finding> {
  const complaint = await askDoctor(settings);
  return healthy(1, complaint === null ? [] : [complaint]);
}

/** The complaints of the doctor as a finding. */
export function healthy(visits: number, complaints: readonly string[]): Finding {
  const [first = 'none'] = complaints;
  return {
    name: `what \`doctor\` finds, in ${visits} visits`,
    value: first.slice(0, 400),
    limit: 'none',
    ok: visits > 0 && complaints.length === 0,
  };
}
