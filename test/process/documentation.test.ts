/** Every command of the pages is run as it stands, against a service that was started as the README says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { berlinDate, signUpBody, type Json } from '#test/support/builders.ts';
import { codeBlocks, codeSpans, commandsOf, type Told } from '#test/support/documentation.ts';
import { eventually, startProcess, temporaryFolder } from '#test/support/process.ts';
import { meterOnly, must } from '#test/support/sandbox.ts';
import { fetchToken, send } from '#test/support/service.ts';

/** Orders go through states that take the whole of a supply to get into. */
const LIVE_ORDERS = 'test/acceptance/live-orders.test.ts takes orders from state to state by these commands';

/** What is not run here, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'installs; .ci/run does, and test/process/start.test.ts looks at the start',
  'npm ci && npm test': 'installs, and runs these tests',
  'npm ci': 'installs; .ci/run does',
  'npm start': 'test/process/start.test.ts looks at the start',
  'npm run generate': 'writes into the project; `npm run check` proves that it would change nothing',
  'npm run check': 'is run by .ci/run',
  'npm run torture': 'takes minutes; test/process/torture.test.ts plays its short form',
  'npm run torture -- --help': 'prints a few lines about the same',
  'npm pack --workspace packages/client': 'test/client/package.test.ts packs, unpacks and runs it',
  'npm install': 'the reader’s own project; test/client/package.test.ts does what it would',
  'npm run --silent cli -- market order --project "$PROJECT" "$ORDER" handed-over': LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$ORDER" appointment --at 2026-12-14T08:00:00Z':
    LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$ORDER" installed': LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$ORDER" activated': LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$ORDER" refused --code no_gateway_coverage': LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$REDUCTION" confirmed --from "$DATE" --received-at "$INSTANT"':
    LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$REDUCTION" rejected --code module_not_possible':
    LIVE_ORDERS,
  'npm run --silent cli -- market order --project "$PROJECT" "$REDUCTION" ended --until "$DATE"': LIVE_ORDERS,
  'npm run --silent cli -- restore wattline.backup':
    'needs another, empty database; test/process/backup.test.ts restores into both kinds',
  'openssl rand -base64 32': 'no part of the project; src/config.test.ts takes keys of that form',
};

/** A block of these is run as a whole: its commands hand results on in variables of the shell. */
const isTour = ({ text }: Told): boolean => /\bcurl\b/.test(text);

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = { after };
const folder = temporaryFolder(file, 'documentation');
const settings = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' };
const service = startProcess(file, settings);

/** What earlier commands have given to later ones. */
const known = { url: '', clientId: '', clientSecret: '', project: '', credential: '', head: '' };

before(async () => {
  known.url = await service.ready();
  known.clientId = /^ {2}Client id +(\S+)$/m.exec(service.stdout())?.[1] ?? '';
  known.clientSecret = /^ {2}Secret +(\S+)$/m.exec(service.stdout())?.[1] ?? '';
  writeFileSync(join(folder, 'suppliers.csv'), 'name;code\nStadtwerke Alt;9900000000123\n');
  // The curl commands stay as they are; their status is told beside them.
  writeFileSync(join(folder, '.curlrc'), 'write-out = "%{stderr}%{http_code}\\n"\n');
});

/** Runs what a person would paste. @throws when it fails */
async function shell(
  script: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Record<'stdout' | 'stderr', string>> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, CURL_HOME: folder, ...settings, ...variables };
  return promisify(execFile)('sh', ['-euc', script], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
}

/** A command of the operator, as the tests need it between those of the pages. */
async function cli(...argv: readonly string[]): Promise<Json> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd: root, env: { PATH, HOME, ...settings } };
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...argv, '--json'], options);
  return JSON.parse(stdout);
}

