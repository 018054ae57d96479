/** The package as it is published: packed, unpacked beside its dependencies, and run as plain JavaScript. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signUpBody } from '#test/support/builders.ts';
import { codeBlocks } from '#test/support/documentation.ts';
import { temporaryFolder } from '#test/support/process.ts';
import { startService, type TestService } from '#test/support/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A programme as a stranger writes it; as TypeScript it is checked too. */
const PROGRAM = `
import { createClient, verifyWebhook, WattlineError, WebhookVerificationError } from '@wattline/client';

const [baseUrl = '', clientId = '', clientSecret = '', body = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, clientId, clientSecret });
const { data: subscription } = await client.POST('/subscriptions', { body: JSON.parse(body) });
for await (const { event } of client.events({ types: ['subscription.created'] })) {
  if (event.type !== 'subscription.created' || event.data.subscription.id !== subscription.id) continue;
  console.log(event.data.subscription.status);
  break;
}
for await (const { name } of client.list('/plans')) console.log(name);
await client.GET('/plans/{id}', { params: { path: { id: 'nothing' } } }).catch((error: unknown) => {
  if (error instanceof WattlineError) console.log(error.status, error.code);
});
await verifyWebhook('whsec_AAAA', {}, '').catch((error: unknown) => {
  console.log(error instanceof WebhookVerificationError);
});
`;

/** What the programme and the examples of the README take for granted. */
const GLOBALS = `
declare const process: { argv: string[] };
declare const signUp: import('@wattline/client').components['schemas']['SignUp'];
declare const stored: string | null;
declare const signal: AbortSignal;
declare function welcome(subscription: import('@wattline/client').components['schemas']['Subscription']): Promise<void>;
declare function store(cursor: string | null): Promise<void>;
declare const webhookSecret: string;
declare const request: { headers: Headers };
declare const rawBody: string;
`;

let service: TestService;
const folder = temporaryFolder({ after }, 'client');
before(async () => {
  service = await startService();
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'packages/client') });
  const [tarball = ''] = readdirSync(folder);
  const installed = join(folder, 'node_modules/@wattline/client');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', installed]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  writeFileSync(join(folder, 'program.js'), PROGRAM.replaceAll(': unknown', ''));
});
after(() => service.stop());

describe('the package', () => {
  test('holds what is built, its README and its licence, and nothing else', () => {
    const files = readdirSync(join(folder, 'node_modules/@wattline/client'));
    assert.deepEqual(files.toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json']);
  });

  for (const [name, command] of [
    ['the pinned Node', process.execPath],
    ['the Node of the machine', 'node'],
  ] as const) {
    test(`works on ${name}`, async (context) => {
      const version = await run(command, ['--version']).catch(() => null);
      if (version === null) return context.skip('there is none');
      context.diagnostic(version.stdout.trim());
      const { clientId, clientSecret } = service.client;
      const body = JSON.stringify(signUpBody(service.planId));
      const parameters = ['program.js', service.baseUrl, clientId, clientSecret, body];
      const { stdout } = await run(command, parameters, { cwd: folder });
      assert.deepEqual(stdout.trim().split('\n').slice(0, 1), ['pending']);
      assert.deepEqual(stdout.trim().split('\n').slice(-2), ['404 not_found', 'true']);
    });
  }

  test('has types for TypeScript 5 and 7, in which the examples of its README fit, with those of a worker and no others', async () => {
    writeFileSync(join(folder, 'globals.d.ts'), GLOBALS);
    const examples = codeBlocks('ts').filter(({ page }) => page === 'packages/client/README.md');
    assert.ok(examples.length >= 3);
    writeFileSync(join(folder, 'readme.ts'), examples.map(({ text }) => text).join('\n'));
    const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const options = { noEmit: true, strict: true, target: 'es2022', module: 'nodenext', lib, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    for (const typescript of ['packages/client/node_modules/typescript', 'node_modules/typescript']) {
      const compiler = run(process.execPath, [join(root, typescript, 'bin/tsc'), '-p', folder]);
      const { stdout } = await compiler.catch((error: unknown) => error as { stdout: string });
      assert.equal(stdout, '', typescript);
    }
  });
});
