/** The file of all figures: the part of each bench under a heading of its own, in one order. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('results.md', import.meta.url));

/** The parts and their headings, in the order of the file; that of the first is the file's own. */
const HEADINGS = { http: '# Figures', webhooks: '## Webhooks', growth: '## Growth', midnight: '## Midnight' } as const;
export type ResultsPart = keyof typeof HEADINGS;

/** Writes one part, its heading not included, and leaves the others; gives the whole. */
export function writeResults(part: ResultsPart, text: string): string {
  const written = readFileSync(RESULTS, 'utf8');
  const headings = Object.entries(HEADINGS) as [ResultsPart, string][];
  const places = headings.map(([name, heading]) => ({ name, heading, at: `\n${written}`.indexOf(`\n${heading}\n`) }));
  const known = new Map(
    places
      .filter(({ at }) => at !== -1)
      .map(({ name, heading, at }) => {
        const end = Math.min(written.length, ...places.map((other) => other.at).filter((other) => other > at));
        return [name, written.slice(at + heading.length, end).trim()];
      }),
  );
  known.set(part, text.trim());
  const whole = headings
    .flatMap(([name, heading]) => (known.has(name) ? [`${heading}\n\n${known.get(name) ?? ''}\n`] : []))
    .join('\n');
  writeFileSync(RESULTS, whole);
  return whole;
}

/** When and on what it was measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  return `${Temporal.Now.plainDateISO().toString()}, ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.version}`;
}