describe('the tour of the README', () => {
  test('pasted as it stands, signs a customer up and shows her supplied ten days later', async () => {
    const tour = codeBlocks('sh').filter(isTour);
    assert.deepEqual([...new Set(tour.map(({ page }) => page))], ['README.md']);
    const script = tour.map(({ text }) => text.replace('http://127.0.0.1:3000', known.url)).join('\n');
    assert.ok(script.includes(known.url));
    const secrets = { CLIENT_ID: known.clientId, CLIENT_SECRET: known.clientSecret };
    const { stdout, stderr } = await shell(script, secrets);
    const statuses = stderr.trim().split('\n');
    assert.equal(statuses.length, script.split(/\bcurl\b/).length - 1);
    assert.ok(
      statuses.every((status) => /^20[01]$/.test(status)),
      stderr,
    );
    assert.match(stdout, /"object":"subscription","id":"sub_\w{26}",[^]*?"status":"pending"/);
    assert.match(stdout, /"object":"subscription","id":"sub_\w{26}",[^]*?"status":"active"/);
    assert.match(stdout, /"object":"timeline_entry"[^]*"type":"subscription\.activated"/);
  });
});

describe('the commands', () => {
  test('of every block of every page succeed, in the order in which they stand', async (context) => {
    const market = await openMarket();
    const commands = codeBlocks('sh', 'bash', 'shell', 'console')
      .filter((block) => !isTour(block))
      .flatMap(commandsOf);
    assert.ok(commands.length > 15);
    for (const { page, text } of commands) {
      if (text in NOT_RUN) continue;
      assert.match(
        text,
        /\bnpm run --silent (cli --|example)/,
        `${page}: ${text} is neither run nor listed in NOT_RUN`,
      );
      const variables = await prepare(market, text);
      const begin = performance.now();
      const { stdout } = await shell(fill(text), variables).catch((error: unknown) =>
        assert.fail(`${page}: ${text}\n${String((error as { stderr?: string }).stderr)}`),
      );
      context.diagnostic(`${(performance.now() - begin).toFixed(0)} ms ${text}`);
      keep(text, stdout);
    }
  });

  test('that sentences name are listed', () => {
    const named = codeSpans(/^(npm|npx|node|curl|openssl|git|docker) /);
    assert.deepEqual(
      named.filter(({ text }) => !(text in NOT_RUN)),
      [],
    );
  });

  test('that are listed as not run stand somewhere', () => {
    const told = [...codeBlocks('sh').flatMap(commandsOf), ...codeSpans(/^(npm|openssl) /)];
    const texts = new Set(told.map(({ text }) => text));
    assert.deepEqual(
      Object.keys(NOT_RUN).filter((text) => !texts.has(text)),
      [],
    );
  });
});

