import { types } from 'pg';

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const NUMERIC = 1700;
const INT8 = 20;
const JSON_TYPE = 114;
const JSONB = 3802;

/** How a value of a type is read; `createDatabase` tells what of. */
export function parserOf(oid: number, format?: string): (text: string) => unknown {
  if (format !== 'binary') {
    if (oid === TIMESTAMPTZ) return timestampText;
    if (oid === DATE || oid === NUMERIC || oid === INT8 || oid === JSON_TYPE || oid === JSONB) return String;
  }
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the types list some oids, any may come
  return types.getTypeParser(oid, 'text');
}

/** `2026-11-21 06:32:00.123+00` → `2026-11-21T06:32:00Z`; sessions run in UTC. */
function timestampText(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
}
