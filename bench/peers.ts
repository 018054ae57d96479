/**
 * The sign-up as users of NestJS and TypeORM would write it (bench/peers, a package of its own): installed and built when
 * it is asked for, on a database of its own in the same server, with the same migrations.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { EmbeddedConnection } from '#platform/database/embedded.ts';
import { migrate } from '#platform/database/migrate.ts';
import { ROOT, type Running } from './generator.ts';

/** Which of the two: `save` on Express, as most write it, or `insert` on Fastify, tuned. */
export type Peer = 'save' | 'insert';

const FOLDER = fileURLToPath(new URL('peers', import.meta.url));
const DATABASE = 'peers';
/** What a sign-up refers to, referenced ones first. */
const REFERENCED = ['projects', 'credentials', 'tokens', 'plans'];

/** Installs and compiles the peers. Answers why they cannot be had, or null. */
export async function buildPeers(): Promise<string | null> {
  const run = promisify(execFile);
  try {
    await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    return `npm could not install them: ${/npm error (?!code)(.+)/.exec(stderr)?.[1] ?? String(error)}`;
  }
  await run('npm', ['run', 'build'], { cwd: FOLDER });
  return null;
}

/** Makes their database: the schema by our migrations, and copies of project, plan and token, so that a load fits both. */
export async function preparePeers(connection: EmbeddedConnection): Promise<EmbeddedConnection> {
  const theirs = { ...connection, database: DATABASE };
  const source = new Client(connection);
  const target = new Client(theirs);
  await source.connect();
  try {
    await source.query(`create database ${DATABASE}`);
    await migrate({
      connection: theirs,
      directory: fileURLToPath(new URL('../migrations', import.meta.url)),
      log: () => {},
    });
    await target.connect();
    for (const table of REFERENCED) {
      const { rows } = await source.query<{ rows: string | null }>(
        `select json_agg(${table})::text as rows from ${table}`,
      );
      await target.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        rows[0]?.rows ?? '[]',
      ]);
    }
    return theirs;
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

/** Starts one of them. */
export async function startPeer(peer: Peer, connection: EmbeddedConnection): Promise<Running> {
  const child = fork(fileURLToPath(new URL('peers/dist/main.js', import.meta.url)), [], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PEER: peer,
      PGHOST: connection.host,
      PGPORT: String(connection.port),
      PGUSER: connection.user,
      PGDATABASE: connection.database,
    },
  });
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number];
  if (child.exitCode !== null) throw new Error('the peer did not start');
  return { child, port };
}
