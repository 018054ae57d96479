import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptUntil } from './retention.ts';

test('records are kept for eight years from the end of the year of the last day supplied, in Berlin', () => {
  const table = [
    // Supplied until the end of 30 December, of the last day of the year, and of the first one of the next.
    ['2027-12-30T23:00:00Z', '2035-12-31'],
    ['2027-12-31T23:00:00Z', '2035-12-31'],
    ['2028-01-01T23:00:00Z', '2036-12-31'],
    // Midnight in the summer, and what ended within a day.
    ['2027-06-30T22:00:00Z', '2035-12-31'],
    ['2027-12-31T22:59:59Z', '2035-12-31'],
    ['2027-12-31T23:00:01Z', '2036-12-31'],
  ] as const;
  for (const [endAt, until] of table) assert.equal(keptUntil(endAt), until, endAt);
});
