import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LIFECYCLE_EVENTS, lifecycleDiagram, STAGES, statusOf, transition } from './lifecycle.ts';

const steps = STAGES.flatMap((stage) =>
  LIFECYCLE_EVENTS.flatMap((event) => {
    const found = transition(stage, event);
    return found === undefined ? [] : [{ stage, event, ...found }];
  }),
);

test('the status changes only from pending to active or ended, and from active to ended', () => {
  const changes = steps
    .map(({ stage, to }) => `${statusOf(stage)} ${statusOf(to)}`)
    .filter((change) => change.split(' ')[0] !== change.split(' ')[1]);
  assert.deepEqual([...new Set(changes)].sort(), ['active ended', 'pending active', 'pending ended']);
  const starts = steps.filter(({ stage, to }) => statusOf(stage) === 'pending' && statusOf(to) === 'active');
  assert.deepEqual(
    starts.map(({ stage, event }) => `${stage} ${event}`),
    ['confirmed supply_started'],
  );
});

test('every stage can be reached and left, except that nothing follows the end', () => {
  for (const stage of STAGES) {
    assert.equal(
      steps.some((step) => step.stage === stage),
      stage !== 'ended',
    );
    assert.ok(stage === 'identifying' || steps.some(({ to }) => to === stage));
  }
  assert.equal(transition('ended', 'supply_started'), undefined);
});

test('each event that ends a life is told as its end, and only those', () => {
  for (const { to, announces } of steps) assert.equal(to === 'ended', announces === 'subscription.ended');
});

test('docs/market.md shows the diagram as it is printed from the table', () => {
  const page = readFileSync(new URL('../../../docs/market.md', import.meta.url), 'utf8');
  const shown = /```mermaid\n(.*?)```/s.exec(page)?.[1];
  assert.equal(shown, lifecycleDiagram());
});
