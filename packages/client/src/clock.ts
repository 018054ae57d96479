/** What only the machine knows; everything else is a function of its arguments. */

/** Seconds since 1970. */
export function unixSeconds(): number {
  return Date.now() / 1000;
}

/** Milliseconds until a date of HTTP (`Sat, 21 Nov 2026 09:30:00 GMT`); `NaN` for what is none. */
export function millisecondsUntil(httpDate: string): number {
  return Date.parse(httpDate) - Date.now();
}

/** A number in [0, 1). */
export function randomFraction(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** Waits. @throws the reason of the signal when it aborts before */
export function sleep(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }
    function aborted(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    if (signal?.aborted === true) aborted();
    else signal?.addEventListener('abort', aborted, { once: true });
  });
}
