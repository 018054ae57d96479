/** Measuring contenders in turn, and the table of what came out: see bench/results.md. */
import type { Round } from './generator.ts';
import { median } from './median.ts';

/** One that takes its turn in every round. */
export interface Contender {
  readonly name: string;
  readonly measure: () => Promise<Round>;
  /** So many times its rate ours must be; null: shown only. Of ours itself nothing is required. */
  readonly required: number | null;
}

/** What a contender did, ours being the first. */
export interface Measured {
  readonly name: string;
  readonly required: number | null;
  readonly rounds: readonly Round[];
}

/** Several that did the same in turn; `title` names what. */
export interface Comparison {
  readonly title: string;
  readonly ours: readonly Round[];
  /** The 99th percentile that ours must keep, in milliseconds. */
  readonly requiredP99: number | null;
  readonly others: readonly Measured[];
}

/** A single figure that must not exceed a limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
}

/** Measures all in turn, each round beginning with another one, and every other going back: nobody always follows the same. */
export async function compare(
  { title, requiredP99 = null, rounds }: { title: string; requiredP99?: number | null; rounds: number },
  ours: () => Promise<Round>,
  others: readonly Contender[],
): Promise<Comparison> {
  const contenders = [{ name: title, measure: ours, required: null }, ...others];
  const measured = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const step = round % 2 === 0 ? 1 : -1;
    const turns = contenders.flatMap((_, index) => contenders.at((round + step * index) % contenders.length) ?? []);
    for (const { name, measure } of turns) {
      const found = await measure();
      measured.get(name)?.push(found);
      process.stdout.write(`${name}: ${show(found)}\n`);
    }
  }
  const roundsOf = (name: string): Round[] => measured.get(name) ?? [];
  return {
    title,
    requiredP99,
    ours: roundsOf(title),
    others: others.map(({ name, required }) => ({ name, required, rounds: roundsOf(name) })),
  };
}

function show({ perSecond, p50, p99 }: Round): string {
  return `${count(perSecond)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function rateOf(rounds: readonly Round[]): number {
  return median(rounds.map(({ perSecond }) => perSecond));
}

/** What was required and is missed, a sentence each. */
export function missedBy(comparisons: readonly Comparison[], figures: readonly Figure[]): string[] {
  return [
    ...comparisons.flatMap(({ title, ours, requiredP99, others }) => [
      ...others
        .filter(({ required, rounds }) => required !== null && rateOf(ours) / rateOf(rounds) < required)
        .map(({ name, required }) => `${title}: not ${required} × ${name}`),
      ...(requiredP99 !== null && median(ours.map(({ p99 }) => p99)) > requiredP99
        ? [`${title}: p99 is above ${requiredP99} ms`]
        : []),
    ]),
    ...figures
      .filter(({ value, limit }) => value > limit)
      .map(({ name, limit, unit }) => `${name}: above ${limit} ${unit}`),
  ];
}

/** The table of all comparisons, then the list of single figures, as Markdown. */
export function renderTable(comparisons: readonly Comparison[], figures: readonly Figure[]): string {
  const line = (name: string, rounds: readonly Round[], last: readonly string[]): string => {
    const rates = rounds.map(({ perSecond }) => perSecond);
    const cells = [
      count(rateOf(rounds)),
      `${count(Math.min(...rates))}–${count(Math.max(...rates))}`,
      median(rounds.map(({ p50 }) => p50)).toFixed(1),
      median(rounds.map(({ p99 }) => p99)).toFixed(1),
    ];
    return `| ${[name, ...cells, ...last].join(' | ')} |`;
  };
  const rows = comparisons.flatMap(({ title, ours, requiredP99, others }) => [
    line(title, ours, ['', requiredP99 === null ? '' : `p99 ≤ ${requiredP99} ms`]),
    ...others.map(({ name, required, rounds }) =>
      line(`↳ ${name}`, rounds, [(rateOf(ours) / rateOf(rounds)).toFixed(2), required === null ? '' : `≥ ${required}`]),
    ),
  ]);
  const head =
    '| what | per second | from–to | p50 ms | p99 ms | ours ÷ this | required |\n|---|--:|--:|--:|--:|--:|--:|';
  const list = figures.map(
    ({ name, value, unit, limit }) => `- ${name}: ${value.toPrecision(3)} ${unit} (required: ≤ ${limit})`,
  );
  return `${head}\n${rows.join('\n')}\n\n${list.join('\n')}\n`;
}
