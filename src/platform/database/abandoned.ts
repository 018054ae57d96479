/** So long what the server has told is believed. */
const LOOK_MS = 500;

/** Connections that were given up while the server was to write something. */
export interface Abandoned {
  /** One more was, whose server process is this one. */
  add(processId: number): void;
  /** Whether the server may be at work on as many still as are too many, as far as is known without asking it. */
  mayBeTooMany(): boolean;
  /** Whether it is. */
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
  return {
    add(processId) {
      known.add(processId);
    },
    mayBeTooMany,
    async areTooMany() {
      if (!mayBeTooMany()) return false;
      const now = performance.now();
      if (now - lookedAt < LOOK_MS) return true;
      lookedAt = now;
      const asked = [...known];
      const found = new Set(await find(asked));
      for (const processId of asked) if (!found.has(processId)) known.delete(processId);
      return mayBeTooMany();
    },
  };
}
