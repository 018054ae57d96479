import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../src/cli/run.ts';
import { signUpBody, type Json } from './builders.ts';
import { must } from './sandbox.ts';
import { fetchToken, send, type Reply, type TestService } from './service.ts';

/** What a command has printed. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of stdout, with `--json`. */
  readonly json: Json;
}

/** One command of the operator on the database of a service. */
export async function runCommand({ service: { foundation } }: TestService, ...argv: string[]): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const open = async (): ReturnType<Parameters<typeof runCli>[1]> => ({ ...foundation, close: async () => {} });
  const code = await runCli(argv, open, () => assert.fail('nothing is to be filled'), {
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
  });
  return { code, ...written, json: argv.includes('--json') ? JSON.parse(written.stdout) : undefined };
}

/** A live project, its plan, and a previous supplier to name. */
export interface Live {
  /** `prj_…` */
  readonly id: string;
  readonly planId: string;
  readonly supplierId: string;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  read(subscription: string): Promise<Json>;
  /** The first hundred entries of the timeline. */
  story(subscription: string): Promise<Json[]>;
  /** Signs up, and waits for the first message. */
  signUp(overrides?: Readonly<Record<string, unknown>>): Promise<Json>;
  /** What a market command prints that is done. */
  market(name: string, ...argv: string[]): Promise<Json>;
  /** The exit code, reason and message of a market command that is refused. */
  refused(name: string, ...argv: string[]): Promise<[number, string, string]>;
  /** The one message that waits for a subscription. */
  waiting(subscription: string): Promise<Json>;
}

/** Opens a live project. */
export async function openLive(service: TestService): Promise<Live> {
  const cli = (...argv: string[]): Promise<Run> => runCommand(service, ...argv);
  await importSupplier(service);
  const { id } = (await cli('project', 'create', '--name', 'Live', '--mode', 'live', '--json')).json;
  const credential = (await cli('credential', 'create', '--project', id, '--name', 'Shop', '--json')).json;
  const plan = (await cli('plan', 'create', '--project', id, '--name', 'Öko', '--price', '9', '--json')).json;
  const client = { clientId: credential.client_id, clientSecret: credential.client_secret };
  const token = await fetchToken(service.baseUrl, client);
  const call: Live['call'] = (method, path, body, headers = {}) =>
    send(service.baseUrl, method, path, { token, headers, ...(body === undefined ? {} : { body }) });
  const read: Live['read'] = async (subscription) => must(await call('GET', `/subscriptions/${subscription}`), 200);
  const run = (name: string, argv: readonly string[]): Promise<Run> =>
    cli('market', name, '--project', id, ...argv, '--json');
  const market: Live['market'] = async (name, ...argv) => {
    const { code, stderr, json } = await run(name, argv);
    assert.equal(code, 0, stderr);
    return json;
  };
  return {
    id,
    planId: plan.id,
    supplierId: must(await call('GET', '/suppliers'), 200).items[0].id,
    call,
    read,
    story: async (subscription) =>
      must(await call('GET', `/subscriptions/${subscription}/timeline?limit=100`), 200).items,
    async signUp(overrides = {}) {
      const { id: subscription } = must(await call('POST', '/subscriptions', signUpBody(plan.id, overrides)), 201);
      for (;;) {
        const present = await read(subscription);
        if (present.next_action !== null) return present;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    market,
    async refused(name, ...argv) {
      const { code, stdout, json } = await run(name, argv);
      assert.notEqual(code, 0, stdout);
      return [code, json.error.reason, json.error.message];
    },
    async waiting(subscription) {
      const { items } = await market('messages', '--subscription', subscription);
      assert.equal(items.length, 1, JSON.stringify(items));
      return items[0];
    },
  };
}

async function importSupplier(service: TestService): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'wattline-live-'));
  try {
    await writeFile(join(folder, 's.csv'), 'name;code\nStadtwerke Alt;9900000000123\n');
    await runCommand(service, 'supplier', 'import', join(folder, 's.csv'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
