import { findLost } from '#platform/database/compare-schema.ts';
import { checkEncryptionSample } from '#platform/database/encryption-check.ts';
import { messageOf } from '#platform/message-of.ts';
import { formatId } from '#domain/identifiers.ts';
import { describeFeedHolder, findFeedHolder } from '#features/events/index.ts';
import { withDependencies, type CliDependencies, type Command } from './command.ts';
import { EXAMPLES, findViolations, invariants, type Promised, type Violations } from './invariants-store.ts';
import { legibles } from './legibles.ts';
import { readServerFacts } from './store.ts';

/** What a check found. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

/** One thing that has to be right for the service to work. */
export interface Check {
  readonly name: string;
  readonly run: (dependencies: CliDependencies) => Promise<Finding>;
}

const OLDEST_VERSION = 150_000;
const CLOCK_TOLERANCE_MS = 2_000;
/** A transaction of ours is over by then. */
const FEED_PATIENCE_S = 30;

/** The checks of `doctor`, in their order; that everything could be opened stands for the configuration. */
export const checks: readonly Check[] = [
  {
    name: 'configuration',
    run: async () => ({ status: 'ok', detail: 'every setting can be read' }),
  },
  {
    name: 'database',
    async run({ database }) {
      const { version } = await readServerFacts(database);
      const text = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
      return version >= OLDEST_VERSION
        ? { status: 'ok', detail: `${text} answers` }
        : { status: 'failed', detail: `${text} is too old; 15 or later is needed` };
    },
  },
  {
    name: 'migrations',
    async run({ pendingMigrations }) {
      const pending = await pendingMigrations();
      return pending.length === 0
        ? { status: 'ok', detail: 'all are applied' }
        : { status: 'failed', detail: `not applied: ${pending.join(', ')}; the next start applies them` };
    },
  },
  {
    name: 'keys',
    async run({ database, keys }) {
      return (await checkEncryptionSample(database, keys))
        ? { status: 'ok', detail: 'the key opens what is stored' }
        : { status: 'warning', detail: 'nothing is stored yet that the key would open' };
    },
  },
  {
    name: 'clock',
    async run({ database, clock }) {
      const sentMs = clock.now().epochMilliseconds;
      const { nowMs } = await readServerFacts(database);
      const receivedMs = clock.now().epochMilliseconds;
      // The answer was made somewhere in between.
      const apartMs = Math.max(sentMs - nowMs, nowMs - receivedMs, 0);
      return apartMs <= CLOCK_TOLERANCE_MS
        ? { status: 'ok', detail: 'this machine and the database agree' }
        : { status: 'warning', detail: `this machine and the database are ${(apartMs / 1000).toFixed(1)} s apart` };
    },
  },
];

/** What can be asked of a database that has its tables only. */
const furtherChecks: readonly Check[] = [
  {
    name: 'schema',
    async run({ connection }) {
      const lost = await findLost(connection);
      if (lost === null) return { status: 'ok', detail: 'a newer version has made it, and it is not looked at' };
      if (lost.length === 0) return { status: 'ok', detail: 'all that the migrations make is there' };
      const some = lost.slice(0, EXAMPLES).join('; ');
      const advice = 'what is no table or column, `backup` and `restore` into an empty database make anew';
      return {
        status: 'failed',
        detail: `not all that the migrations make is there as they make it: ${lost.length} found, such as ${some}; ${advice}`,
      };
    },
  },
  {
    name: 'feed',
    async run({ database }) {
      const holder = await findFeedHolder(database);
      // One that our role may not see may have begun a moment ago.
      return holder === undefined || (holder.seconds ?? 0) < FEED_PATIENCE_S
        ? { status: 'ok', detail: 'no event waits for long' }
        : { status: 'warning', detail: `events wait for ${describeFeedHolder(holder)}` };
    },
  },
];

const PROMISED: readonly Promised[] = [...invariants, ...legibles];

