import type { Keys } from '#platform/crypto.ts';
import { openCursor, sealCursor } from '#platform/http/cursor.ts';
import type { FeedPosition } from './store.ts';

/** Makes and reads the cursors of the feed: opaque, tamper-proof, and good in their project only. */
export interface FeedCursors {
  format(projectId: string, position: FeedPosition): string;
  /** `null` for what is no cursor of this project's feed. */
  parse(projectId: string, cursor: string): FeedPosition | null;
}

/** @param keys seal the cursors */
export function createFeedCursors(keys: Keys): FeedCursors {
  return {
    format(projectId, { position, snapshot }) {
      return sealCursor(keys, [projectId, 'events'], snapshot === null ? position : `${position}/${snapshot}`);
    },
    parse(projectId, cursor) {
      const text = openCursor(keys, [projectId, 'events'], cursor);
      if (text === null) return null;
      const [position = '0', snapshot = null] = text.split('/');
      return { position, snapshot };
    },
  };
}

/** Tells those who wait for events that some were published. */
export interface FeedSignal {
  notify(): void;
  /** How often it has told them. */
  turn(): number;
  /** Resolves at the next notice, or after so many milliseconds. */
  wait(milliseconds: number): Promise<void>;
}

/** A signal within this process. */
export function createFeedSignal(): FeedSignal {
  let waiting = new Set<() => void>();
  let turns = 0;
  return {
    turn: () => turns,
    notify() {
      turns += 1;
      const woken = waiting;
      waiting = new Set();
      for (const wake of woken) wake();
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, milliseconds);
        function done(): void {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        }
        waiting.add(done);
      }),
  };
}
