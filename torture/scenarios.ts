import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cannotMount } from '#test/support/machine.ts';
import { cannotMoveClock, playClock } from './clock.ts';
import { playDiskFull } from './disk-full.ts';
import type { Finding } from './finding.ts';
import { playKill } from './kill.ts';
import { playOutage } from './outage.ts';
import { overload } from './overload.ts';
import { playPowerCut } from './power-cut.ts';
import { slowClients } from './slow-clients.ts';
import { stopUnderLoad } from './stop.ts';
import { upgrade } from './upgrade.ts';

/** How much of a scenario is played. */
export interface Extent {
  /** The short form is part of `npm test`. */
  readonly isShort: boolean;
  /** Replaces the rounds of a scenario that has rounds. */
  readonly rounds?: number | undefined;
  /** Replaces the seconds of a scenario that lasts. */
  readonly seconds?: number | undefined;
  /** Draws what is random. */
  readonly seed: number;
  /** The version before, as git names it; absent: found by its migrations. */
  readonly from?: string | undefined;
}

/** One way of hurting the service. */
export interface Scenario {
  /** As it is named on the command line. */
  readonly name: string;
  readonly title: string;
  /** What this machine lacks to play it, and how it is had; `null` when it lacks nothing. */
  readonly lacking: () => Promise<string | null>;
  readonly play: (extent: Extent) => Promise<Finding[]>;
}

async function notLinux(): Promise<string | null> {
  return process.platform === 'linux' ? null : 'the processes of PostgreSQL are found on Linux only';
}

async function withoutHistory(): Promise<string | null> {
  const folder = fileURLToPath(new URL('../.git', import.meta.url));
  return existsSync(folder) ? null : 'without the history of git there is no version before';
}

/** Every scenario, in the order in which they are played. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'kill',
    title: 'kill -9 of the service and of PostgreSQL, under sign-ups',
    lacking: notLinux,
    play: ({ isShort, rounds = isShort ? 5 : 20, seed }) =>
      playKill({ rounds, seed, doctorEvery: isShort ? rounds + 1 : 1 }),
  },
  {
    name: 'power-cut',
    title: 'the power of the machine is cut, under sign-ups',
    lacking: () => cannotMount('loop'),
    play: ({ isShort, rounds = isShort ? 1 : 10, seed }) => playPowerCut({ rounds, seed }),
  },
  {
    name: 'outage',
    title: 'the database is away, under the load of 64 clients',
    lacking: notLinux,
    play: ({ isShort, seconds = isShort ? 6 : 30 }) => playOutage({ seconds, limitMs: isShort ? 3_000 : 5_000 }),
  },
  {
    name: 'disk-full',
    title: 'the disk runs full, under sign-ups and reads',
    lacking: () => cannotMount('tmpfs'),
    play: ({ isShort, seconds = isShort ? 3 : 15 }) => playDiskFull({ seconds }),
  },
  {
    name: 'clock',
    title: 'the clock is set forward and back, under sign-ups',
    lacking: async () => cannotMoveClock(),
    play: ({ isShort }) => playClock({ isWhole: !isShort }),
  },
  {
    name: 'overload',
    title: 'ten times the sign-ups that it can do',
    lacking: notLinux,
    play: ({ isShort, seconds = isShort ? 3 : 60 }) =>
      overload(isShort ? { seconds, measured: 3_000, connections: 1_200 } : { seconds }),
  },
  {
    name: 'stop',
    title: 'SIGTERM under sign-ups',
    lacking: async () => null,
    play: ({ isShort, rounds = isShort ? 2 : 20 }) => stopUnderLoad({ rounds, connections: 16 }),
  },
  {
    name: 'stop-processes',
    title: 'SIGTERM under sign-ups, with two HTTP processes',
    lacking: async () => null,
    play: ({ isShort, rounds = isShort ? 2 : 20 }) =>
      stopUnderLoad({ rounds, connections: 16, settings: { PROCESSES: '2' } }),
  },
  {
    name: 'slow-clients',
    title: 'clients that are slow, silent, or have no end',
    lacking: notLinux,
    play: ({ isShort }) => slowClients(isShort ? { idle: 1_000, each: 10, bodies: false } : {}),
  },
  {
    name: 'upgrade',
    title: 'migrations are killed, and two versions serve at once',
    lacking: withoutHistory,
    play: ({ isShort, from }) =>
      upgrade({
        ...(isShort ? { subscriptions: 1_000, kills: { process: 3, server: 1 }, seconds: 1 } : {}),
        ...(from === undefined ? {} : { from }),
      }),
  },
];
