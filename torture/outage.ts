import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster, type Cluster } from '#test/support/cluster.ts';
import { exchange, oneConnection, startLoad, type Outcome } from '#test/support/load.ts';
import { eventually, tidied } from '#test/support/process.ts';
import { openStage, STAGE_BASIC, statusOf, type Stage } from '#test/support/stage.ts';
import { visitDoctor } from './doctor.ts';
import { examineWhole, stillServing } from './examine.ts';
import { atLeast, atMost, none, type Finding } from './finding.ts';

/** Settings of `playOutage`. */
export interface OutageOptions {
  /** How long the database is away, each time. */
  readonly seconds: number;
  /** All must be well so soon after it is back. */
  readonly limitMs: number;
}

/** Clients in all: those that sign up, and those that do everything else. */
const CLIENTS = { signUps: 24, others: 40 } as const;
const SIGN_UP_PAUSE_MS = 40;
const PAUSE_MS = 60;
/** The longest that any request may take. */
const LIMIT_MS = 5_000;
/** Failures are looked for so long after all must be well. */
const LOOK_MS = 700;
/** The service is asked how it is so often. */
const WATCH_MS = 100;

interface Way {
  readonly name: string;
  readonly away: (cluster: Cluster) => Promise<void>;
  readonly back: (cluster: Cluster) => Promise<void>;
}

const WAYS: readonly Way[] = [
  {
    name: 'hanging',
    away: (cluster) => cluster.freeze(),
    back: async (cluster) => cluster.thaw(),
  },
  {
    name: 'shut down',
    away: (cluster) => cluster.stop(),
    back: (cluster) => cluster.start(),
  },
];

/** What a client asked for, and what came of it. */
interface Answer extends Outcome {
  readonly what: string;
}

/**
 * The database is away for a while under the load of 64 clients, once hanging (its processes are stopped where they stand,
 * connections stay open) and once shut down (connections are refused): every request is answered 503 with `Retry-After`
 * in time, `/health` says that the process lives, `/ready` that it is not ready; and all is well soon after the database
 * is back, without a restart. The database is one of its own, of which the service knows the address only.
 */
export function playOutage({ seconds, limitMs }: OutageOptions): Promise<Finding[]> {
  return tidied(async (scope) => {
    const cluster = await startCluster(scope, 'outage');
    const encryption = Buffer.alloc(32, 7).toString('base64');
    const stage = await openStage(scope, 'outage', {
      settings: { DATABASE_URL: cluster.url, ENCRYPTION_KEY: encryption },
    });
    const service = stage.service();
    const answers: Answer[] = [];
    const load = startLoad(stage.site, {
      clients: CLIENTS.signUps,
      pauseMs: SIGN_UP_PAUSE_MS,
      observe: (outcome) => answers.push({ what: 'POST /subscriptions', ...outcome }),
    });
    await eventually(() => load.acknowledged.length > CLIENTS.signUps, 'sign-ups are answered');
    const others = startOthers(stage, load.acknowledged[0]?.id ?? '', answers);
    const findings: Finding[] = [];
    for (const way of WAYS) {
      findings.push(...(await playOne(stage, cluster, way, { milliseconds: seconds * 1000, limitMs }, answers)));
    }
    await others.stop();
    await load.stop();
    findings.push(stillServing(stage, service));
    findings.push(...(await examineWhole(stage, load, { connection: cluster.connection })));
    findings.push(await visitDoctor(stage.settings));
    return findings;
  });
}

