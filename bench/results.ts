/** The file of all figures: what `npm run bench` writes, then what `npm run bench:webhooks` writes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('results.md', import.meta.url));
const BETWEEN = '\n## Webhooks\n';

/** Writes one part and leaves the other; gives the whole. */
export function writeResults(part: 'http' | 'webhooks', text: string): string {
  const [http = '', webhooks] = readFileSync(RESULTS, 'utf8').split(BETWEEN);
  const parts = part === 'http' ? [text, webhooks] : [http, text];
  const whole = parts.filter((each) => each !== undefined).join(BETWEEN);
  writeFileSync(RESULTS, whole);
  return whole;
}

/** When and on what it was measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  return `${Temporal.Now.plainDateISO().toString()}, ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.version}`;
}
