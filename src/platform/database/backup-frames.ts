import { createHash } from 'node:crypto';
import { equalDigests, type Keys } from '../crypto.ts';
import type { AppliedMigration } from './migrate.ts';

/** What stands at the beginning of a backup. */
export interface BackupHeader {
  readonly format: 1;
  /** As it is written, in UTC. */
  readonly created_at: string;
  /** What the schema was made by, oldest first. */
  readonly migrations: readonly (AppliedMigration & { readonly applied_at: string })[];
  /** A text encrypted with the key of the database, base64: tells another key at once. */
  readonly key_sample: string;
}

/** One table of a backup; its rows follow, as `copy` writes them. */
export interface BackupTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * A piece of a backup: its header; for each table its description, its rows in portions and their count; at the end a
 * seal over everything before, which nobody makes without the key.
 */
export type Frame =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: BackupTable }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'end of table'; readonly rows: number };

/** The backup cannot be restored: it is no backup, was cut off or altered, or is of another key. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

const SAMPLE_CONTEXT = 'backup';
const SAMPLE = 'wattline';
const LETTERS = { header: 'H', table: 'T', rows: 'D', 'end of table': 'E' } as const;
const SEAL = 'Z';
const HEAD_BYTES = 5;
/** No frame that we write is longer: more is damage, and would fill the memory. */
const MAX_FRAME_BYTES = 1 << 30;

/** What a header needs so that another key is told at once. */
export function keySample(keys: Keys): string {
  return keys.encrypt(SAMPLE, SAMPLE_CONTEXT).toString('base64');
}

/** The bytes of a backup: its frames, and the seal. */
export async function* encodeFrames(frames: AsyncIterable<Frame>, keys: Keys): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  for await (const frame of frames) {
    const bytes = encode(LETTERS[frame.kind], payloadOf(frame));
    digest.update(bytes);
    yield bytes;
  }
  yield encode(SEAL, sealOf(keys, digest.digest('hex')));
}

function payloadOf(frame: Frame): Buffer {
  if (frame.kind === 'rows') return frame.bytes;
  const value = frame.kind === 'header' ? frame.header : frame.kind === 'table' ? frame.table : { rows: frame.rows };
  return Buffer.from(JSON.stringify(value));
}

function encode(letter: string, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(letter, 'latin1');
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

function sealOf(keys: Keys, digest: string): Buffer {
  return keys.seal(JSON.stringify(['backup', digest]));
}

/**
 * The frames of a backup as they come in. That all of them are as they were written is known once they have ended without
 * an error: until then nothing may be kept.
 * @throws DamagedBackup
 */
export async function* decodeFrames(bytes: AsyncIterable<Buffer>, keys: Keys): AsyncGenerator<Frame> {
  const digest = createHash('sha256');
  let isFirst = true;
  let isSealed = false;
  for await (const { letter, payload, whole } of piecesOf(bytes)) {
    if (isSealed) throw followed();
    if (letter === SEAL) {
      isSealed = equalDigests(payload, sealOf(keys, digest.digest('hex')));
      if (isSealed) continue;
      throw new DamagedBackup('The backup was altered: its seal does not fit.');
    }
    digest.update(whole);
    const frame = decode(letter, payload);
    if (frame === null || (frame.kind === 'header') !== isFirst) throw notOurs();
    if (frame.kind === 'header') requireKey(frame.header, keys);
    isFirst = false;
    yield frame;
  }
  if (!isSealed) throw new DamagedBackup('The backup is cut off: it has no end.');
}

/** Something stands behind the seal. */
export function followed(): DamagedBackup {
  return new DamagedBackup('The backup was altered: something follows its end.');
}

function notOurs(): DamagedBackup {
  return new DamagedBackup('The file is no backup of Wattline, or was altered.');
}

function decode(letter: string, payload: Buffer): Frame | null {
  if (letter === LETTERS.rows) return { kind: 'rows', bytes: payload };
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    return null;
  }
  switch (letter) {
    case LETTERS.header: {
      const header = value as BackupHeader;
      return (header.format as number) === 1 ? { kind: 'header', header } : null;
    }
    case LETTERS.table:
      return { kind: 'table', table: value as BackupTable };
    case LETTERS['end of table']:
      return { kind: 'end of table', rows: (value as { rows: number }).rows };
    default:
      return null;
  }
}

function requireKey(header: BackupHeader, keys: Keys): void {
  try {
    if (keys.decrypt(Buffer.from(header.key_sample, 'base64'), SAMPLE_CONTEXT) === SAMPLE) return;
  } catch {
    // Told below: the cause names nothing that helps.
  }
  throw new DamagedBackup(
    `${keys.origin} is not the key of the database that the backup was made of; restore that key.`,
  );
}

interface Piece {
  readonly letter: string;
  readonly payload: Buffer;
  readonly whole: Buffer;
}

async function* piecesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wanted = HEAD_BYTES;
  for await (const chunk of bytes) {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < wanted) continue;
    let rest = Buffer.concat(held);
    wanted = lengthAt(rest);
    while (rest.length >= wanted && wanted > HEAD_BYTES) {
      const whole = rest.subarray(0, wanted);
      yield { letter: whole.toString('latin1', 0, 1), payload: whole.subarray(HEAD_BYTES), whole };
      rest = rest.subarray(wanted);
      wanted = lengthAt(rest);
    }
    held = [rest];
    heldBytes = rest.length;
  }
  if (heldBytes > 0) throw new DamagedBackup('The backup is cut off in the middle.');
}

/** The length of the frame that begins here, as far as it is known; no frame is empty. */
function lengthAt(bytes: Buffer): number {
  if (bytes.length < HEAD_BYTES) return HEAD_BYTES;
  const length = bytes.readUInt32BE(1);
  if (length === 0 || length > MAX_FRAME_BYTES) throw notOurs();
  return HEAD_BYTES + length;
}
