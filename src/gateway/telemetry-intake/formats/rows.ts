import { slicer } from '../../../core/async/slices.js';
import { SvcError } from '../../../core/errors.js';
import { checkJsonLimits } from '../../../core/json/json-bytes.js';
import { parseJsonInPieces } from '../../../core/json/json-pieces.js';
import { isBlankBetween, requireUtf8, trimmed } from '../../../core/json/utf8.js';
import { isStorable } from '../../../core/text/clean.js';
import { A_COUNT, A_MOMENT, isCount, isLikelySeconds, isMoment } from '../bounds.js';

/** Rows of one body: what is recorded of them shares a transaction. */
const MOST_ROWS = 50_000;
/** A longer line is held to the limits of JSON, in bytes: a short one cannot exceed them. */
const LONG_LINE = 10_000;
const LINE_END = 0x0a;

export type JsonRow = Readonly<Record<string, unknown>>;

/** A row of a body, and where it stands there, counted from 1: `Row 2` of an array, `Line 4` of NDJSON. */
export interface PlacedRow {
  readonly value: unknown;
  readonly place: string;
}

/**
 * Parses the rows of a body that is one JSON object, an array of them, or NDJSON. Throws `invalid_input` naming the
 * line. Limits of JSON hold for the whole of one value, and for each line of NDJSON by itself.
 */
export async function rowsOf(bytes: Uint8Array): Promise<PlacedRow[]> {
  requireUtf8(bytes);
  const body = trimmed(bytes);
  if (body.length === 0)
    throw new SvcError('invalid_input', 'The body is empty; send a trace, a list of traces or NDJSON.');
  const values = (await isNdjson(body)) ? await lines(body, linesBefore(bytes, body)) : await rowsOfOne(body);
  requireFew(values.length);
  return values;
}

/** Returns a row as the object that it must be; throws `invalid_input` naming the row. */
export function requireObject({ value, place }: PlacedRow): JsonRow {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonRow;
  throw new SvcError('invalid_input', `${place} must be a JSON object.`);
}

/** Tells whether the first of several lines is JSON by itself: then no JSON goes on in the second. */
async function isNdjson(body: Buffer): Promise<boolean> {
  const end = body.indexOf(LINE_END);
  return end !== -1 && (await parsed(body.subarray(0, end))) !== undefined;
}

/** Parses one JSON value as a list of rows. */
async function rowsOfOne(body: Buffer): Promise<PlacedRow[]> {
  const value = await parsed(body);
  if (value === undefined) {
    throw new SvcError('invalid_input', `${body.includes(LINE_END) ? 'Line 1' : 'The body'} is not valid JSON.`);
  }
  const rows = Array.isArray(value) ? (value as unknown[]) : [value];
  return rows.map((row, i) => ({ value: row, place: `Row ${i + 1}` }));
}

/** Parses JSON within the limits; undefined where it is none. Throws `too_large`, `invalid_input` for absurd nesting. */
async function parsed(json: Buffer): Promise<unknown> {
  if (json.length > LONG_LINE) await checkJsonLimits(json);
  return parseJsonInPieces(json).catch(() => undefined);
}

async function lines(body: Buffer, before: number): Promise<PlacedRow[]> {
  const pause = slicer();
  const rows: PlacedRow[] = [];
  let number = before;
  for (const line of linesOf(body)) {
    await pause();
    number += 1;
    if (isBlankBetween(line, 0, line.length)) continue;
    requireFew(rows.length + 1);
    const place = `Line ${number}`;
    const value = await parsed(line);
    if (value === undefined) throw new SvcError('invalid_input', `${place} is not valid JSON.`);
    rows.push({ value, place });
  }
  return rows;
}

/** Returns how many empty lines stand before the first row. */
function linesBefore(bytes: Uint8Array, body: Buffer): number {
  let count = 0;
  for (let i = bytes.indexOf(LINE_END); i !== -1 && i < body.byteOffset - bytes.byteOffset; count += 1)
    i = bytes.indexOf(LINE_END, i + 1);
  return count;
}

/** Yields the lines one at a time: ten million empty ones are never a list. */
function* linesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(LINE_END, start);
    const end = found === -1 ? body.length : found;
    yield body.subarray(start, end);
    start = end + 1;
  }
}

function requireFew(rows: number): void {
  if (rows <= MOST_ROWS) return;
  throw new SvcError('too_large', `The body holds more than ${MOST_ROWS} rows; send it in parts.`, {
    limit: MOST_ROWS,
  });
}

/** Reads members of one row; what is wrong throws `invalid_input` naming the row and the member. */
export class RowReader {
  constructor(
    private readonly row: JsonRow,
    /** What errors call it: `Row 2`. */
    readonly place: string,
  ) {}

  text(name: string, limit = 256): string | undefined {
    const value = this.row[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string' || value.length > limit || !isStorable(value)) {
      throw this.wrong(name, `a well-formed text of at most ${limit} characters`);
    }
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.wrong(name, 'a text; it is missing');
    return value;
  }

  /** Reads a number from 0 to `most`. */
  amount(name: string, most: number): number | undefined {
    const value = this.row[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'number' || !(value >= 0 && value <= most)) {
      throw this.wrong(name, `a number from 0 to ${most}`);
    }
    return value;
  }

  /** Reads a whole number of tokens or characters. */
  count(name: string): number | undefined {
    const value = this.row[name];
    if (value === undefined || value === null) return undefined;
    if (!isCount(value)) throw this.wrong(name, A_COUNT);
    return value;
  }

  /** Reads a time in whole milliseconds since the epoch. */
  moment(name: string): number | undefined {
    const value = this.row[name];
    if (value === undefined || value === null) return undefined;
    if (!Number.isInteger(value) || !isMoment(value as number)) {
      throw this.wrong(name, `whole milliseconds, ${A_MOMENT}`);
    }
    if (isLikelySeconds(value as number)) {
      throw this.wrong(name, `in milliseconds; ${value} looks like seconds, so send ${value}000`);
    }
    return value as number;
  }

  flag(name: string): boolean | undefined {
    const value = this.row[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false');
    return value;
  }

  wrong(name: string, what: string): SvcError {
    return new SvcError('invalid_input', `${this.place}: ${name} must be ${what}.`, { member: name });
  }
}