test('requests that sentences name are answered', async () => {
  const token = await fetchToken(known.url, known);
  // The metrics have a listener of their own.
  const requests = codeSpans(/^GET \//).filter(({ text }) => !/[{…]|\/metrics$/.test(text));
  assert.ok(requests.length > 3);
  for (const { page, text } of requests) {
    const reply = await send(known.url, 'GET', text.slice('GET '.length), { token });
    assert.equal(reply.status, 200, `${page}: ${text}: ${reply.text}`);
  }
});

/** Puts what is there in the place of what only stands for it. */
function fill(text: string): string {
  return text
    .replaceAll(/[[\]]/g, '')
    .replace('sandbox|live', 'live')
    .replace('--name NAME', '--name Name')
    .replace(/--project (ID|prj_…)/, `--project ${known.project}`)
    .replace('--id ID', `--id ${known.credential}`)
    .replace(/\b(FILE|suppliers)\.csv/, join(folder, 'suppliers.csv'))
    .replace('wattline.backup', join(folder, 'wattline.backup'))
    .replace(/--head \S+…/, `--head ${known.head}`)
    .replace('http://127.0.0.1:3000', known.url)
    .replace('CLIENT_ID=…', `CLIENT_ID=${known.clientId}`)
    .replace('CLIENT_SECRET=…', `CLIENT_SECRET=${known.clientSecret}`);
}

/** Notes what a command has created or told. */
function keep(text: string, stdout: string): void {
  const find = (pattern: RegExp): string => pattern.exec(stdout)?.[1] ?? assert.fail(`${text} printed ${stdout}`);
  if (text.includes('project create')) known.project = find(/(prj_\w{26})/);
  if (text.includes('credential create')) known.credential = find(/(crd_\w{26})/);
  if (text.includes('audit verify')) known.head = find(/head: (\S+)/);
}

/** A live project in which an operator carries the messages. */
interface Market {
  readonly project: string;
  /** Signs up, with no previous supplier unless told, and gives the ID. */
  signUp(overrides?: Json): Promise<string>;
  /** The message that waits for a subscription, as soon as it does. */
  waiting(subscription: string, kind: string): Promise<Json>;
  readonly supplier: string;
  /** What is under way. */
  readonly current: { subscription: string; message: string };
}

async function openMarket(): Promise<Market> {
  await cli('supplier', 'import', join(folder, 'suppliers.csv'));
  const { id: project } = await cli('project', 'create', '--name', 'Live', '--mode', 'live');
  const credential = await cli('credential', 'create', '--project', project, '--name', 'Shop');
  const { id: plan } = await cli('plan', 'create', '--project', project, '--name', 'Öko', '--price', '9');
  const client = { clientId: credential.client_id as string, clientSecret: credential.client_secret as string };
  const token = await fetchToken(known.url, client);
  const suppliers = must(await send(known.url, 'GET', '/suppliers', { token }), 200);
  return {
    project,
    supplier: suppliers.items[0].id,
    current: { subscription: '', message: '' },
    async signUp(overrides = {}) {
      const body = signUpBody(plan, overrides);
      return must(await send(known.url, 'POST', '/subscriptions', { token, body }), 201).id as string;
    },
    waiting: (subscription, kind) =>
      eventually(async () => {
        const { items } = await cli('market', 'messages', '--project', project, '--subscription', subscription);
        return (items as Json[]).find((message) => message.kind === kind);
      }, `a ${kind} waits`),
  };
}

/** Brings about the state in which a command of the market can succeed, and gives its variables. */
async function prepare(market: Market, text: string): Promise<Record<string, string>> {
  const { project: PROJECT, current } = market;
  const says = (...words: readonly string[]): boolean => words.every((word) => text.includes(word));
  const waiting = async (kind: string): Promise<Json> => {
    const message = await market.waiting(current.subscription, kind);
    current.message = message.id;
    return message;
  };
  if (says('market transmitted')) {
    current.subscription = await market.signUp({ meter: meterOnly(), previous_supplier: market.supplier });
    await waiting('identification_request');
  }
  let DATE = berlinDate(14);
  if (says('cancellation_confirmation')) await waiting('cancellation');
  if (says('registration_confirmation')) DATE = (await waiting('registration')).contents.start;
  if (says('registration_rejection')) {
    current.subscription = await market.signUp();
    await waiting('registration');
  }
  if (says('market retry')) {
    current.subscription = await market.signUp();
    const { id } = await waiting('registration');
    await cli('market', 'answer', '--project', PROJECT, id, 'registration_rejection', '--code', 'A05');
  }
  if (says('market accept-start')) {
    current.subscription = await market.signUp();
    const { id } = await waiting('registration');
    // Before the day that was asked for.
    await cli('market', 'answer', '--project', PROJECT, id, 'registration_confirmation', '--start', berlinDate(1));
  }
  if (says('market give-up')) current.subscription = await market.signUp({ meter: meterOnly() });
  // Another supplier asks for a customer whom we supply: the one of the tour.
  if (says('market receive')) return receivable();
  return { PROJECT, MESSAGE: current.message, SUBSCRIPTION: current.subscription, DATE };
}

async function receivable(): Promise<Record<string, string>> {
  const { items: projects } = await cli('project', 'list');
  const PROJECT = (projects as Json[]).find(({ mode }) => mode === 'sandbox').id as string;
  const token = await fetchToken(known.url, known);
  const active = must(await send(known.url, 'GET', '/subscriptions?filter[status][eq]=active', { token }), 200);
  return { PROJECT, SUBSCRIPTION: active.items[0].id, NUMBER: 'K1', PROCESS: 'P1' };
}
