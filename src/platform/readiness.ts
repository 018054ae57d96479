/** What readiness depends on. */
export interface Readiness {
  /** Resolves when the database answers, takes what is written, and its migrations are applied; rejects otherwise. */
  readonly checkDatabase: () => Promise<void>;
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean;
}

const CHECK_TIMEOUT_MS = 2_000;
/**
 * For how long those who ask share a look at the database that is on its way: anybody may ask, as often as he likes.
 */
const SHARED_MS = 250;

/**
 * Shares one check among all who ask while it is under way, unless it has been for too long; a result is never kept.
 */
export function sharedCheck(
  check: () => Promise<void>,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<void> {
  let underWay: { readonly since: number; readonly result: Promise<void> } | undefined;
  return () => {
    const now = monotonicMs();
    if (underWay !== undefined && now - underWay.since < SHARED_MS) return underWay.result;
    const result = check().finally(() => {
      if (underWay?.result === result) underWay = undefined;
    });
    underWay = { since: now, result };
    return result;
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
    return {
      ready: false,
      reason: 'the database is not available, takes no writes, or its migrations are not applied',
    };
  } finally {
    clearTimeout(timer);
  }
}
