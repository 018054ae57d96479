import type { ClientConfig } from 'pg';
import { parseId } from '#domain/identifiers.ts';
import { listProjects } from '#features/projects/index.ts';
import type { Database } from '#platform/database/pool.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { createLog } from '#platform/log.ts';
import { readConfig } from '#config';
import { createApp, type App } from '../../src/app.ts';
import type { Foundation } from '../../src/foundation.ts';
import { serve, type Service } from '../../src/serve.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createPromiseKeeper } from './promises.ts';

/** The whole service on a database of its own, with a sandbox project and its credential. */
export interface TestService {
  readonly baseUrl: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** uuid of the sandbox project */
  readonly projectId: string;
  /** `pln_…` of the demo plan */
  readonly planId: string;
  readonly database: Database;
  /** How to reach that database beside the service. */
  readonly connection: ClientConfig;
  /** The same as `DATABASE_URL`. */
  readonly databaseUrl: string;
  readonly service: Service;
  /** A fresh access token of the credential. */
  token(): Promise<string>;
  /**
   * Calls the API with a token (a fresh one when absent); the body goes as JSON.
   * @throws AssertionError where the answer is not what the API reference promises
   */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
}

/** Another app beside that of the service, on the same foundation but for what is given; it does no background work. */
export function createAppBeside({ service, baseUrl }: TestService, changed: Partial<Foundation> = {}): App {
  const webhooks = { allowPrivate: false, retrySchedule: [], ports: [] };
  const config = { rateLimit: null, publicUrl: baseUrl, webhooks };
  return createApp({ ...service.foundation, ...changed }, config, createLog('silent', 2));
}

/** What a call sends. */
export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null`: none. */
  readonly token?: string | null;
}

/** What it is answered. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of any shape are looked into
  readonly json: any;
}

/**
 * Starts the service in this process on a free port.
 * @param environment settings that differ from the usual
 * @param wayTo gives the URL by which the service is to reach its database, if not its own
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  wayTo: (database: TestDatabase) => Promise<string> = async ({ url }) => url,
): Promise<TestService> {
  const testDatabase = await createTestDatabase();
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: await wayTo(testDatabase),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'error',
    RATE_LIMIT: 'off',
    ...environment,
  });
  const service = await serve(config, createLog(config.logLevel, 2));
  const { created, foundation } = service;
  if (created === null) throw new Error('the test database was not empty');
  const baseUrl = service.url;
  const client = {
    clientId: created.clientId,
    clientSecret: created.clientSecret ?? environment['BOOTSTRAP_CLIENT_SECRET'] ?? '',
  };
  const token = (): Promise<string> => fetchToken(baseUrl, client);
  const kept: { token?: Promise<string> } = {};
  const compare = createPromiseKeeper(service.app);
  const projectId = await firstProject(foundation.database);
  return {
    baseUrl,
    client,
    projectId,
    planId: created.planId,
    database: foundation.database,
    connection: testDatabase.connection,
    databaseUrl: testDatabase.url,
    service,
    token,
    async call(method, path, options = {}) {
      const bearer = options.token === undefined ? await (kept.token ??= token()) : options.token;
      const reply = await send(baseUrl, method, path, { ...options, token: bearer });
      compare(method, path, reply);
      return reply;
    },
    async stop() {
      await service.stop();
      await testDatabase.drop();
    },
  };
}

/**
 * Writes what the service itself never would, such as a subscription in a stage that no step led to: for tests that
 * need rows and not lives. It takes as long as it needs, and the market processes stand still from then on.
 */
export async function forceRows(service: TestService, statement: Sql): Promise<void> {
  await service.service.app.reconciler.stop();
  await service.database.transaction(async (transaction) => {
    // Neither triggers nor foreign keys, for this transaction only.
    await transaction.query(sql`set local session_replication_role = replica`);
    await transaction.query(statement);
  }, 'unhurried');
}

/** One request, its answer read to the end. */
export async function send(baseUrl: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { body, headers = {}, token = null } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** A fresh access token by client credentials. */
export async function fetchToken(
  baseUrl: string,
  client: { readonly clientId: string; readonly clientSecret: string },
  scope?: string,
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`no token: ${response.status}`);
  return token;
}

async function firstProject(database: Database): Promise<string> {
  const [project] = await listProjects({ database });
  return parseId('prj', project?.id ?? '') ?? '';
}
