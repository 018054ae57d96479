import { createKeys, type Keys } from '#platform/crypto.ts';
import type { AddressInfo } from 'node:net';
import { formats } from '#features/formats.ts';
import { renderProblemForOauth, createOauth, type Oauth } from '#features/oauth/index.ts';
import { createCredential, createProject, type CredentialInput } from '#features/projects/index.ts';
import type { Clock } from '#platform/clock.ts';
import { createDatabase, type Database } from '#platform/database/pool.ts';
import { createAdmission } from '#platform/http/admission.ts';
import type { RateLimiter } from '#platform/http/rate-limit.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createSchemaCompiler } from '#platform/http/validation.ts';
import { createLog, type Logger } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createUuidMint, type MintUuid } from '#platform/uuid.ts';
import { createTestDatabase } from './database.ts';

/** Two clocks that stand still until told: wall time, and the one that cannot be set. */
export interface TestClock extends Clock {
  readonly monotonicMs: () => number;
  /** Time passes, on both. */
  pass(milliseconds: number): void;
  /** Somebody sets the wall clock, back when negative. */
  set(milliseconds: number): void;
}

/** A client as it knows itself. */
export interface TestClient {
  /** `prj_…` */
  readonly projectId: string;
  /** `crd_…` */
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** One process of the authorization server. */
export interface OauthInstance {
  readonly url: string;
  readonly oauth: Oauth;
}

interface InstanceParts {
  readonly database: Database;
  readonly log: Logger;
  readonly rateLimiter: RateLimiter | null;
}

/** The authorization server alone, over HTTP, on a database of its own. */
export interface OauthBench {
  readonly database: Database;
  readonly clock: TestClock;
  readonly mintUuid: MintUuid;
  readonly keys: Keys;
  /** Statements sent to the database so far. */
  readonly statements: () => number;
  newClient(input?: Partial<CredentialInput> & { readonly mode?: 'live' | 'sandbox' }): Promise<TestClient>;
  /** @param differing what it has of its own, such as a database that is away */
  newInstance(differing?: Partial<InstanceParts>): Promise<OauthInstance>;
  stop(): Promise<void>;
}

const keys = createKeys(Buffer.alloc(32, 7));

/** Starts the bench; every test makes the clients it needs. */
export async function startOauthBench(): Promise<OauthBench> {
  const testDatabase = await createTestDatabase();
  const pool = createDatabase({
    connection: testDatabase.connection,
    maxConnections: 10,
    onIdleError: () => {},
  });
  const counted = { statements: 0 };
  const database: Database = {
    ...pool,
    query: (statement) => {
      counted.statements += 1;
      return pool.query(statement);
    },
  };
  const clock = createTestClock();
  const mintUuid = createUuidMint(clock);
  const closing: (() => Promise<void>)[] = [];
  return {
    database,
    clock,
    mintUuid,
    keys,
    statements: () => counted.statements,
    async newClient({ mode = 'sandbox', ...input } = {}) {
      const dependencies = { database, clock, mintUuid, keys };
      const project = input.projectId ?? (await newProject(dependencies, mode));
      const created = await createCredential(dependencies, { name: 'Test', ...input, projectId: project });
      if (!created.ok) throw new Error(created.reason);
      return { projectId: project, id: created.id, clientId: created.clientId, clientSecret: created.clientSecret };
    },
    async newInstance(differing = {}) {
      const parts = { database, log: createLog('silent'), rateLimiter: null, ...differing };
      const { http, oauth } = createInstance(parts, clock, mintUuid);
      await http.listen({ host: '127.0.0.1', port: 0 });
      closing.push(() => http.close());
      const { port } = http.server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}`, oauth };
    },
    async stop() {
      for (const close of closing) await close();
      await pool.close();
      await testDatabase.drop();
    },
  };
}

function createInstance({ database, log, rateLimiter }: InstanceParts, clock: TestClock, mintUuid: MintUuid) {
  const { monotonicMs } = clock;
  const publicUrl = 'https://energy.test';
  const oauth = createOauth({ database, clock, mintUuid, log, rateLimiter, monotonicMs, publicUrl });
  const http = createHttpServer(
    {
      database,
      clock,
      log,
      mintUuid,
      metrics: createMetrics(() => database.counts()),
      schemas: createSchemaCompiler(formats),
      rateLimiter,
      trustedProxies: [],
      admission: createAdmission(),
      docsUrl: `${publicUrl}/docs`,
      basePath: '',
      authenticate: oauth.authenticate,
      keys,
      ownProblems: { below: '/oauth/', render: renderProblemForOauth },
    },
    [],
    oauth.routes,
  );
  return { http, oauth };
}

async function newProject(
  dependencies: Parameters<typeof createProject>[0],
  mode: 'live' | 'sandbox',
): Promise<string> {
  const created = await createProject(dependencies, { name: 'Test', mode });
  if (!created.ok) throw new Error(created.message);
  return created.project.id;
}

/** Clocks that begin at a fixed time. */
export function createTestClock(): TestClock {
  const state = { wallMs: Temporal.Instant.from('2026-11-21T06:32:00.250Z').epochMilliseconds, monotonicMs: 5000 };
  return {
    now: () => Temporal.Instant.fromEpochMilliseconds(state.wallMs),
    monotonicMs: () => state.monotonicMs,
    pass(milliseconds) {
      state.wallMs += milliseconds;
      state.monotonicMs += milliseconds;
    },
    set(milliseconds) {
      state.wallMs += milliseconds;
    },
  };
}

/** What an endpoint answered. */
export interface OauthReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `Basic` with id and secret as they are. */
export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/** Posts a form, or a body of one's own with its type; `client: null` sends no `Authorization`. */
export async function post(
  url: string,
  client: Pick<TestClient, 'clientId' | 'clientSecret'> | string | null,
  body: Readonly<Record<string, string>> | string | Uint8Array<ArrayBuffer>,
  contentType: string | null = 'application/x-www-form-urlencoded',
): Promise<OauthReply> {
  const authorization =
    client === null || typeof client === 'string' ? client : basic(client.clientId, client.clientSecret);
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...(authorization === null ? {} : { authorization }),
    },
    // Bytes, because a string would bring a content type of its own.
    body: isRaw ? Buffer.from(body) : new URLSearchParams(body).toString(),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Record<string, unknown> };
}
