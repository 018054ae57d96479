/** What the database refuses because of itself, told from what it refuses because of what it was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { isOutOfRoom, isUnavailable } from './errors.ts';

/** PostgreSQL tells by the place in its code what it gives one SQLSTATE for. */
const REFUSALS: readonly (readonly [
  what: string,
  code: string,
  routine: string,
  unavailable: boolean,
  room: boolean,
])[] = [
  ['transaction ids that are used up', '54000', 'GetNewTransactionId', true, true],
  ['ids of locks by several transactions that are used up', '54000', 'GetNewMultiXactId', true, true],
  ['a statement that is too large', '54000', 'exec_bind_message', false, false],
  ['a full disk', '53100', 'mdextend', true, true],
  ['a quota that is used up', 'XX000', 'mdextend', true, true],
  ['a quota that leaves no room for what a statement puts aside', 'XX000', 'BufFileDumpBuffer', true, true],
  ['a defect of the server', 'XX000', 'ExecEvalExpr', false, false],
  ['a row that is there already', '23505', '_bt_check_unique', false, false],
];
for (const [what, code, routine, unavailable, room] of REFUSALS) {
  test(`${what}: ${unavailable ? '' : 'not '}the database’s own fault, and ${room ? '' : 'not '}for want of room`, () => {
    const error = Object.assign(new DatabaseError('refused', 7, 'error'), { code, routine });
    assert.deepEqual([isUnavailable(error), isOutOfRoom(error)], [unavailable, room]);
  });
}
