/** Migrations that are killed at any point, with their process or with the database server, and run again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { describeSchema } from '#platform/database/describe-schema.ts';
import { ask, eventually } from '#test/support/process.ts';
import { connectionTo, runAsAdmin, type TestServer } from '#test/support/server.ts';
import { atLeast, none, type Finding } from './finding.ts';

/** Settings of `killMigrations`. */
export interface KillOptions {
  readonly server: TestServer;
  /** Data folder of the embedded server. */
  readonly dataDir: string;
  /** A filled database with the schema of the version before, on which nobody is. */
  readonly filled: string;
  /** Where the next version is. */
  readonly folder: string;
  readonly kills: { readonly process: number; readonly server: number };
}

/** A run of the migrations in a process of its own. */
interface Migrating {
  readonly child: ChildProcess;
  readonly begun: Promise<unknown>;
  /** Whether it came to its end. */
  readonly ended: Promise<boolean>;
}

function startMigrating(connection: ClientConfig, folder: string): Migrating {
  const options = JSON.stringify({ connection, directory: join(folder, 'migrations') });
  const code = `
    import { migrate } from ${JSON.stringify(join(folder, 'src/platform/database/migrate.ts'))};
    process.stdout.write('begun');
    await migrate({ ...${options}, log: () => {} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit').then(([status]) => status === 0);
  return { child, begun: Promise.race([once(child.stdout, 'data'), ended]), ended };
}

/** Of each table of a database, how many rows it has and a sum of what is in them; only of columns that `columns` names. */
async function digest(connection: ClientConfig, columns: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [table, names] of columns) {
    const [row] = await ask<{ digest: string }>(
      connection,
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(row(${names})::text, 0)::numeric), 0) as digest from ${table}`,
    );
    found.set(table, row?.digest ?? '');
  }
  return found;
}

async function columnsOf(connection: ClientConfig): Promise<Map<string, string>> {
  const rows = await ask<{ table: string; names: string }>(
    connection,
    `select relname as table, string_agg(quote_ident(attname), ', ' order by attnum) as names
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'wattline_migrations'
       and attnum > 0 and not attisdropped
     group by relname`,
  );
  return new Map(rows.map(({ table, names }) => [table, names]));
}

/** Kills the database server, which is started again by whoever has started it, and waits until it answers. */
async function killServer(dataDir: string, connection: ClientConfig): Promise<void> {
  process.kill(Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10), 'SIGKILL');
  await eventually(async () => {
    const client = new Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }, 'the database server answers again');
}

/** Kills the migrations at random points, round after round, and looks at what a second run makes of it. */
export async function killMigrations({ server, dataDir, filled, folder, kills }: KillOptions): Promise<Finding[]> {
  const clone = async (name: string, template?: string): Promise<ClientConfig> => {
    await runAsAdmin(server, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
    return connectionTo(server, name);
  };
  const fresh = await clone('fresh');
  if (!(await startMigrating(fresh, folder).ended)) throw new Error('the migrations fail on an empty database');
  const wanted = await describeSchema(fresh);
  const columns = await columnsOf(connectionTo(server, filled));
  const data = await digest(connectionTo(server, filled), columns);
  const whole = await clone('whole', filled);
  const first = startMigrating(whole, folder);
  await first.begun;
  const begin = performance.now();
  if (!(await first.ended)) throw new Error('the migrations fail on a filled database');
  const milliseconds = Math.ceil(performance.now() - begin);

  const seen = { cut: 0, unfinished: [] as string[], otherSchema: [] as string[], otherData: [] as string[] };
  const victims = [...Array(kills.process).fill('process'), ...Array(kills.server).fill('server')] as string[];
  for (const [round, victim] of victims.entries()) {
    const name = `killed_${round}`;
    const connection = await clone(name, filled);
    const migrating = startMigrating(connection, folder);
    await migrating.begun;
    // The first one early, so that not all come too late where the machine was slow a moment ago.
    const delay = randomInt(round === 0 ? Math.ceil(milliseconds / 4) : milliseconds);
    await sleep(delay);
    if (victim === 'process') migrating.child.kill('SIGKILL');
    else await killServer(dataDir, connection);
    if (!(await migrating.ended)) seen.cut += 1;
    const told = `the ${victim} killed after ${delay} ms`;
    if (!(await startMigrating(connection, folder).ended)) seen.unfinished.push(told);
    else if ((await describeSchema(connection)) !== wanted) seen.otherSchema.push(told);
    const after = await digest(connection, columns);
    seen.otherData.push(
      ...[...data].filter(([table, rows]) => after.get(table) !== rows).map(([table]) => `${table}, ${told}`),
    );
    await runAsAdmin(server, `drop database ${name} with (force)`);
  }
  for (const name of ['fresh', 'whole']) await runAsAdmin(server, `drop database ${name} with (force)`);
  const took = `${victims.length} kills, migrations of ${milliseconds} ms`;
  return [
    atLeast(`migrations cut short (${took})`, seen.cut, 1),
    none('killed migrations that a second run did not bring to their end', seen.unfinished),
    none('schemas after that which are not that of a new database', seen.otherSchema),
    none('tables after that whose rows have changed', seen.otherData),
  ];
}
