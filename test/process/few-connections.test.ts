import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '#config';
import { serve } from '../../src/serve.ts';
import { createTestDatabase } from '../support/database.ts';
import { ask, defer } from '../support/process.ts';

test('a start says so where role, database or server take fewer connections than the service may open', async (context) => {
  const own = await createTestDatabase();
  defer(context, () => own.drop());
  const role = `limited_${randomBytes(6).toString('hex')}`;
  const name = new URL(own.url).pathname.slice(1);
  await ask(own.connection, `create role ${role} login`);
  defer(context, async () => void (await ask(own.connection, `drop owned by ${role}; drop role ${role}`)));
  await ask(
    own.connection,
    `grant all on database ${name} to ${role}; grant all on all tables in schema public to ${role};
    grant all on all sequences in schema public to ${role}`,
  );
  const url = new URL(own.url);
  url.username = role;
  const start = async (): Promise<unknown[]> => {
    const warnings: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
    const key = Buffer.alloc(32, 7).toString('base64');
    const service = await serve(readConfig({ PORT: '0', DATABASE_URL: url.href, ENCRYPTION_KEY: key }), log);
    await service.stop();
    return warnings.flatMap((line) => {
      const { msg, places, needed } = line as Record<string, unknown>;
      return String(msg).includes('fewer connections') ? [[places, needed]] : [];
    });
  };
  assert.deepEqual(await start(), []);
  await ask(own.connection, `alter role ${role} connection limit 5`);
  assert.deepEqual(await start(), [[5, 16]]);
  await ask(own.connection, `alter role ${role} connection limit -1; alter database ${name} connection limit 7`);
  assert.deepEqual(await start(), [[7, 16]]);
});
