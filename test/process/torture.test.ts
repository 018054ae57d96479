/** The short form of `npm run torture`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenarios, type Scenario } from '../../torture/scenarios.ts';

const SEED = 20_261_121;

/** Those whose figures are about speed, and suffer from each other. */
const ALONE = new Set(['overload', 'stop', 'stop-processes', 'slow-clients', 'upgrade']);

/** How the names of findings end that depend on who else uses the machine meanwhile: asked by the long form only. */
const OF_AN_IDLE_MACHINE = [
  'goodput in capacities',
  'p99 of accepted',
  'p99 of refused',
  'slowest GET /health',
  'others: slowest',
  // Most of it is how long a process takes to load; ready after the database is what is promised, and asked always.
  'longest from the kill until ready',
];

async function play({ title, lacking, play: playScenario }: Scenario): Promise<void> {
  const reason = await lacking();
  test(title, { skip: reason ?? false }, async (context) => {
    const findings = await playScenario({ isShort: true, seed: SEED });
    for (const { name, value, limit } of findings) context.diagnostic(`${name}: ${value} (limit ${limit})`);
    assert.deepEqual(
      findings.filter(({ name, ok }) => !ok && !OF_AN_IDLE_MACHINE.some((end) => name.endsWith(end))),
      [],
    );
  });
}

// Most of the time of each is waiting for the others' sake.
describe('whatever is done to the service, it keeps its promises:', { concurrency: 2 }, async () => {
  for (const scenario of scenarios.filter(({ name }) => !ALONE.has(name))) await play(scenario);
});

describe('however much is asked of the service, it keeps its promises:', async () => {
  for (const scenario of scenarios.filter(({ name }) => ALONE.has(name))) await play(scenario);
});
