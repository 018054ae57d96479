import { createServer } from 'node:net';

/**
 * Linux gives each process a share of the new connections. Elsewhere the first process hands them over one by one, which
 * takes a turn of two event loops each: under a flood, seconds.
 */
export const SYSTEM_DISTRIBUTES = process.platform === 'linux';

/** A port that is ours alone, although several of our processes listen on it. */
export interface Claim {
  release(): void;
}

/**
 * Processes that share a port share it with those of whoever else has asked for that, unnoticed: two services that start at
 * once would answer for each other. So who is to share one takes its name first, which only one process can hold, and which
 * the kernel takes from it when it ends, however it ends. Elsewhere than on Linux processes share no port by themselves, and
 * nothing is claimed.
 * @throws Error with the code `EADDRINUSE` when somebody holds it
 */
export function claimPort(host: string, port: number): Promise<Claim> {
  return new Promise((resolve, reject) => {
    if (!SYSTEM_DISTRIBUTES) {
      resolve({ release() {} });
      return;
    }
    const holder = createServer((socket) => socket.destroy()).unref();
    holder.once('error', (cause: NodeJS.ErrnoException) => {
      const error = new Error(`${cause.code}: another service has claimed ${host}:${port}`, { cause });
      reject(Object.assign(error, { code: cause.code }));
    });
    // In the abstract namespace, which is that of the network and no file.
    holder.listen({ path: `\0wattline ${host} ${port}` }, () => resolve({ release: () => void holder.close() }));
  });
}
