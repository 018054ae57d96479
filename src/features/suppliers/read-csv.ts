import { Readable } from 'node:stream';
import { parse, type CsvError, type InfoRecord } from 'csv-parse';

/** A row of a file by its column names, or why there is none. */
export type CsvRow =
  | { readonly ok: true; readonly line: number; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** The columns that are read of a file, in lower case; there may be any others beside. */
export interface WantedColumns {
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** A file that cannot be read as a table at all; its message is a sentence for the operator. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
}

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: InfoRecord;
  /** The source of the record, with the blank lines before it. */
  readonly raw: string;
}

const MAX_HEADER_CHARACTERS = 65_536;
const MAX_RECORD_BYTES = 65_536;
const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * Reads a CSV file row by row, no faster than the rows are taken: UTF-8 with or without BOM, lines ending as on any
 * system, `;` or `,` as the header has it, quoted fields with anything in them, unless that looks like rows of their own.
 * Column names count in lower case and without blanks around them, and so do values. Rows without any value are passed
 * over. `line` is where a row begins.
 *
 * @throws UnreadableCsv when there is no header, it lacks a column of `needed`, or has one of `needed` or `optional` twice
 */
export async function* readCsv(source: AsyncIterable<Uint8Array>, wanted: WantedColumns): AsyncGenerator<CsvRow> {
  const text = decode(source);
  const { header, delimiter } = await readHeader(text);
  const state: { failure?: CsvRow; parsedLines: number } = { parsedLines: 0 };
  const parser = parse({
    delimiter,
    info: true,
    raw: true,
    max_record_size: MAX_RECORD_BYTES,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (record, { lines }) => {
      state.parsedLines = lines;
      return record;
    },
    on_skip: (error, raw) => {
      const line = state.parsedLines + 1 + leadingNewlines(raw ?? '');
      if (error !== undefined) state.failure ??= { ok: false, line, message: explain(error) };
      return undefined;
    },
  });
  const input = Readable.from(untilFailure(header, text, state));
  input.on('error', (error) => parser.destroy(error));
  try {
    yield* rowsOf(input.pipe(parser) as AsyncIterable<ParsedRecord>, wanted, delimiter);
  } finally {
    input.destroy();
  }
  if (state.failure !== undefined) yield state.failure;
}

async function* rowsOf(
  records: AsyncIterable<ParsedRecord>,
  wanted: WantedColumns,
  delimiter: string,
): AsyncGenerator<CsvRow> {
  let columns: readonly string[] | null = null;
  let previousEnd = 0;
  for await (const { record, info, raw } of records) {
    const line = previousEnd + 1 + leadingNewlines(raw);
    previousEnd = info.lines;
    if (columns === null) columns = readColumns(record, wanted);
    else if (record.every((value) => value.trim() === '')) continue;
    else if (swallowsRows(record, filledLines(raw), columns.length, delimiter)) {
      const message = `opens a quote that runs on to line ${info.lines}, over rows of their own; none of them was read`;
      yield { ok: false, line, message };
    } else yield toRow(line, columns, record);
  }
  if (columns === null) throw new UnreadableCsv('the file is empty: it needs a header line with a column "name"');
}

/**
 * Whether a quote that was opened by mistake has taken in rows after its own: a field that runs over lines and is not
 * closed as quotes are (and so keeps the one it begins with), or lines each of which has the fields of a row by itself.
 */
function swallowsRows(
  record: readonly string[],
  lines: readonly string[],
  columnCount: number,
  delimiter: string,
): boolean {
  if (lines.length === 1) return false;
  if (record.length !== columnCount) return true;
  if (record.some((value) => value.startsWith('"') && value.includes('\n'))) return true;
  return columnCount > 1 && lines.every((line) => line.split(delimiter).length >= columnCount);
}

function toRow(line: number, columns: readonly string[], record: readonly string[]): CsvRow {
  if (record.some((value) => value.includes(REPLACEMENT_CHARACTER))) {
    return { ok: false, line, message: 'is not valid UTF-8; save the file in UTF-8' };
  }
  if (record.length !== columns.length) {
    return { ok: false, line, message: `has ${record.length} fields, the header has ${columns.length}` };
  }
  return {
    ok: true,
    line,
    values: Object.fromEntries(columns.map((column, at) => [column, record[at]?.trim() ?? ''])),
  };
}

function readColumns(record: readonly string[], { needed, optional }: WantedColumns): string[] {
  const columns = record.map((name) => name.trim().toLowerCase());
  const countOf = (name: string): number => columns.filter((column) => column === name).length;
  const found = `its columns are ${columns.map((column) => JSON.stringify(column)).join(', ')}`;
  for (const name of needed.filter((each) => countOf(each) === 0)) {
    if (columns.some((column) => column.includes(REPLACEMENT_CHARACTER) || column.includes('\0'))) {
      throw new UnreadableCsv('it is not in UTF-8 but in another encoding, such as UTF-16; save the file in UTF-8');
    }
    throw new UnreadableCsv(`the header line lacks the column "${name}"; ${found}`);
  }
  const repeated = [...needed, ...optional].find((name) => countOf(name) > 1);
  if (repeated !== undefined) throw new UnreadableCsv(`the header line has the column "${repeated}" twice; ${found}`);
  return columns;
}

/** Why the parser gave up; it does not find back into step. */
function explain({ code }: CsvError): string {
  return code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
    ? 'opens a quote that is never closed, or is longer than 64 KiB; nothing after it was read'
    : `is not CSV (${code}); nothing after it was read`;
}

function filledLines(raw: string): string[] {
  return raw.split('\n').filter((line) => line.trim() !== '');
}

function leadingNewlines(raw: string): number {
  return /^\n*/.exec(raw)?.[0].length ?? 0;
}

/** Bytes to text, with LF for each end of a line, so that lines are counted right; wrong bytes become U+FFFD. */
async function* decode(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let endsInReturn = false;
  for await (const bytes of source) {
    const text = decoder.decode(bytes, { stream: true });
    if (text === '') continue;
    // The LF of a CRLF that two chunks divide.
    const rest = endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    endsInReturn = text.endsWith('\r');
    yield rest.replaceAll(/\r\n?/g, '\n');
  }
  yield decoder.decode();
}

/** Reads on until the header line is whole, and tells the delimiter from it. */
async function readHeader(text: AsyncGenerator<string>): Promise<{ header: string; delimiter: string }> {
  let header = '';
  while (!header.trimStart().includes('\n')) {
    const next = await text.next();
    if (next.done === true) break;
    header += next.value;
    if (header.length > MAX_HEADER_CHARACTERS && !header.includes('\n')) {
      throw new UnreadableCsv('the file does not begin with a header line');
    }
  }
  const line = header.trimStart().split('\n', 1)[0] ?? '';
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const delimiter = unquoted.split(';').length > unquoted.split(',').length ? ';' : ',';
  return { header, delimiter };
}

/** The whole text again, its beginning having been read already. */
async function* untilFailure(
  first: string,
  rest: AsyncIterable<string>,
  state: { readonly failure?: CsvRow },
): AsyncGenerator<string> {
  yield first;
  for await (const text of rest) {
    if (state.failure !== undefined) return;
    yield text;
  }
}
