import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { locateBinaries } from '#platform/database/embedded-binaries.ts';
import { DATABASE, pathsIn, PORT, prepareCluster, SUPERUSER } from '#platform/database/embedded-cluster.ts';
import { chooseServerUser, SERVER_ENVIRONMENT } from '#platform/database/embedded-processes.ts';
import { ask, childrenOf, defer, eventually, lookAt, temporaryFolder, type Tidied } from './process.ts';

/** Whom it lets in where it listens to more than its socket. */
const ANYBODY = 'local all all trust\nhost all all 127.0.0.1/32 trust\n';

/** A PostgreSQL server that nobody watches over: what is done to it stays so until it is undone. */
export interface Cluster {
  /** In the form of `DATABASE_URL`; through a Unix socket. */
  readonly url: string;
  readonly connection: ClientConfig;
  /** The same through TCP, where it listens. */
  readonly tcp: ClientConfig;
  /** Starts it, and waits until it answers. */
  start(): Promise<void>;
  /** Shuts it down at once, its connections with it. */
  stop(): Promise<void>;
  /** Stops all of its processes where they stand (SIGSTOP); connections stay open and nobody answers. */
  freeze(): Promise<void>;
  /** Lets them go on. */
  thaw(): void;
}

/**
 * Makes a server from the binaries that come with the service and starts it; it has ended when the scope has.
 * @param environment what the server finds in its environment beside the usual
 * @param tcpPort where it listens on 127.0.0.1, too
 */
export async function startCluster(
  scope: Tidied,
  name: string,
  environment: Readonly<Record<string, string>> = {},
  tcpPort?: number,
): Promise<Cluster> {
  const folder = temporaryFolder(scope, name);
  // The server's user passes through; the cluster itself is closed.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o711 });
  const paths = pathsIn(dataDir);
  const user = chooseServerUser(paths.cluster);
  const binaries = locateBinaries({ user, dataDir, log: () => {} });
  await prepareCluster({ user, binaries, endsWithParent: false }, paths, true);
  const log = openSync(paths.log, 'a', 0o600);
  const port = tcpPort ?? PORT;
  const connection = { host: paths.cluster, port, user: SUPERUSER, database: DATABASE };
  const state: { child?: ChildProcess } = {};
  const address = tcpPort === undefined ? '' : '127.0.0.1';
  if (tcpPort !== undefined) writeFileSync(join(paths.cluster, 'pg_hba.conf'), ANYBODY);
  const settings = [
    `listen_addresses=${address}`,
    `port=${port}`,
    'unix_socket_directories=.',
    'max_connections=200',
    'timezone=UTC',
  ];
  const pids = (): number[] =>
    state.child?.pid === undefined ? [] : [state.child.pid, ...childrenOf(state.child.pid)];
  const cluster: Cluster = {
    connection,
    tcp: { ...connection, host: address },
    url: `postgres://${SUPERUSER}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(paths.cluster)}`,
    async start() {
      const options = settings.flatMap((setting) => ['-c', setting]);
      state.child = spawn(binaries.postgres, ['-D', paths.cluster, ...options], {
        cwd: paths.cluster,
        env: { ...SERVER_ENVIRONMENT, ...environment },
        stdio: ['ignore', 'ignore', log],
        ...user,
      });
      await eventually(() => ask(connection, 'select 1').catch(() => null), 'PostgreSQL answers');
    },
    async stop() {
      const { child } = state;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
    async freeze() {
      await freezeAll(pids());
    },
    thaw() {
      for (const pid of pids()) signal(pid, 'SIGCONT');
    },
  };
  defer(scope, async () => {
    cluster.thaw();
    await cluster.stop();
  });
  await cluster.start();
  return cluster;
}

/** Who has ended by himself since he was looked for is let be. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Stops processes (SIGSTOP), and waits until none of them is on its way through a call of the system any more. */
export async function freezeAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP');
  await eventually(() => pids.every((pid) => ['T', 'Z', 'X'].includes(lookAt(pid).state)), 'all of them stand still');
}
