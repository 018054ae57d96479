/** Single figures: what a known token costs, and how much memory the service takes. */
import { readFileSync, readdirSync } from 'node:fs';
import { createTokenAuthenticator } from '#features/oauth/authenticate-token.ts';
import { wallClock } from '#platform/clock.ts';
import type { Database } from '#platform/database/pool.ts';
import { randomSecret } from '#platform/crypto.ts';
import { median } from './median.ts';

const CALLS = 200_000;
const ROUNDS = 5;

/** Microseconds that telling who is behind a token takes that was read within the last second; the median of some rounds. */
export async function measureTokenCheck(): Promise<number> {
  const row = {
    kind: 'access',
    project_id: '00000000-0000-7000-8000-000000000001',
    credential_id: '00000000-0000-7000-8000-000000000002',
    family_id: '00000000-0000-7000-8000-000000000003',
    mode: 'sandbox',
    scopes: ['read:*'],
    api_version: null,
    expires_ms: wallClock.now().epochMilliseconds + 3_600_000,
    revoked: false,
  };
  // Nothing else of the database is asked for.
  const database = { query: async () => [row] } as unknown as Database;
  const authenticator = createTokenAuthenticator({ database, clock: wallClock });
  const token = `es_at_${randomSecret()}`;
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    for (let call = 0; call < CALLS; call += 1) {
      if ((await authenticator.authenticate(token)) === null) throw new Error('the token is known');
    }
    rounds.push(((performance.now() - begin) * 1000) / CALLS);
  }
  return median(rounds);
}

/**
 * The most memory that a process has held at once since it began, in MB, with that of its child processes but
 * the database's; null where the system does not tell.
 */
export function peakMemoryOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const own = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1000;
    const children = readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      .filter((child) => child.trim() !== '' && !readFileSync(`/proc/${child}/comm`, 'utf8').startsWith('postgres'));
    return children.reduce((sum, child) => sum + (peakMemoryOf(Number(child)) ?? 0), own);
  } catch {
    return null;
  }
}
