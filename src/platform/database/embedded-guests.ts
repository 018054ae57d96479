import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { openClient } from './connection.ts';
import type { EmbeddedConnection } from './embedded.ts';

/** Any number, the same in all versions: commands at work share this advisory lock, and who stops the server has it alone. */
const LOCK_KEY = '5284097318460274';
/** It asks again and again, as `migration-lock.ts` does. */
const POLL_MS = 50;
const NOTICE_AFTER_MS = 1_000;
/** How long a server that another command stops may take to be there again. */
const PATIENCE_MS = 30_000;
const NAME = 'wattline command';

/**
 * Says that a command is at work on the server until the connection that it gives is ended; of one that is about to be
 * stopped, on the next one. @throws Error when there is none
 */
export async function stayAt(connection: EmbeddedConnection): Promise<Client> {
  for (const begin = performance.now(); ; await sleep(POLL_MS)) {
    let client: Client | undefined;
    try {
      client = await openClient(connection, NAME);
      if (await isGranted(client, 'pg_try_advisory_lock_shared')) return client;
    } catch (error) {
      if (performance.now() - begin > PATIENCE_MS) throw error;
    }
    await leave(client);
  }
}

/** No longer at work. */
export async function leave(client: Client | undefined): Promise<void> {
  await client?.end().catch(() => {});
}

/** Resolves when no command is at work on a server that is to be stopped; whoever comes from then on waits for the next one. */
export async function awaitOthers(connection: EmbeddedConnection, tell: (message: string) => void): Promise<void> {
  let client: Client | undefined;
  try {
    client = await openClient(connection, NAME);
    const begin = performance.now();
    let isTold = false;
    // Kept until the server ends it.
    while (!(await isGranted(client, 'pg_try_advisory_lock'))) {
      if (!isTold && performance.now() - begin > NOTICE_AFTER_MS) {
        tell('another command works on the database server that this one has started, and is waited for');
        isTold = true;
      }
      await sleep(POLL_MS);
    }
  } catch {
    // It has gone already, and takes nobody with it.
    await leave(client);
  }
}

async function isGranted(
  client: Client,
  ask: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(`select ${ask}($1::bigint) as granted`, [LOCK_KEY]);
  return rows[0]?.granted === true;
}
