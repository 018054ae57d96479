import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Until when somebody waits for an answer. Whatever is set going meanwhile keeps it, and looks at it for as long as it
 * lives.
 */
export interface Deadline {
  /** As by `performance.now()`; may be put off while there is reason to, and is `Infinity` once he has his answer. */
  untilMs: number;
  /** For whom all of it is done, of whom there are several who share what there is; absent: for nobody in particular. */
  party?: string;
}

const ofCaller = new AsyncLocalStorage<Deadline>();

/**
 * Measures everything that `work` waits for against one deadline, however many waits there are, and whoever makes them. It
 * goes along by itself: handed from function to function it would be missed by the first that does not hand it on.
 * Measured against it already, `work` is just done.
 */
export function within<Result>(deadline: Deadline, work: () => Result): Result {
  return ofCaller.getStore() === deadline ? work() : ofCaller.run(deadline, work);
}

/** Sets something going that goes on when the caller has long had his answer. */
export function forNobody(work: () => void): void {
  ofCaller.exit(work);
}

/** Until when the caller may wait, as by `performance.now()`: for what is done for nobody, for as long as it likes. */
export function waitsUntil(): number {
  return ofCaller.getStore()?.untilMs ?? Infinity;
}

/** For whom the caller does what he does; null: for nobody in particular. */
export function actsFor(): string | null {
  return ofCaller.getStore()?.party ?? null;
}
