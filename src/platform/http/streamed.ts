/** JSON that is written while it is sent, so that an answer of any size takes little memory and holds nothing up. */
import { Readable } from 'node:stream';

/** A JSON text, or the pieces of it. */
type StreamedValue = string | AsyncIterable<string>;

/** A member of an object. */
export type StreamedMember = readonly [name: string, value: StreamedValue];

/** Pieces are sent together until they have so many characters. */
const CHUNK_CHARACTERS = 16_384;

/** The pieces of an object, of members that are asked for one after the other. */
export async function* writeObject(
  members: AsyncIterable<StreamedMember> | Iterable<StreamedMember>,
): AsyncGenerator<string, void, undefined> {
  let separator = '{';
  for await (const [name, value] of members) {
    yield `${separator}${JSON.stringify(name)}:`;
    if (typeof value === 'string') yield value;
    else yield* value;
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

/** The pieces of an array whose items come in portions. */
export async function* writeArray(
  portions: AsyncIterable<readonly StreamedValue[]>,
): AsyncGenerator<string, void, undefined> {
  let separator = '[';
  for await (const items of portions) {
    for (const item of items) {
      if (typeof item === 'string') yield `${separator}${item}`;
      else {
        yield separator;
        yield* item;
      }
      separator = ',';
    }
  }
  yield separator === '[' ? '[]' : ']';
}

/**
 * The body of an answer of these pieces. The next ones are asked for when the client has taken those before, and never once
 * he has gone. What fails in between fails the stream: its connection is cut, and nobody takes the half for the whole.
 * @param onPiece told before each piece how many bytes it has
 */
export function streamOf(pieces: AsyncIterable<string>, onPiece: (bytes: number) => void): Readable {
  return Readable.from(noted(gathered(pieces), onPiece), { objectMode: false });
}

async function* noted(
  pieces: AsyncIterable<string>,
  onPiece: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) {
    onPiece(Buffer.byteLength(piece));
    yield piece;
  }
}

async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
