/**
 * What an upgrade promises: that it can be killed at any point and run again, and that the version before goes on serving
 * beside it. How to write migrations that keep this: docs/migrations.md.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '#platform/database/embedded.ts';
import { ask, defer, startProcess, stopProcess, temporaryFolder, type Tidied } from '#test/support/process.ts';
import { connectionTo, runAsAdmin, urlOf } from '#test/support/server.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { CLIENT, generateApart } from '../bench/generator.ts';
import type { Finding } from './finding.ts';
import { killMigrations } from './killed-migrations.ts';
import { serveTwoVersions } from './two-versions.ts';
import { layOutBefore, layOutNext, versionBefore } from './versions.ts';

const POLL_MS = 100;
const FILL_PATIENCE_MS = 600_000;

/** Settings of `upgrade`. */
export interface UpgradeOptions {
  /** How many the database has before anything is done; absent: 100,000. */
  readonly subscriptions?: number;
  /** Rounds of killing; absent: 8 and 4. */
  readonly kills?: { readonly process: number; readonly server: number };
  /** How long each phase of two versions lasts; absent: 10. */
  readonly seconds?: number;
  /** The version before, as git names it; absent: found by its migrations. */
  readonly from?: string;
}

/** Kills migrations of a filled database, then has the version before and the next one serve at once. */
export async function upgrade(options: UpgradeOptions = {}): Promise<Finding[]> {
  const steps: (() => Promise<void>)[] = [];
  const scope: Tidied = { after: (step) => void steps.push(step) };
  try {
    return await upgradeWithin(scope, options);
  } finally {
    for (const step of steps.toReversed()) await step();
  }
}

async function upgradeWithin(
  scope: Tidied,
  { subscriptions = 100_000, kills = { process: 8, server: 4 }, seconds = 10, from }: UpgradeOptions,
): Promise<Finding[]> {
  const folder = temporaryFolder(scope, 'upgrade');
  const dataDir = join(folder, 'data');
  const before = await layOutBefore(from ?? (await versionBefore()), join(folder, 'before'));
  const next = layOutNext(join(folder, 'next'));
  const embedded = await startEmbedded({ dataDir, log: () => {} });
  defer(scope, () => embedded.stop());
  const server = { connection: { ...embedded.connection }, template: 'template1' };
  const settingsFor = (database: string): Record<string, string> => ({
    DATABASE_URL: urlOf(server, database),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
  });
  await runAsAdmin(server, 'create database filled');
  await fill(scope, before, settingsFor('filled'), subscriptions);
  const killed = await killMigrations({ server, dataDir, filled: 'filled', folder: next, kills });
  const together = await serveTwoVersions(scope, {
    connection: connectionTo(server, 'filled'),
    settings: settingsFor('filled'),
    folders: { before, next },
    seconds,
  });
  return [...killed, ...together];
}

/** Has the version before sign up so many, and begin their processes. */
async function fill(
  scope: Tidied,
  folder: string,
  settings: Readonly<Record<string, string>>,
  count: number,
): Promise<void> {
  const service = startProcess(scope, settings, folder);
  const url = await service.ready();
  const token = await fetchToken(url, CLIENT);
  const plans = await send(url, 'GET', '/plans', { token });
  const kind = { name: 'sign-up', planId: String(plans.json.items[0].id) } as const;
  await generateApart({ port: Number(new URL(url).port), token, count, from: 1, kind });
  const connection = { connectionString: settings['DATABASE_URL'] ?? '' };
  const waiting = 'select from market_processes where memory is null and due_at < now() limit 1';
  for (const begin = performance.now(); (await ask(connection, waiting)).length > 0; await sleep(POLL_MS)) {
    if (performance.now() - begin > FILL_PATIENCE_MS)
      throw new Error('the processes of what was signed up do not begin');
  }
  // As in any database that is a minute old: without statistics the `doctor` of earlier versions takes hours.
  await ask(connection, 'analyze');
  await stopProcess(service);
}
