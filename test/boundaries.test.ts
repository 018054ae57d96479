import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  readonly from: string;
  /** A path below src/, or the name of a package. */
  readonly to: string;
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

const imports: Import[] = sources.flatMap((from) => {
  const text = readFileSync(join(root, 'src', from), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\b[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...found].map((match) => ({ from, to: resolveImport(from, match[1] ?? match[2] ?? match[3] ?? '') }));
});

function resolveImport(from: string, specifier: string): string {
  if (specifier === '#config') return 'config.ts';
  if (specifier.startsWith('#test/')) return `../test/${specifier.slice('#test/'.length)}`;
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.'))
    return relative(root, join(root, dirname(join('src', from)), specifier)).replace(/^src\//, '');
  return specifier;
}

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('../test');
const isOurs = (path: string): boolean => path.endsWith('.ts');
const featureOf = (path: string): string | undefined => /^features\/([^/]+)\//.exec(path)?.[1];

/** The rule an import breaks, or `null`. */
function brokenRule({ from, to }: Import): string | null {
  const inside = (folder: string): boolean => to.startsWith(`${folder}/`);
  if (isTest(to) && isOurs(to)) return 'only tests import tests';
  if (to === 'app.ts' || to === 'main.ts') {
    return ['main.ts', 'serve.ts'].includes(from) || from.startsWith('processes/')
      ? null
      : 'nothing imports app.ts or main.ts but what starts them';
  }
  if (to === 'platform/database/sql.ts' && !from.endsWith('store.ts') && !from.startsWith('platform/database/')) {
    return 'sql is imported by store.ts files and platform/database only';
  }
  if (from === 'config.ts') return isOurs(to) ? 'config imports nothing of ours' : null;
  if (from.startsWith('domain/')) {
    return inside('domain') || to === 'ibantools' ? null : 'domain imports domain only';
  }
  if (from.startsWith('platform/')) {
    return !isOurs(to) || inside('platform') || to === 'domain/identifiers.ts'
      ? null
      : 'platform imports platform and domain/identifiers';
  }
  const feature = featureOf(from);
  if (from.startsWith('features/')) {
    if (!isOurs(to) || inside('domain') || inside('platform') || to === 'market/gateway.ts') return null;
    const other = featureOf(to);
    if (other === undefined) return inside('features') ? null : 'a feature imports domain, platform and features';
    return other === feature || to === `features/${other}/index.ts`
      ? null
      : 'a feature imports another feature through its index.ts';
  }
  if (from.startsWith('market/')) {
    return !isOurs(to) || inside('market') || inside('domain') || inside('platform')
      ? null
      : 'market imports domain and platform';
  }
  return featureOf(to) === undefined || to.endsWith('/index.ts')
    ? null
    : 'whoever stands on features calls them through their index.ts';
}

test('every import keeps the rules of who may import whom', () => {
  const broken = imports
    .filter(({ from }) => !isTest(from))
    .map((found) => ({ ...found, rule: brokenRule(found) }))
    .filter(({ rule }) => rule !== null)
    .map(({ from, to, rule }) => `src/${from} imports ${to}: ${String(rule)}`);
  assert.deepEqual(broken, []);
});

test('nothing imports node:http but its types, for that would load the client behind fetch into each process', () => {
  const loading = sources
    .filter((name) => !isTest(name))
    .filter((name) => /^import (?!type\b)[^;]*?'node:http'/m.test(readFileSync(join(root, 'src', name), 'utf8')));
  assert.deepEqual(loading, []);
});

test('the domain asks neither clock nor machine', () => {
  const impure = sources
    .filter((name) => name.startsWith('domain/') && !isTest(name))
    .filter((name) =>
      /\bTemporal\.Now\b|\bprocess\.|\basync\b|\bawait\b|\bcrypto\b/.test(
        readFileSync(join(root, 'src', name), 'utf8'),
      ),
    );
  assert.deepEqual(impure, []);
});

test('the client imports itself and the two packages that it is published with, nothing of ours or of node', () => {
  const folder = join(root, 'packages/client/src');
  const outside = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\bfrom '([^']+)'/g)]
      .map(([, to = '']) => to)
      .filter((to) => !/^\.\/[a-z-]+\.ts$|^openapi-(fetch|typescript-helpers)$/.test(to))
      .map((to) => `${name} imports ${to}`),
  );
  assert.deepEqual(outside, []);
});

test('features form no cycle', () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports.filter((found) => !isTest(found.from))) {
    const [one, other] = [featureOf(from), featureOf(to)];
    if (one !== undefined && other !== undefined && one !== other) {
      edges.set(one, (edges.get(one) ?? new Set()).add(other));
    }
  }
  const visit = (name: string, path: readonly string[]): string[] =>
    path.includes(name)
      ? [[...path, name].join(' → ')]
      : [...(edges.get(name) ?? [])].flatMap((next) => visit(next, [...path, name]));
  assert.deepEqual(
    [...edges.keys()].flatMap((name) => visit(name, [])),
    [],
  );
});

test('a file has under 400 lines, and one that tests, measures or tortures under 600', () => {
  // Made by `npm run generate`.
  const isGenerated = (path: string): boolean => path === 'packages/client/src/api.ts';
  const most = (path: string): number => (/^(src|packages)\//.test(path) && !isTest(path) ? 400 : 600);
  const long = ['src', 'packages/client/src', 'test', 'bench', 'torture', 'examples', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/') && !isGenerated(path))
      .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length }))
      .filter(({ path, lines }) => lines > most(path)),
  );
  assert.deepEqual(long, []);
});
