import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readConfig } from '#config';
import { describeSchema } from '#platform/database/describe-schema.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { generateTypes } from '../packages/client/generate.ts';
import { createApp } from '../src/app.ts';
import { layFoundation } from '../src/foundation.ts';

/** Writes the generated files, or with `--check` fails when they differ from what would be written. */
async function main(): Promise<void> {
  const database = await createTestDatabase();
  const config = readConfig({ DATABASE_URL: database.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') });
  const foundation = await layFoundation(config, createLog('silent'));
  const app = createApp(
    foundation,
    { ...config, rateLimit: null, publicUrl: 'http://127.0.0.1:3000' },
    createLog('silent'),
  );
  const files = {
    'openapi/openapi.json': `${JSON.stringify(app.openapi, null, 2)}\n`,
    'migrations/schema.sql': await describeSchema(database.connection),
    'packages/client/src/api.ts': await generateTypes(app.openapi),
  };
  await foundation.close();
  await database.drop();
  for (const [name, text] of Object.entries(files)) {
    const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
    if (!process.argv.includes('--check')) writeFileSync(path, text);
    else if (readIfThere(path) !== text) {
      process.stderr.write(`${name} is not what the code says; run npm run generate\n`);
      process.exitCode = 1;
    }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

await main();
