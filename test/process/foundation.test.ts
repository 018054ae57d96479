import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { layFoundation } from '../../src/foundation.ts';
import { pathsIn } from '#platform/database/embedded-cluster.ts';
import { sql } from '#platform/database/sql.ts';
import { defer, startProcess, temporaryFolder } from '#test/support/process.ts';

test('a start goes on when the server that it has found ends with the process that had started it', async (context) => {
  const dataDir = temporaryFolder(context, 'found');
  const owner = startProcess(context, { DATA_DIR: dataDir });
  await owner.ready();
  const pidFile = join(pathsIn(dataDir).cluster, 'postmaster.pid');
  const seen: string[] = [];
  const log = pino(
    {},
    {
      write(line: string) {
        const { msg } = JSON.parse(line) as { msg: string };
        seen.push(msg);
        if (msg !== 'attached to the running database server') return;
        owner.child.kill('SIGTERM');
        // Nothing else happens here until the server has gone.
        const cell = new Int32Array(new SharedArrayBuffer(4));
        while (existsSync(pidFile)) Atomics.wait(cell, 0, 0, 1);
      },
    },
  );
  const foundation = await layFoundation({ databaseUrl: null, dataDir, encryptionKey: null }, log);
  defer(context, () => foundation.close());
  assert.equal(seen[0], 'attached to the running database server');
  assert.deepEqual(await foundation.database.query(sql`select 1 as one`), [{ one: 1 }]);
});
