import { chmodSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster, type Cluster } from '#test/support/cluster.ts';
import { startLoad, type Load } from '#test/support/load.ts';
import { ask, defer, eventually, temporaryFolder, tidied, type Tidied } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { send } from '#test/support/service.ts';
import { openStage, statusOf, type Stage } from '#test/support/stage.ts';
import { formatId, parseId } from '#domain/identifiers.ts';
import { askDoctor, healthy, verifyAudit } from './doctor.ts';
import { examineWhole } from './examine.ts';
import { atMost, none, type Finding } from './finding.ts';

/** Settings of `playClock`. */
export interface ClockOptions {
  /** Whether every jump is made, or only the greatest in each direction. */
  readonly isWhole: boolean;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

interface Jump {
  readonly name: string;
  readonly seconds: number;
  /** Made in the short form, too. */
  readonly isShort?: boolean;
}

/** In this order; each from where the one before has led. */
const JUMPS: readonly Jump[] = [
  { name: '1 h forward', seconds: HOUR },
  { name: '1 h back', seconds: -HOUR },
  { name: '26 h forward, over midnight in Berlin', seconds: 26 * HOUR },
  { name: '40 days forward', seconds: 40 * DAY, isShort: true },
  { name: '1 h back', seconds: -HOUR },
  { name: '2 days back', seconds: -2 * DAY, isShort: true },
  // So that everything comes due that was planned by any of the clocks before.
  { name: '90 days forward', seconds: 90 * DAY, isShort: true },
];

const CLIENTS = 4;
const PAUSE_MS = 40;
/** More than is asked for here: whoever is refused has been robbed of his allowance. */
const RATE_LIMIT = '5000';
const LIMIT_MS = 5_000;
const DELIVERY_LIMIT_MS = 10_000;

/** The library that fakes the clock, or `null`: `apt-get install faketime` brings it. */
function findLibrary(): string | null {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [];
  const paths = [...folders, '/usr/lib', '/usr/local/lib'].map((folder) => join(folder, 'faketime/libfaketime.so.1'));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Why the clock cannot be moved here, or `null`. */
export function cannotMoveClock(): string | null {
  return findLibrary() === null ? 'libfaketime is missing: apt-get install faketime' : null;
}

/** A clock that a process and all its children see, and that can be moved while they run. */
interface MovableClock {
  readonly environment: Readonly<Record<string, string>>;
  move(seconds: number): void;
}

function createClock(scope: Tidied): MovableClock {
  const folder = temporaryFolder(scope, 'clock');
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  const path = join(folder, 'offset');
  const state = { seconds: 0 };
  const write = (): void => {
    writeFileSync(`${path}.new`, `${state.seconds < 0 ? '' : '+'}${state.seconds}\n`, { mode: 0o644 });
    // So that nobody reads half of it.
    renameSync(`${path}.new`, path);
  };
  write();
  return {
    environment: {
      LD_PRELOAD: findLibrary() ?? '',
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      // The time since the machine was started goes on as it does when a real clock is set.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    move(seconds) {
      state.seconds += seconds;
      write();
    },
  };
}

/** A service and its database under a movable clock, and what is under way there. */
interface Scene {
  readonly stage: Stage;
  readonly cluster: Cluster;
  readonly clock: MovableClock;
  readonly load: Load;
  readonly receiver: Receiver;
}

/**
 * Moves the clock of the service and of its database while customers sign up, forward and back, by an hour to forty days:
 * nothing is there twice, new sign-ups are worked on and told of at once, no token lives longer than it may, nobody is
 * locked out, and what was planned by one clock is done by the others when its hour comes.
 */
export function playClock({ isWhole }: ClockOptions): Promise<Finding[]> {
  return tidied(async (scope) => {
    const scene = await openScene(scope);
    const { stage, cluster, load } = scene;
    const findings: Finding[] = [];
    const complaints: string[] = [];
    let visits = 0;
    const jumps = JUMPS.filter(({ isShort }) => isWhole || isShort === true);
    for (const jump of jumps) {
      findings.push(...(await playJump(scene, jump)));
      if (!isWhole && jump !== jumps.at(-1)) continue;
      visits += 1;
      const complaint = await askDoctor(stage.settings);
      if (complaint !== null) complaints.push(`${jump.name}: ${complaint}`);
    }
    await load.stop();
    await stage.renewToken();
    findings.push(await leftUndone(cluster));
    // Nothing is cut off here.
    findings.push(...(await examineWhole(stage, load, { connection: cluster.connection, repeated: 0 })));
    const audit = await verifyAudit(stage.settings);
    findings.push(none('faults in the audit log', audit === null ? [] : [audit]), healthy(visits, complaints));
    return findings;
  });
}

async function openScene(scope: Tidied): Promise<Scene> {
  const clock = createClock(scope);
  const cluster = await startCluster(scope, 'clock', clock.environment);
  const encryption = Buffer.alloc(32, 7).toString('base64');
  const stage = await openStage(scope, 'clock', {
    settings: {
      ...clock.environment,
      DATABASE_URL: cluster.url,
      ENCRYPTION_KEY: encryption,
      RATE_LIMIT,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
  const receiver = await startReceiver();
  defer(scope, () => receiver.close());
  const { token } = stage.site;
  const endpoint = { url: receiver.url, types: ['subscription.created'] };
  await send(stage.url, 'POST', '/webhook-endpoints', { token, body: endpoint });
  const load = startLoad(stage.site, { clients: CLIENTS, pauseMs: PAUSE_MS, renewToken: () => stage.renewToken() });
  await eventually(() => load.acknowledged.length > CLIENTS, 'sign-ups are answered');
  return { stage, cluster, clock, load, receiver };
}

async function playJump({ stage, cluster, clock, load, receiver }: Scene, jump: Jump): Promise<Finding[]> {
  const token = await stage.fetchToken();
  const known = load.acknowledged.length;
  clock.move(jump.seconds);
  const begin = performance.now();
  const since = (): number => performance.now() - begin;
  const old = await send(stage.url, 'GET', '/plans', { token });
  const tooLong = Math.abs(jump.seconds) >= HOUR && old.status !== 401 ? [old.status] : [];
  // Those begun before the jump may have been answered after it.
  await eventually(() => load.acknowledged.length > known + 3 * CLIENTS, 'sign-ups are answered');
  const answered = since();
  const id = parseId('sub', load.acknowledged.at(-1)?.id ?? '') ?? '';
  const unready = (await statusOf(stage, '/ready')) === 200 ? [] : ['/ready'];
  const asked = performance.now();
  await eventually(
    async () => (await ask<{ begun: boolean }>(cluster.connection, BEGUN, [id]))[0]?.begun === true,
    'the market process of a new sign-up has begun',
  );
  const begun = performance.now() - asked;
  await eventually(
    () => receiver.received.some(({ event }) => event.data.subscription.id === formatId('sub', id)),
    'a webhook tells of a new sign-up',
  );
  const told = performance.now() - asked;
  const after = `clock set ${jump.name}`;
  return [
    none(`${after}: tokens of before, not used until then, that are taken`, tooLong),
    none(`${after}: not ready`, unready),
    atMost(`${after}: until new sign-ups are answered`, answered, LIMIT_MS),
    atMost(`${after}: until the process of a new sign-up has begun`, begun, LIMIT_MS),
    atMost(`${after}: until a webhook tells of a new sign-up`, told, DELIVERY_LIMIT_MS),
  ];
}

const BEGUN = 'select memory is not null as begun from market_processes where subscription_id = $1';
const DUE = 'select count(*)::int as count from market_processes where due_at <= now()';
const PENDING = `select count(*)::int as count from webhook_deliveries where state = 'pending' and due_at <= now()`;
const PARKED = `select id from subscriptions where next_action ->> 'code' = 'internal_error'`;

/** Waits for what is due; what was set aside by a defect has not been done either. */
async function leftUndone({ connection }: Cluster): Promise<Finding> {
  for (const statement of [DUE, PENDING]) {
    await eventually(async () => (await ask<{ count: number }>(connection, statement))[0]?.count === 0, statement);
  }
  return none('processes left undone', await ask(connection, PARKED));
}
