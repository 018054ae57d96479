/** Two versions of the service side by side: the one before, taken from the history, and this one with migrations more. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const isMigration = (name: string): boolean => /^\d{4}_.*\.sql$/.test(name);

/** From this one on migrations are written for a version before that goes on serving. */
const FIRST_SAFE = 11;

/** What the next version would bring, in the ways that docs/migrations.md tells; `NNNN` follows the last of ours. */
export const MIGRATIONS_MORE: readonly (readonly [name: string, text: string])[] = [
  [
    'columns',
    `alter table subscriptions add column torture_note text;
alter table customers add column torture_rank integer not null default 0;
alter table events add column torture_seen_at timestamptz;`,
  ],
  [
    'copies',
    `create table torture_copies (project_id uuid, id uuid, number text not null, primary key (project_id, id));
insert into torture_copies select project_id, id, number from subscriptions;
create index torture_copies_number on torture_copies (project_id, number);`,
  ],
  [
    'indexes',
    `-- no transaction
drop index concurrently if exists subscriptions_torture_note;
create index concurrently subscriptions_torture_note on subscriptions (project_id, torture_note, id);
drop index concurrently if exists events_torture_seen_at;
create index concurrently events_torture_seen_at on events (project_id, torture_seen_at, id);`,
  ],
  ['rule', 'alter table customers add constraint customers_torture_rank_check check (torture_rank >= 0) not valid;'],
  ['validation', 'alter table customers validate constraint customers_torture_rank_check;'],
];

/**
 * The version before: where migrations differ from the last commit, that commit; else the one before the last migration
 * came that was written for two versions at once; else the last commit, beside which only `MIGRATIONS_MORE` are new.
 */
export async function versionBefore(): Promise<string> {
  const git = async (...words: string[]): Promise<string[]> =>
    (await run('git', words, { cwd: ROOT })).stdout.split('\n').filter((line) => line !== '');
  const committed = new Set(await git('ls-tree', '--name-only', 'HEAD', 'migrations/'));
  const ours = readdirSync(join(ROOT, 'migrations')).filter(isMigration);
  const last = ours.toSorted().at(-1) ?? '';
  if (ours.some((name) => !committed.has(`migrations/${name}`)) || Number.parseInt(last, 10) < FIRST_SAFE)
    return 'HEAD';
  const [added] = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', `migrations/${last}`);
  const [before] = added === undefined ? [] : await git('rev-list', '-1', `${added}^`).catch(() => []);
  return before ?? 'HEAD';
}

/** Puts the source of a version of the history into a folder of its own. @throws without the history */
export async function layOutBefore(ref: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'archive.tar');
  await run('git', ['archive', '--output', archive, ref], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  linkModules(folder);
  return folder;
}

/** Puts a copy of this version into a folder of its own, with `MIGRATIONS_MORE`. */
export function layOutNext(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ['src', 'migrations', 'packages', 'package.json']) {
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules') && !path.endsWith('.test.ts'),
    });
  }
  const directory = join(folder, 'migrations');
  const last = Number.parseInt(readdirSync(directory).filter(isMigration).toSorted().at(-1) ?? '0', 10);
  for (const [index, [name, text]] of MIGRATIONS_MORE.entries()) {
    writeFileSync(join(directory, `${String(last + 1 + index).padStart(4, '0')}_torture_${name}.sql`), `${text}\n`);
  }
  linkModules(folder);
  return folder;
}

function linkModules(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** Whether `doctor` of the version in `folder` finds nothing wrong with the database, looking as closely as it can. */
export async function isWell(folder: string, settings: Readonly<Record<string, string>>): Promise<string | null> {
  const doctor = async (...words: string[]): Promise<string> =>
    (
      await run(process.execPath, ['src/main.ts', 'doctor', ...words], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...settings },
      })
    ).stdout;
  const help = await doctor('--help');
  return doctor('--json', ...(help.includes('--deep') ? ['--deep'] : [])).then(
    () => null,
    (error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return `${stdout}${stderr}`;
    },
  );
}
