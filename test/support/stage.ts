import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#platform/message-of.ts';
import type { Site } from './load.ts';
import { freePort, startProcess, temporaryFolder, type ServiceProcess, type Tidied } from './process.ts';
import { fetchToken, send } from './service.ts';

const CLIENT = { clientId: 'stage', clientSecret: 'a-secret-that-outlives-everything-that-is-done-to-it' };
/** Of what the service has said, as much is shown where it refuses something that nobody expects it to refuse. */
const WORDS = 2_000;

/** The credential of a stage, as `Authorization` shows it to the OAuth endpoints. */
export const STAGE_BASIC = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`;

/** A service in a process of its own, with its data folder and port, which it keeps over all its lives. */
export interface Stage {
  readonly site: Site;
  readonly url: string;
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
  const fetchFresh = (): Promise<string> =>
    fetchToken(url, CLIENT).catch((cause: unknown) => {
      throw new Error(`${messageOf(cause)}; the service has said: ${state.service.stderr().slice(-WORDS)}`, { cause });
    });
  const token = await fetchFresh();
  const plans = await send(url, 'GET', '/plans', { token });
  const site: Site = { port, planId: String(plans.json.items[0].id), token };
  return {
    site,
    url,
    settings,
    dataDir,
    service: () => state.service,
    async restart() {
      state.service = await start();
    },
    fetchToken: fetchFresh,
    async renewToken() {
      site.token = await fetchFresh();
    },
  };
}

/** What the service answers at this path; 0 when it does not. */
export async function statusOf({ url }: Pick<Stage, 'url'>, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
}
