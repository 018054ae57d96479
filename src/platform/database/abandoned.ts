import { sharedCheck } from '../readiness.ts';

/** How long what the server has told is believed. */
const LOOK_MS = 500;

/** Connections that were given up while the server was to write something. */
export interface Abandoned {
  /** One more was, whose server process is this one. */
  add(processId: number): void;
  /** Whether as many as are too many were given up, as far as is known without asking the server again. */
  mayBeTooMany(): boolean;
  /** Whether the server is at work on as many still. */
  areTooMany(): Promise<boolean>;
}

/**
 * Counts what is given up. A commit is ended by nobody but the server, however long its disk or its standby keeps it
 * waiting, and whether anybody still listens or not: of those who try again every few seconds the server would soon have no
 * connection left, for us or anybody else.
 *
 * @param most as many are too many
 * @param find which of these server processes are still at work
 */
export function createAbandoned(
  most: number,
  find: (processIds: readonly number[]) => Promise<readonly number[]>,
): Abandoned {
  const known = new Set<number>();
  let lookedAt = -Infinity;
  const mayBeTooMany = (): boolean => known.size >= most;
  const look = sharedCheck(async () => {
    const asked = [...known];
    const found = new Set(await find(asked));
    for (const processId of asked) if (!found.has(processId)) known.delete(processId);
    lookedAt = performance.now();
  });
  return {
    add(processId) {
      known.add(processId);
    },
    mayBeTooMany,
    async areTooMany() {
      if (!mayBeTooMany()) return false;
      if (performance.now() - lookedAt >= LOOK_MS) await look();
      return mayBeTooMany();
    },
  };
}
