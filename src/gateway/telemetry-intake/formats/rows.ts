import { SvcError } from '../../../core/errors.js';
import { parseJsonInPieces } from '../../../core/json/json-pieces.js';
import { slicer } from '../../../core/slices.js';
import { isStorable } from '../../../core/text/storable.js';

export type JsonRow = Readonly<Record<string, unknown>>;

/**
 * Parses the rows of a body that is one JSON object, an array of them, or NDJSON. Throws `invalid_input` naming the
 * line or row.
 */
export async function rowsOf(text: string): Promise<JsonRow[]> {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '')
    throw new SvcError('invalid_input', 'The body is empty; send a trace, a list of traces or NDJSON.');
  const whole = await parseJsonInPieces(trimmed).catch(() => undefined);
  const values = whole === undefined ? await lines(trimmed) : Array.isArray(whole) ? (whole as unknown[]) : [whole];
  return values.map((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new SvcError('invalid_input', `Row ${index} must be a JSON object.`);
    }
    return value as JsonRow;
  });
}

async function lines(text: string): Promise<unknown[]> {
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (rows.length === 1) throw new SvcError('invalid_input', 'The body is not valid JSON.');
  const pause = slicer();
  const values: unknown[] = [];
  for (const [index, line] of rows.entries()) {
    const value = parsed(line);
    if (value === undefined) throw new SvcError('invalid_input', `Line ${index + 1} is not valid JSON.`);
    values.push(value);
    await pause();
  }
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads members of one row; what is wrong throws `invalid_input` naming the row and the member. */
export class RowReader {
  constructor(
    private readonly row: JsonRow,
    private readonly index: number,
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

  /** Reads a finite number of at least 0. */
  amount(name: string): number | undefined {
    const value = this.row[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw this.wrong(name, 'a number of at least 0');
    return value;
  }

  /** Reads a whole number of at least 0. */
  count(name: string): number | undefined {
    const value = this.amount(name);
    if (value !== undefined && !Number.isSafeInteger(value)) throw this.wrong(name, 'a whole number of at least 0');
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.row[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false');
    return value;
  }

  wrong(name: string, what: string): SvcError {
    return new SvcError('invalid_input', `Row ${this.index}: ${name} must be ${what}.`, {
      member: name,
      row: this.index,
    });
  }
}