/** `doctor`: runs every check, whatever the others find, on the schema as it is. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check configuration, database, migrations, keys, clock, schema and feed; with --deep every row.',
  flags: { deep: 'Check also what must be true of the whole database; reads all of it.' },
  notes: [
    'Exit code 1 when a check fails; a warning alone leaves it 0.',
    '',
    'Each check of --deep sees the database at one instant. It takes no lock that anybody waits for, so that it may run beside',
    'the service, and minutes for millions of subscriptions; it names how many violate it, and up to five of them:',
    '',
    ...PROMISED.map(({ name, promise }) => `  ${name}\n    ${promise}`),
  ].join('\n'),
  async run(open, { flags }) {
    const findings = await withDependencies(
      open,
      async (dependencies) => {
        const found = await examine(dependencies, checks);
        // Of a database without its tables nothing can be said.
        if (found.some(({ status }) => status === 'failed')) return found;
        found.push(...(await examine(dependencies, furtherChecks)));
        return flags.has('deep') ? [...found, ...(await examineDeeply(dependencies))] : found;
      },
      'as it is',
    ).catch(cannotOpen);
    const failed = findings.some(({ status }) => status === 'failed');
    return {
      exitCode: failed ? 1 : 0,
      json: { object: 'doctor', ok: !failed, checks: findings },
      text: findings.map(describe).join('\n'),
    };
  },
};

interface NamedFinding extends Finding {
  readonly name: string;
  readonly duration_ms: number;
  /** Of `--deep`: how many violate it. */
  readonly violations?: number;
  /** Of `--deep`: ids of some of them. */
  readonly examples?: readonly string[];
}

function describe({ name, status, detail, duration_ms: durationMs, violations }: NamedFinding): string {
  const time = violations === undefined ? '' : ` (${(durationMs / 1000).toFixed(1)} s)`;
  return `${status.padEnd(7)}  ${name}: ${detail}${time}`;
}

async function examine(dependencies: CliDependencies, checks: readonly Check[]): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, run } of checks) {
    const start = performance.now();
    const finding = await run(dependencies).catch((error: unknown): Finding => ({
      status: 'failed',
      detail: messageOf(error),
    }));
    findings.push({ name, ...finding, duration_ms: Math.round(performance.now() - start) });
  }
  return findings;
}

async function examineDeeply(dependencies: CliDependencies): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  let start = performance.now();
  const report = (promised: Promised, violations: Violations): void => {
    findings.push({ ...judge(promised, violations), duration_ms: Math.round(performance.now() - start) });
    start = performance.now();
  };
  try {
    await findViolations(dependencies.database, invariants, report);
    for (const promised of legibles) report(promised, await promised.find(dependencies));
  } catch (error) {
    const [broken, ...left] = PROMISED.slice(findings.length).map(({ name }) => name);
    const rest = left.length === 0 ? '' : `; therefore not looked at: ${left.join(', ')}`;
    findings.push({ name: broken ?? 'invariants', status: 'failed', detail: messageOf(error) + rest, duration_ms: 0 });
  }
  return findings;
}

function judge(
  { name, promise, prefix }: Promised,
  { count, examples }: Violations,
): Omit<NamedFinding, 'duration_ms'> {
  if (count === 0) return { name, status: 'ok', detail: promise, violations: 0, examples: [] };
  const ids = examples.map((id) => (prefix === null ? id : formatId(prefix, id)));
  const detail = `not true that ${promise}: ${count} found, such as ${ids.join(', ')}`;
  return { name, status: 'failed', detail, violations: count, examples: ids };
}

/** Without a foundation there is one finding: what kept it from being laid. */
function cannotOpen(error: unknown): NamedFinding[] {
  const detail = messageOf(error);
  const isConfiguration = error instanceof Error && error.name === 'ConfigError';
  const name = isConfiguration ? 'configuration' : /ENCRYPTION_KEY|key/.test(detail) ? 'keys' : 'database';
  return [{ name, status: 'failed', detail, duration_ms: 0 }];
}
