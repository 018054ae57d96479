import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { connectionTo, runAsAdmin, startTestServer, urlOf, type TestServer } from './server.ts';

/** A migrated, empty database of one's own. */
export interface TestDatabase {
  /** In the form of `DATABASE_URL`. */
  readonly url: string;
  readonly connection: ClientConfig;
  /** Removes it, together with the connections that are still open. */
  drop(): Promise<void>;
}

/** The server of this process when there is no global setup; started once, hence kept. */
const own: { server?: Promise<TestServer> } = {};

/** Clones the template. Works under `npm test` and for a file run alone, which starts a server of its own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const handedDown = process.env.TEST_DATABASE;
  const server =
    handedDown === undefined ? await (own.server ??= startOwnServer()) : (JSON.parse(handedDown) as TestServer);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runAsAdmin(server, `create database "${name}" template "${server.template}"`);
  return {
    url: urlOf(server, name),
    connection: connectionTo(server, name),
    drop: () => runAsAdmin(server, `drop database if exists "${name}" with (force)`),
  };
}

async function startOwnServer(): Promise<TestServer> {
  const { server, close } = await startTestServer();
  // The server does not keep this process alive: when the tests are through, this is what remains to be done.
  process.once('beforeExit', () => void close());
  return server;
}
