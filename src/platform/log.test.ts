import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
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
