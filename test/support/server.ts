import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientConfig } from 'pg';
import { startEmbedded } from '#platform/database/embedded.ts';
import { migrate } from '#platform/database/migrate.ts';

/** A PostgreSQL server for tests with a migrated database that is cloned for each test. */
export interface TestServer {
  /** Connects as one who may create databases. */
  readonly connection: ClientConfig;
  /** The database to clone. */
  readonly template: string;
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The one thing that differs from production: after a power cut nobody misses the data of a test. */
const FOR_SPEED = { fsync: 'off' };

/**
 * Starts a server in a temporary folder, or uses the one of `WATTLINE_TEST_DATABASE_URL`, and makes the template. `close`
 * removes all of it.
 */
export async function startTestServer(): Promise<{ server: TestServer; close: () => Promise<void> }> {
  const url = process.env.WATTLINE_TEST_DATABASE_URL;
  if (url !== undefined && url !== '') {
    const template = `wattline_template_${randomBytes(6).toString('hex')}`;
    const server = { connection: { connectionString: url }, template };
    await makeTemplate(server);
    return { server, close: () => runAsAdmin(server, `drop database if exists "${template}" with (force)`) };
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'wattline-test-'));
  // The server's user passes through; the cluster itself is closed.
  chmodSync(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings: FOR_SPEED });
  const server = { connection: { ...embedded.connection }, template: 'wattline_template' };
  const close = async (): Promise<void> => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server);
  } catch (error) {
    await close();
    throw error;
  }
  return { server, close };
}

async function makeTemplate(server: TestServer): Promise<void> {
  await runAsAdmin(server, `create database "${server.template}"`);
  const connection = connectionTo(server, server.template);
  await migrate({ connection, directory: MIGRATIONS, log: () => {} });
}

/** Runs one statement outside a transaction, in the server's first database. */
export async function runAsAdmin({ connection }: TestServer, statement: string): Promise<void> {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Settings to connect to another database of the server. */
export function connectionTo(server: TestServer, database: string): ClientConfig {
  const { connectionString } = server.connection;
  if (connectionString === undefined) return { ...server.connection, database };
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** The same as a URL, in the form of `DATABASE_URL`; a socket's folder goes into the query. */
export function urlOf(server: TestServer, database: string): string {
  const { connectionString, host = '', port = 5432, user = '' } = connectionTo(server, database);
  if (connectionString !== undefined) return connectionString;
  return `postgres://${encodeURIComponent(user)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
