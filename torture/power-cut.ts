import { chmodSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectServer, pathsIn } from '#platform/database/embedded-cluster.ts';
import { seededRandom } from '#test/support/builders.ts';
import { freezeAll } from '#test/support/cluster.ts';
import { startLoad, type Load } from '#test/support/load.ts';
import { copyFile, makeDisk, mountDisk, sectorsWritten, type Mount } from '#test/support/machine.ts';
import {
  childrenOf,
  embeddedIn,
  eventually,
  lookAt,
  temporaryFolder,
  tidied,
  type Tidied,
} from '#test/support/process.ts';
import { openStage, type Stage } from '#test/support/stage.ts';
import { findLost } from '#test/support/wholeness.ts';
import { askDoctor, healthy } from './doctor.ts';
import { examineWhole } from './examine.ts';
import { atLeast, atMost, none, type Finding } from './finding.ts';

/** Settings of `playPowerCut`. */
export interface PowerCutOptions {
  readonly rounds: number;
  /** Draws the instants. */
  readonly seed: number;
}

const CLIENTS = 16;
const DISK_BYTES = 2 * 1024 ** 3;
const BEFORE_CUT_MS = { from: 200, to: 1_500 } as const;
/** Longer than a crashed service may take, for the disk is checked and its journal replayed as well. */
const LIMIT_MS = 15_000;
const COPIES = 5;

/**
 * Cuts the power of the whole machine under sign-ups, as far as that can be had without a machine to spare. The data folder
 * lies on a disk of its own (ext4 in a file, through a loop device). All processes of the service and of PostgreSQL are
 * stopped where they stand, the file is copied, the processes are killed, and the service goes on from the copy.
 *
 * It proves that whatever was acknowledged had left the memory of the machine: what was written and not flushed is in the
 * page cache of the inner file system only, which the copy does not see. The kernel may write some of that back by itself,
 * as it may before any cut; a copy during which it did is made again, so that the copy is the disk at one instant.
 * It does not prove that a real disk keeps what it has confirmed, and does not tear sectors or reorder writes within a flush.
 */
export function playPowerCut({ rounds, seed }: PowerCutOptions): Promise<Finding[]> {
  return tidied(async (scope) => {
    const folder = temporaryFolder(scope, 'power-cut');
    chmodSync(folder, 0o711);
    const disk = { image: join(folder, 'disk'), folder: join(folder, 'mounted') };
    await makeDisk(disk.image, DISK_BYTES);
    const state = { mount: await mountDisk(scope, disk.image, disk.folder) };
    const stage = await openStage(scope, 'power-cut', { dataDir: join(disk.folder, 'data') });
    const load = startLoad(stage.site, { clients: CLIENTS });
    const random = seededRandom(seed);
    const times: number[] = [];
    const lost: string[] = [];
    const complaints: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await progress(load);
      await sleep(BEFORE_CUT_MS.from + random() * (BEFORE_CUT_MS.to - BEFORE_CUT_MS.from));
      const { mount, known, recovery } = await cut(scope, stage, load, disk.image, state.mount);
      state.mount = mount;
      times.push(recovery);
      const database = await embeddedIn(stage.dataDir);
      const before = load.acknowledged.slice(0, known);
      lost.push(...(await load.pauseDuring(() => findLost(database, before))));
      const complaint = await load.pauseDuring(() => askDoctor(stage.settings));
      if (complaint !== null) complaints.push(complaint);
    }
    await load.stop();
    return [
      atLeast('power cuts', times.length, rounds),
      atMost('longest from the start on the copied disk until ready', Math.max(...times), LIMIT_MS),
      none('sign-ups acknowledged before a cut and lost by it', lost),
      ...(await examineWhole(stage, load)),
      healthy(rounds, complaints),
    ];
  });
}

async function progress(load: Load): Promise<void> {
  const known = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > known + CLIENTS, 'sign-ups are answered');
}

/** One cut, and the start on what it left; `known` is how many sign-ups had been acknowledged before it. */
async function cut(
  scope: Tidied,
  stage: Stage,
  load: Load,
  image: string,
  mount: Mount,
): Promise<{ mount: Mount; known: number; recovery: number }> {
  const victims = processesOf(stage);
  await freezeAll(victims);
  const known = load.acknowledged.length;
  await copyAtOneInstant(image, `${image}.copy`);
  for (const pid of victims) process.kill(pid, 'SIGKILL');
  await stage.service().ended;
  await eventually(() => victims.every((pid) => ['Z', 'X'].includes(lookAt(pid).state)), 'all of them have ended');
  await mount.unmount();
  renameSync(`${image}.copy`, image);
  const begin = performance.now();
  const mounted = await mountDisk(scope, image, mount.folder);
  await stage.restart();
  return { mount: mounted, known, recovery: performance.now() - begin };
}

/** The service first, so that it tells nobody of what its database does last. */
function processesOf(stage: Stage): number[] {
  const server = inspectServer(pathsIn(stage.dataDir).cluster);
  const { pid } = stage.service().child;
  if (server.kind !== 'running' || pid === undefined) throw new Error('the service or PostgreSQL does not run');
  return [pid, server.process.pid, ...childrenOf(server.process.pid)];
}

async function copyAtOneInstant(image: string, copy: string): Promise<void> {
  for (let attempt = 1; attempt <= COPIES; attempt += 1) {
    const before = await sectorsWritten(image);
    await copyFile(image, copy);
    if ((await sectorsWritten(image)) === before) return;
  }
  throw new Error('the kernel has written to the disk during every copy');
}
