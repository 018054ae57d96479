/** The short forms of what `torture/` does at length: a flood, stops under load, and clients that send slowly or without end. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Finding } from '../../torture/finding.ts';
import { overload } from '../../torture/overload.ts';
import { slowClients } from '../../torture/slow-clients.ts';
import { stopUnderLoad } from '../../torture/stop.ts';

/** What depends on who else uses the machine meanwhile: asked by the long form only. */
const OF_AN_IDLE_MACHINE = new Set([
  'goodput in capacities',
  'p99 of refused',
  'slowest GET /health',
  'others: slowest',
]);

function check(context: TestContext, findings: readonly Finding[]): void {
  for (const { name, value, limit } of findings) context.diagnostic(`${name}: ${value} (limit ${limit})`);
  const broken = findings.filter(({ name, ok }) => !ok && !OF_AN_IDLE_MACHINE.has(name));
  assert.deepEqual(broken, []);
}

describe('the service', () => {
  test('refuses most of a flood at once and answers the rest within two seconds', async (context) => {
    check(context, await overload({ seconds: 3, measured: 3_000, connections: 1_200 }));
  });

  for (const processes of ['1', '2']) {
    test(`answers what is in flight when it is stopped, with ${processes} of PROCESSES`, async (context) => {
      check(context, await stopUnderLoad({ rounds: 2, connections: 16, settings: { PROCESSES: processes } }));
    });
  }

  test('gets rid of slow, silent and endless clients while it serves others', async (context) => {
    check(context, await slowClients({ idle: 1_000, each: 10, bodies: false }));
  });
});
