/** How growth is told of: the figures of each size beside each other, and which of them are not as they should be. */
import { IDEMPOTENCY_DAYS } from '#platform/http/idempotency.ts';
import { describeMachine } from './results.ts';

const REQUIRED_RATIO = 1.5;
/** On which the requests of a list are sent. */
export const CONNECTIONS = 8;
/** In each round, of each list and of sign-ups. */
export const REQUESTS = 600;
/** Of which the median is told. */
export const ROUNDS = 5;
/** One lead for so many sign-ups. */
export const LEADS_PART = 10;

/** What was found at one size. */
export interface GrowthResult {
  readonly size: number;
  /** Milliseconds by the name of a read; null: some were not answered in time. */
  readonly p95: Readonly<Record<string, number | null>>;
  /** Rows on a page on average, by the name of a read. */
  readonly rows: Readonly<Record<string, number>>;
  /** Plans that read what they need not, by the name of a read. */
  readonly faults: Readonly<Record<string, string>>;
  readonly bytes: readonly { readonly table: string; readonly total: number; readonly indexes: number }[];
  readonly loadedPerSecond: number;
}

const EXPLANATION = `Databases of each size stand beside each other. Loaded by COPY with all constraints, triggers and indexes in force, as
patterns of lives that the service itself has led, spread over two years: 70 % supplied (a third of these after a switch of supplier, or from an
unknown market location), 20 % ended, 10 % pending, four plans, a lead for every ${LEADS_PART} sign-ups. Of each there is what a sign-up
writes, its members as they stand, and what its process remembers; of what followed, events, messages and transitions are
left out for want of room. \`Idempotency-Key\`s are there of the last ${IDEMPOTENCY_DAYS} days, as the service keeps them. Seals, the chain of the
audit log, places in the feed and encryption are the service's own; afterwards comes \`vacuum (analyze)\`.

- **p95**: through HTTP at ${CONNECTIONS} connections, values from all over the two years, after a warm-up; the median of ${ROUNDS} rounds of
  ${REQUESTS.toLocaleString('en')}, each of which all sizes take in turns. The time of creation is in the order of the list, others are not.
- **Rows**: those on a page, on average, at the first size and at the last, where these differ. A range of time is as long as
  holds so many sign-ups at each size, since a full page takes longer than an empty one; supply starts and ends at midnight.
- **Plans**: each statement that the service asks is prepared and executed as by the service, and the plan that
  PostgreSQL settles for is looked at: no table that grows is read whole, no more than a page is sorted.
`;

/** The part of the results. */
export function render(results: readonly GrowthResult[], { isLean }: { readonly isLean: boolean }): string {
  const [first] = results;
  const last = results.at(-1);
  if (first === undefined || last === undefined) return EXPLANATION;
  const names = Object.keys(last.p95);
  const head = results.map(({ size }) => `p95 ms at ${size.toLocaleString('en')}`);
  const lines = names.map((name) => {
    const figures = results.map(({ p95 }) => p95[name]?.toFixed(1) ?? 'too many');
    const ratio = ratioOf(first, last, name).toFixed(2);
    return `| ${[name.replaceAll('|', '\\|'), ...figures, ratio, rowsOf(first, last, name), last.faults[name] ?? ''].join(' | ')} |`;
  });
  const loads = results.map(
    ({ size, loadedPerSecond, bytes }) =>
      `- ${size.toLocaleString('en')}: loaded at ${Math.round(loadedPerSecond).toLocaleString('en')} subscriptions a second, ${perSubscription(size, bytes)} bytes for each with all its rows and indexes`,
  );
  const tables = last.bytes.map(
    ({ table, total, indexes }) =>
      `| ${table} | ${Math.round((total - indexes) / last.size)} | ${Math.round(indexes / last.size)} |`,
  );
  return `${EXPLANATION}
- ${describeMachine()}${isLean ? '\n- lean: without what the processes remember and events older than a year' : ''}
${loads.join('\n')}

| what | ${head.join(' | ')} | ratio (required: ≤ ${REQUIRED_RATIO}) | rows | plan |
|---|${'--:|'.repeat(results.length)}--:|--:|---|
${lines.join('\n')}

| bytes a subscription at ${last.size.toLocaleString('en')} | rows | indexes |
|---|--:|--:|
${tables.join('\n')}
`;
}

function perSubscription(size: number, bytes: GrowthResult['bytes']): string {
  return Math.round(bytes.reduce((sum, { total }) => sum + total, 0) / size).toLocaleString('en');
}

/** How full pages are at the first size and at the last, where they are not alike. */
function rowsOf(first: GrowthResult, last: GrowthResult, name: string): string {
  const [few, many] = [first.rows[name]?.toFixed(0) ?? '', last.rows[name]?.toFixed(0) ?? ''];
  return few === many ? '' : `${few} → ${many}`;
}

/** How many times longer it takes at the last size than at the first. */
function ratioOf(first: GrowthResult, last: GrowthResult, name: string): number {
  return (last.p95[name] ?? Infinity) / (first.p95[name] ?? Infinity);
}

/** What is not as it is required to be. */
export function missedBy(results: readonly GrowthResult[]): string[] {
  const [first] = results;
  const last = results.at(-1);
  if (first === undefined || last === undefined) return [];
  const slow = Object.keys(last.p95).filter((name) => ratioOf(first, last, name) > REQUIRED_RATIO);
  return [
    ...slow.map((name) => `${name}: ${ratioOf(first, last, name).toFixed(2)} times as long`),
    ...results.flatMap(({ size, faults }) =>
      Object.entries(faults).map(([name, fault]) => `${name} at ${size}: ${fault}`),
    ),
  ];
}
