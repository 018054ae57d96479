/** What readiness depends on. */
export interface Readiness {
  /** Resolves when the database answers and its migrations are applied; rejects otherwise. */
  readonly checkDatabase: () => Promise<void>;
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean;
}

const CHECK_TIMEOUT_MS = 2_000;
/** Anybody may ask, as often as he likes: all that ask within so long share one look at the database. */
const SHARED_MS = 250;

/** Gives what a check under way, or just made, gives. */
export function sharedCheck(
  check: () => Promise<void>,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<void> {
  let last: { readonly since: number; readonly result: Promise<void> } | undefined;
  return () => {
    const now = monotonicMs();
    if (last === undefined || now - last.since >= SHARED_MS) last = { since: now, result: check() };
    return last.result;
  };
}

/** Whether requests should be sent here, and if not, why. */
export async function isReady({ checkDatabase, isDraining }: Readiness): Promise<{ ready: boolean; reason?: string }> {
  if (isDraining()) return { ready: false, reason: 'shutting down' };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([checkDatabase(), late.promise]);
    return { ready: true };
  } catch {
    return { ready: false, reason: 'the database is not available or its migrations are not applied' };
  } finally {
    clearTimeout(timer);
  }
}
