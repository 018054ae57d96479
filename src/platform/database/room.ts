import type { Pool } from 'pg';

/** How long a server that had no room for another connection is not asked for one. */
const SMALL_MS = 5_000;

/** How many connections there is room for at the server. */
export interface Room {
  /** The server takes no more connections: those that are open must do for a while. Gives whether there are any. */
  shrink(): boolean;
  /** Lets the pool open as many as before, once that while is over. */
  regrow(): void;
}

/** @param most how many connections the pool may have at best */
export function createRoom(pool: Pool, most: number): Room {
  const state = { connected: 0, smallUntil: 0 };
  pool.on('connect', () => (state.connected += 1));
  pool.on('remove', () => (state.connected -= 1));
  return {
    shrink() {
      if (state.connected === 0) return false;
      pool.options.max = state.connected;
      state.smallUntil = performance.now() + SMALL_MS;
      return true;
    },
    regrow() {
      if (pool.options.max < most && performance.now() > state.smallUntil) pool.options.max = most;
    },
  };
}