async function playOne(
  stage: Stage,
  cluster: Cluster,
  { name, away, back }: Way,
  { milliseconds, limitMs }: { readonly milliseconds: number; readonly limitMs: number },
  answers: Answer[],
): Promise<Finding[]> {
  await away(cluster);
  const from = performance.now();
  const watched = await watch(stage, from + milliseconds);
  const to = performance.now();
  await back(cluster);
  const returned = performance.now();
  await eventually(async () => (await statusOf(stage, '/ready')) === 200, 'the service is ready');
  const ready = performance.now();
  // What goes wrong later than allowed is to be seen.
  await sleep(returned + limitMs + LOOK_MS - ready);
  const all = answers.slice();
  const during = all.filter(({ begunAt, endedAt }) => endedAt >= from && begunAt < to);
  const slowest = during.reduce((longest, { begunAt, endedAt }) => Math.max(longest, endedAt - begunAt), 0);
  const within = during.filter(({ endedAt }) => endedAt < to);
  // What was asked before may have been answered at the last moment.
  const wrong = within.filter(
    ({ begunAt, status, retryAfter }) => begunAt >= from && (status !== 503 || retryAfter === undefined),
  );
  const refused = within.filter(({ status }) => status === 503);
  const later = all.filter(({ begunAt, status }) => begunAt > returned + limitMs && ![200, 201].includes(status));
  const when = `while PostgreSQL is ${name}`;
  return [
    atLeast(`${when} for ${milliseconds / 1000} s: requests refused`, refused.length, CLIENTS.others),
    none(`${when}: requests not answered 503 with Retry-After`, wrong.map(brief)),
    atMost(`${when}: longest time to an answer`, slowest, LIMIT_MS),
    none(`${when}: times /health did not answer 200`, watched.unhealthy),
    none(`${when}: times /ready did not answer 503`, watched.ready),
    atMost(`after PostgreSQL was ${name}: until ready`, ready - returned, limitMs),
    none(`after PostgreSQL was ${name}: requests failed later than ${limitMs} ms`, later.map(brief)),
  ];
}

function brief({ what, status, text, begunAt, endedAt }: Answer): string {
  return `${what}: ${status} after ${Math.round(endedAt - begunAt)} ms ${text.slice(0, 120)}`;
}

/** Asks the process how it is until an instant; gives the answers that are wrong while the database is away. */
async function watch(stage: Stage, until: number): Promise<{ unhealthy: number[]; ready: number[] }> {
  const unhealthy: number[] = [];
  const ready: number[] = [];
  while (performance.now() < until) {
    const [health, readiness] = await Promise.all([statusOf(stage, '/health'), statusOf(stage, '/ready')]);
    if (health !== 200) unhealthy.push(health);
    // The last question may be answered by the database that is back.
    if (readiness !== 503 && performance.now() < until) ready.push(readiness);
    await sleep(WATCH_MS);
  }
  return { unhealthy, ready };
}

const TOKEN_REQUEST = {
  body: 'grant_type=client_credentials',
  headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: STAGE_BASIC },
} as const;

/** Clients that read, list and fetch tokens until stopped. */
function startOthers(stage: Stage, id: string, answers: Answer[]): { stop(): Promise<void> } {
  const { site } = stage;
  const authorized = (): { headers: Record<string, string> } => ({
    headers: { authorization: `Bearer ${site.token}` },
  });
  const get =
    (path: string) =>
    (agent: Agent): Promise<Outcome> =>
      exchange(agent, site.port, 'GET', path, authorized());
  const requests: readonly (readonly [string, (agent: Agent) => Promise<Outcome>])[] = [
    ['GET /subscriptions/{id}', get(`/subscriptions/${id}`)],
    ['GET /subscriptions', get('/subscriptions?limit=20')],
    ['GET /plans', get('/plans')],
    ['GET /events', get('/events?limit=20')],
    ['POST /oauth/token', (agent) => exchange(agent, site.port, 'POST', '/oauth/token', TOKEN_REQUEST)],
  ];
  const running = { on: true };
  const work = async (_: unknown, client: number): Promise<void> => {
    const agent = oneConnection();
    const [what, send] = requests[client % requests.length] ?? requests[0] ?? [];
    while (running.on && what !== undefined && send !== undefined) {
      answers.push({ what, ...(await send(agent)) });
      await sleep(PAUSE_MS);
    }
    agent.destroy();
  };
  const working = Array.from({ length: CLIENTS.others }, work);
  return {
    async stop() {
      running.on = false;
      await Promise.all(working);
    },
  };
}
