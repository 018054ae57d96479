const HEADER_BYTES = 20;
const TEXT_OID = 25;
const NULL_LENGTH = -1;

/**
 * A `text[]` parameter in PostgreSQL's binary form: nothing in it has to be escaped or parsed, which for long texts with
 * many quotes, such as JSON, costs a fifth of the textual form. Only where the statement says `::text[]`.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  let size = HEADER_BYTES;
  for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const buffer = Buffer.allocUnsafe(size);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(TEXT_OID, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of values) {
    const length = value === null ? 0 : buffer.write(value, at + 4);
    buffer.writeInt32BE(value === null ? NULL_LENGTH : length, at);
    at += 4 + length;
  }
  return buffer;
}
