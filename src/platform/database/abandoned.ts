import { sharedCheck } from '../readiness.ts';

/** For how long an answer of the server is believed. */
const LOOK_MS = 500;

/** Counts the connections that were given up while the server was still to write something for them. */
export interface Abandoned {
  /** Notes one more, by the id of the server's process behind it. */
  add(processId: number): void;
  /** Whether there may be too many, by what is known without asking the server again. */
  mayBeTooMany(): boolean;
  /** Whether the server is still at work on too many. */
  areTooMany(): Promise<boolean>;
}

/**
 * Only the server ends a commit, however long its disk or its standby keeps it waiting, and whether or not anybody
 * still listens. Were all who try again every few seconds let through, it would soon have no connection left, for us or
 * for anybody else.
 *
 * @param most from how many on there are too many
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
