import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningEmbedded } from '#platform/database/embedded.ts';
import { findDamage } from '#test/support/wholeness.ts';
import type { Acknowledged, Site } from '#test/support/load.ts';
import {
  embeddedIn,
  eventually,
  freePort,
  startProcess,
  temporaryFolder,
  type ServiceProcess,
  type Tidied,
} from '#test/support/process.ts';
import { fetchToken, send } from '#test/support/service.ts';
import { atLeast, none, type Finding } from './finding.ts';

const CLIENT = { clientId: 'torture', clientSecret: 'a-secret-that-outlives-everything-that-is-done-to-it' };

/** A service with its data folder and port, which it keeps over all its lives. */
export interface Stage {
  readonly site: Site;
  /** What the service is started with; other commands of its operator, too. */
  readonly settings: Readonly<Record<string, string>>;
  readonly dataDir: string;
  /** The process that runs now, or ran last. */
  service(): ServiceProcess;
  /** Starts it again, on the same folder and port; resolves when it is ready. */
  restart(): Promise<void>;
  /** A fresh access token that nobody else uses. */
  fetchToken(): Promise<string>;
  /** A fresh access token, which the load uses from now on. */
  renewToken(): Promise<void>;
}

/**
 * Starts a service on a stage of its own and waits until it is ready; it ends with the scope.
 * @param options.dataDir where the data folder is to be, if not in a temporary folder
 */
export async function openStage(
  scope: Tidied,
  name: string,
  options: { readonly dataDir?: string; readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<Stage> {
  const dataDir = options.dataDir ?? join(temporaryFolder(scope, name), 'data');
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    BOOTSTRAP_CLIENT_ID: CLIENT.clientId,
    BOOTSTRAP_CLIENT_SECRET: CLIENT.clientSecret,
    ...options.settings,
  };
  const start = async (): Promise<ServiceProcess> => {
    const process = startProcess(scope, settings);
    await process.ready();
    return process;
  };
  const state = { service: await start() };
  const url = `http://127.0.0.1:${port}`;
  const token = await fetchToken(url, CLIENT);
  const plans = await send(url, 'GET', '/plans', { token });
  const site: Site = { port, planId: String(plans.json.items[0].id), token };
  return {
    site,
    settings,
    dataDir,
    service: () => state.service,
    async restart() {
      state.service = await start();
    },
    fetchToken: () => fetchToken(url, CLIENT),
    async renewToken() {
      site.token = await fetchToken(url, CLIENT);
    },
  };
}

/** The parameters of the token endpoint, as a client of the stage sends them. */
export const TOKEN_REQUEST = {
  body: 'grant_type=client_credentials',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`,
  },
} as const;

/** Whether the service answers at this path. */
export async function statusOf({ site }: Pick<Stage, 'site'>, path: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${site.port}${path}`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
}

/** Milliseconds from `begin` until the embedded database has answered, and until the service was ready again. */
export async function timeRecovery(stage: Stage, begin: number): Promise<{ database: number; service: number }> {
  const since = (): number => performance.now() - begin;
  const database = eventually(() => findRunningEmbedded(stage.dataDir), 'the database answers').then(since);
  const service = eventually(async () => (await statusOf(stage, '/ready')) === 200, 'the service is ready').then(since);
  return { database: await database, service: await service };
}

/** Holds all that was acknowledged against what is stored and shown at the end. */
export async function examineWhole(
  stage: Stage,
  acknowledged: readonly Acknowledged[],
  odd: readonly unknown[],
  connection = embeddedIn(stage.dataDir),
): Promise<Finding[]> {
  const damage = await findDamage(await connection, stage.site, acknowledged);
  const repeated = acknowledged.filter(({ tries }) => tries > 1);
  const stored = acknowledged.filter(({ replayed }) => replayed);
  return [
    atLeast('sign-ups acknowledged', acknowledged.length, 1),
    atLeast(`sign-ups repeated under their key (${stored.length} of them had been stored)`, repeated.length, 1),
    none('sign-ups acknowledged and lost', damage.lost),
    none('sign-ups stored twice, or never acknowledged', damage.double),
    none('sign-ups of which a part is missing', damage.half),
    none('keys that do not give the same answer again', damage.forgotten),
    none('subscriptions that are not read back or listed as they were', damage.unread),
    none('answers to sign-ups other than 201 and 503', odd),
  ];
}
