import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#platform/database/sql.ts';
import { startOauthBench, type OauthBench } from '#test/support/oauth.ts';
import { createCredential, createProject, listCredentials, listProjects, revokeCredential } from './index.ts';

let bench: OauthBench;

before(async () => {
  bench = await startOauthBench();
});
after(() => bench.stop());

async function newProject(mode: 'live' | 'sandbox' = 'sandbox'): Promise<string> {
  const created = await createProject(bench, { name: 'Stadtwerke Süd', mode });
  assert.ok(created.ok);
  return created.project.id;
}

test('a project is listed as it was created', async () => {
  const created = await createProject(bench, { name: 'Stadtwerke Süd', mode: 'live' });
  assert.ok(created.ok);
  assert.match(created.project.id, /^prj_[0-9a-z]{26}$/);
  assert.match(created.project.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual((await listProjects(bench)).at(-1), created.project);
});

test('names that nobody could read or that span lines are refused', async () => {
  for (const name of ['', ' ', '\u200b', 'a\nb', 'a\0', '\ud800', 'x'.repeat(201)]) {
    const created = await createProject(bench, { name, mode: 'live' });
    assert.equal(created.ok ? undefined : created.field, 'name');
  }
});

test('a credential carries its mode in its secret and its own id as client id', async () => {
  for (const [mode, prefix] of [
    ['live', 'es_live_'],
    ['sandbox', 'es_test_'],
  ] as const) {
    const projectId = await newProject(mode);
    const created = await createCredential(bench, { projectId, name: 'Shop' });
    assert.ok(created.ok);
    assert.match(created.id, /^crd_[0-9a-z]{26}$/);
    assert.equal(created.clientId, created.id);
    assert.match(created.clientSecret, new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`));
    const list = await listCredentials(bench, projectId);
    assert.ok(list.ok);
    const [credential] = list.credentials;
    assert.deepEqual(credential, {
      id: created.id,
      clientId: created.id,
      name: 'Shop',
      scopes: ['read:*', 'write:*'],
      apiVersion: '2026-11-21',
      expiresAt: null,
      revokedAt: null,
      createdAt: '2026-11-21T06:32:00Z',
      usable: true,
    });
  }
});

test('a project has at most five usable credentials, also when ten are created at once', async () => {
  const projectId = await newProject();
  const create = () => createCredential(bench, { projectId, name: 'Shop' });
  const created = await Promise.all(Array.from({ length: 10 }, create));
  const first = created.find((creation) => creation.ok);
  assert.equal(created.filter(({ ok }) => ok).length, 5);
  for (const creation of created) if (!creation.ok) assert.equal(creation.reason, 'too_many_credentials');
  // Other projects are not concerned, and a revoked or expired one makes room.
  assert.ok((await createCredential(bench, { projectId: await newProject(), name: 'Shop' })).ok);
  assert.ok(first !== undefined);
  assert.deepEqual(await revokeCredential(bench, { projectId, id: first.id }), { ok: true });
  const expiresAt = bench.clock.now().add({ seconds: 1 });
  assert.ok((await createCredential(bench, { projectId, name: 'Shop', expiresAt })).ok);
  assert.equal((await create()).ok, false);
  bench.clock.pass(1000);
  assert.equal((await create()).ok, true);
});

test('a client id is used once, in whatever project', async () => {
  const clientId = 'my-shop_1';
  assert.ok((await createCredential(bench, { projectId: await newProject(), name: 'Shop', clientId })).ok);
  const again = await createCredential(bench, { projectId: await newProject(), name: 'Shop', clientId });
  assert.deepEqual(again, { ok: false, reason: 'client_id_taken' });
});

test('inputs that cannot be right are refused by name', async () => {
  const projectId = await newProject();
  for (const [field, input] of [
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['admin'] }],
    ['expiresAt', { expiresAt: bench.clock.now() }],
    ['clientId', { clientId: 'a:b' }],
    ['clientId', { clientId: '' }],
    ['clientSecret', { clientSecret: 'short' }],
    ['name', { name: ' ' }],
  ] as const) {
    const created = await createCredential(bench, { projectId, name: 'Shop', ...input });
    assert.equal('field' in created ? created.field : undefined, field);
  }
});

test('what does not exist, or is another project’s, is not found', async () => {
  const [projectId, other] = [await newProject(), await newProject()];
  const created = await createCredential(bench, { projectId, name: 'Shop' });
  assert.ok(created.ok);
  const notFound = { ok: false, reason: 'not_found' };
  assert.deepEqual(await revokeCredential(bench, { projectId: other, id: created.id }), notFound);
  assert.deepEqual(await revokeCredential(bench, { projectId, id: projectId }), notFound);
  assert.deepEqual(await listCredentials(bench, 'prj_x'), { ok: false, reason: 'project_not_found' });
  const empty = await listCredentials(bench, other);
  assert.deepEqual(empty, { ok: true, credentials: [] });
  const missing = projectId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const refused = await createCredential(bench, { projectId: missing, name: 'Shop' });
  assert.deepEqual(refused, { ok: false, reason: 'project_not_found' });
});

test('revoking twice keeps the first time', async () => {
  const projectId = await newProject();
  const created = await createCredential(bench, { projectId, name: 'Shop' });
  assert.ok(created.ok);
  await revokeCredential(bench, { projectId, id: created.id });
  const before = await listCredentials(bench, projectId);
  bench.clock.pass(60_000);
  assert.deepEqual(await revokeCredential(bench, { projectId, id: created.id }), { ok: true });
  assert.deepEqual(await listCredentials(bench, projectId), before);
});

test('of a secret only the digest is stored', async () => {
  const projectId = await newProject();
  const created = await createCredential(bench, { projectId, name: 'Shop' });
  assert.ok(created.ok);
  const [row] = await bench.database.query<{ text: string; length: number }>(sql`
    select c::text as text, octet_length(secret_hash) as length from credentials c where client_id = ${created.clientId}`);
  assert.equal(row?.length, 32);
  assert.equal(row.text.includes(created.clientSecret), false);
  assert.equal(row.text.includes(Buffer.from(created.clientSecret).toString('hex')), false);
});
