import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, temporaryFolder } from '#test/support/process.ts';
import { createSeldomWarning, type Logger } from './log.ts';

test('what befalls every request is told once a second, with how many were left out', () => {
  const lines: unknown[] = [];
  const clock = { ms: 0 };
  const log = { warn: (fields: unknown, text: unknown) => lines.push([fields, text]) } as unknown as Logger;
  const warn = createSeldomWarning(log, 'away', () => clock.ms);
  for (const [ms, id] of [
    [0, 'a'],
    [1, 'b'],
    [999, 'c'],
    [1_000, 'd'],
    [2_500, 'e'],
  ] as const) {
    clock.ms = ms;
    warn({ id });
  }
  assert.deepEqual(lines, [
    [{ id: 'a', left_out: undefined }, 'away'],
    [{ id: 'd', left_out: 2 }, 'away'],
    [{ id: 'e', left_out: undefined }, 'away'],
  ]);
});

test('a reader who stands still holds nobody up, and reads later what there was room for and how much is lost', async () => {
  const code = `
    import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
    const log = createLog('info');
    const count = 20_000;
    for (let line = 0; line < count; line += 1) log.info({ line, padding: 'x'.repeat(200) }, 'kept');
    process.stderr.write('not held up\\n');
    process.stdin.once('data', () => process.exit(0));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'pipe' });
  const ended = once(child, 'close');
  try {
    const [told] = (await once(child.stderr, 'data')) as [Buffer];
    assert.equal(told.toString(), 'not held up\n');
    let read = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      read += chunk;
      if (read.includes('lost')) child.stdin.end('end');
    }
    const lines = read
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { line?: number; lost?: number });
    assert.deepEqual(await ended, [0, null]);
    const kept = lines.slice(0, -1);
    assert.deepEqual(
      kept.map(({ line }) => line),
      kept.map((_, index) => index),
    );
    assert.ok(kept.length > 1_000, `${kept.length} were kept`);
    assert.equal(lines.at(-1)?.lost, 20_000 - kept.length);
  } finally {
    child.kill('SIGKILL');
  }
});

/** Writes to descriptor 1 beside another process that shares it, begins, and ends, which Node has wait for room. */
const BESIDE_ANOTHER = `
  import { spawnSync } from 'node:child_process';
  import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
  const log = createLog('info');
  log.info({}, 'before');
  spawnSync(process.execPath, ['--eval', 'process.stdout'], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (let line = 0; line < 20_000; line += 1) log.info({ line, padding: 'x'.repeat(200) }, 'kept');
  process.stderr.write('not held up\\n');
  setInterval(() => {}, 1_000);`;

for (const kind of ['pipe', 'socket'] as const) {
  test(`a ${kind} that nobody reads holds nobody up after another process that writes to it has ended`, async (context) => {
    const path = join(temporaryFolder(context, 'log'), 'pipe');
    execFileSync('mkfifo', [path]);
    // Open at both ends, so that it has somebody who could read.
    const pipe = openSync(path, 'r+');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', BESIDE_ANOTHER], {
      stdio: ['ignore', kind === 'pipe' ? pipe : 'pipe', 'pipe'],
    });
    try {
      let told = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (told += text));
      await eventually(() => told !== '', 'it is not held up');
      assert.equal(told, 'not held up\n');
    } finally {
      child.kill('SIGKILL');
      closeSync(pipe);
    }
  });
}

/** Starts a command on a terminal of its own, and writes what that shows. */
const TERMINAL = '/usr/bin/script';
const hasTerminal = process.platform === 'linux' && existsSync(TERMINAL);

test('a terminal that stands still holds nobody up either', { skip: !hasTerminal }, async (context) => {
  const marker = join(temporaryFolder(context, 'log'), 'not-held-up');
  const code = `
    import { writeFileSync } from 'node:fs';
    import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))};
    const log = createLog('info');
    for (let line = 0; line < 20_000; line += 1) log.info({ line, padding: 'x'.repeat(200) }, 'kept');
    writeFileSync(process.env.MARKER, '');
    setInterval(() => {}, 1_000);`;
  const child = spawn(TERMINAL, ['-qfc', '"$NODE" --input-type=module --eval "$CODE"', '/dev/null'], {
    env: { ...process.env, SHELL: '/bin/sh', NODE: process.execPath, CODE: code, MARKER: marker },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await eventually(() => existsSync(marker), 'it is not held up');
    let read = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      read += chunk;
      if (/"lost":.*\}/.test(read)) break;
    }
    const lines = read
      .trimEnd()
      .split('\r\n')
      .map((line) => JSON.parse(line) as { line?: number; lost?: number });
    assert.equal((lines.at(-1)?.lost ?? 0) + lines.length - 1, 20_000);
  } finally {
    child.kill('SIGKILL');
  }
});
