/** Hurts the service in every way that is known, and tells which of its promises it has kept: `npm run torture`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '#platform/message-of.ts';
import { Interrupted } from '#test/support/process.ts';
import { describeMachine } from '../bench/results.ts';
import type { Finding } from './finding.ts';
import { scenarios, type Extent, type Scenario } from './scenarios.ts';

const RESULTS = fileURLToPath(new URL('results.md', import.meta.url));
const HEAD = `# What was done to the service, and what it kept of its promises

Written by \`npm run torture\`, each scenario its part; do not edit.

`;
const USAGE = `npm run torture [-- ${scenarios.map(({ name }) => name).join('|')} …] [--rounds n] [--seconds n] [--seed n] [--from ref] [--short] [--json]`;

/** What became of a scenario. */
interface Report {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** Why it was not played. */
  readonly lacking: string | null;
}

interface Wanted {
  readonly chosen: readonly Scenario[];
  readonly extent: Extent;
  readonly isJson: boolean;
  /** At full length: only then the findings are kept. */
  readonly isWhole: boolean;
}

/** @throws Error that says what is wrong with the arguments */
function readArguments(): Wanted {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string' },
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(
      `${USAGE}\n\n${scenarios.map(({ name, title }) => `  ${name.padEnd(16)}  ${title}\n`).join('')}`,
    );
    process.exit(0);
  }
  const number = (name: string, text: string | undefined): number | undefined => {
    if (text !== undefined && !/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} takes a number from 1 on`);
    return text === undefined ? undefined : Number(text);
  };
  const unknown = positionals.filter((word) => scenarios.every(({ name }) => name !== word));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}`);
  const [rounds, seconds] = [number('rounds', values.rounds), number('seconds', values.seconds)];
  // Another one each day; it is told, so that a run can be had again.
  const seed = number('seed', values.seed) ?? Math.floor(Temporal.Now.instant().epochMilliseconds / 86_400_000);
  const chosen = positionals.length === 0 ? scenarios : scenarios.filter(({ name }) => positionals.includes(name));
  return {
    chosen,
    extent: { isShort: values.short, rounds, seconds, seed, from: values.from },
    isJson: values.json,
    isWhole: rounds === undefined && seconds === undefined && !values.short,
  };
}

/** A scenario that cannot be played to its end has missed its limits, too. */
async function play({ name, title, lacking, play }: Scenario, extent: Extent): Promise<Report> {
  const missing = await lacking();
  if (missing !== null) return { name, title, seconds: 0, findings: [], lacking: missing };
  const begin = performance.now();
  const findings = await play(extent).catch((error: unknown): Finding[] => {
    if (error instanceof Interrupted) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
    return [{ name: 'played to the end', value: String(error), limit: 'yes', ok: false }];
  });
  return { name, title, seconds: Math.round((performance.now() - begin) / 1000), findings, lacking: null };
}

function show({ name, title, seconds, findings, lacking }: Report): string {
  const head = `\n${name}: ${title}${lacking === null ? ` (${seconds} s)` : ` (not played: ${lacking})`}\n`;
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const lines = findings.map(
    ({ name, value, limit, ok }) =>
      `${ok ? '  ok    ' : '  MISSED'}  ${name.padEnd(width)}  ${value} (limit ${limit})\n`,
  );
  return [head, ...lines].join('');
}

function tableOf({ name, title, seconds, findings, lacking }: Report): string {
  const head = `## ${name}: ${title}\n`;
  if (lacking !== null) return `${head}\nNot played: ${lacking}.\n`;
  const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
  const rows = findings.map(({ ok, ...finding }) => {
    const { name, value, limit } = finding;
    return `| ${cell(name)} | ${cell(value)} | ${cell(limit)} | ${ok ? 'kept' : '**missed**'} |`;
  });
  return [
    head,
    `Played for ${seconds} s, seed ${wanted.extent.seed}: ${describeMachine()}.\n`,
    '| promise | seen | limit | |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** The file of all findings with those of these scenarios in the place of earlier ones. */
function replaceParts(text: string, played: readonly Report[]): string {
  const earlier = new Map(
    text
      .split(/^(?=## )/m)
      .slice(1)
      .map((part) => [/^## ([a-z-]+):/.exec(part)?.[1] ?? '', part]),
  );
  for (const report of played) earlier.set(report.name, `${tableOf(report)}\n`);
  const parts = scenarios.flatMap(({ name }) => earlier.get(name) ?? []);
  return [HEAD, ...parts].join('').trimEnd() + '\n';
}

const wanted = (() => {
  try {
    return readArguments();
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return process.exit(2);
  }
})();
const reports: Report[] = [];
for (const scenario of wanted.chosen) {
  const report = await play(scenario, wanted.extent);
  reports.push(report);
  if (!wanted.isJson) process.stdout.write(show(report));
}
const ok = reports.every(({ findings }) => findings.every(({ ok }) => ok));
if (wanted.isJson)
  process.stdout.write(`${JSON.stringify({ object: 'torture', ok, seed: wanted.extent.seed, scenarios: reports })}\n`);
else
  process.stdout.write(
    `\n${ok ? 'Every promise was kept.' : 'Some promises were not kept.'} Seed ${wanted.extent.seed}.\n`,
  );
if (wanted.isWhole) {
  writeFileSync(RESULTS, replaceParts(readFileSync(RESULTS, 'utf8'), reports));
}
process.exitCode = ok ? 0 : 1;
