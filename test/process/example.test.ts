import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService, type TestService } from '#test/support/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** `npm run --silent example` with these settings. */
function runExample(settings: Readonly<Record<string, string>>): Promise<{ stdout: string; stderr: string }> {
  const { PATH = '', HOME = '' } = process.env;
  return promisify(execFile)('npm', ['run', '--silent', 'example'], { cwd: root, env: { PATH, HOME, ...settings } });
}

test('the example takes a customer from sign-up to supply and tells every step in a line, as often as it is run', async () => {
  const { clientId, clientSecret } = service.client;
  for (let run = 0; run < 2; run += 1) {
    const settings = { BASE_URL: service.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const { stdout, stderr } = await runExample(settings);
    assert.equal(stderr, '');
    const lines = stdout.trim().split('\n');
    assert.deepEqual(
      lines.slice(0, 3).map((line) => line.split(' ')[0]),
      ['plan', 'supplier', 'signed'],
    );
    assert.match(stdout, /^event +\S+Z subscription\.created: identifying$/m);
    assert.match(stdout, /^event +\S+Z subscription\.confirmed: confirmed$/m);
    assert.match(stdout, /^event +\S+Z subscription\.activated: supplying$/m);
    assert.match(stdout, /^clock +\S+Z: active, supplying$/m);
    assert.match(lines.at(-1) ?? '', /^done +sub_[0-9a-z]{26} is active$/);
  }
});

test('the example says in one line what is missing or refused, and fails', async () => {
  const fails = async (settings: Readonly<Record<string, string>>): Promise<string> =>
    runExample(settings).then(
      () => assert.fail('it succeeded'),
      (error: unknown) => (error as { stderr: string }).stderr,
    );
  assert.equal(await fails({}), 'Error: set BASE_URL\n');
  const wrong = { BASE_URL: service.baseUrl, CLIENT_ID: service.client.clientId, CLIENT_SECRET: 'wrong' };
  assert.match(await fails(wrong), /^401 invalid_client: .+ \[req_\w+\]\n$/);
});
