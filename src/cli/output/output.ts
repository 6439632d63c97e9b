import Table from 'cli-table3';
import picocolors from 'picocolors';
import stringWidth from 'string-width';

/** Only a terminal gets colours, whatever the environment suggests. */
const colours = picocolors.createColors(process.stdout.isTTY === true && picocolors.isColorSupported);

export const { bold, dim, red, green, yellow, cyan } = colours;

export interface TableColumn<T> {
  readonly title: string;
  readonly of: (row: T) => unknown;
  readonly right?: boolean;
  /** Share of the space that fixed columns leave; text is wrapped to it. */
  readonly wide?: number;
}

const MIN_WIDTH = 60;
const MAX_WIDTH = 160;
/** Columns that a wide column has at least: a file's name should stay on one line. */
const LEAST = 16;

/** Formats a table for people; wide columns share what the terminal has left. */
export function table<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string {
  if (rows.length === 0) return dim('(none)');
  const cells = rows.map((row) => columns.map((column) => shown(column.of(row))));
  const widths = columns.map((column, i) =>
    Math.max(...[column.title, ...cells.flatMap((row) => row[i]!.split('\n'))].map((line) => stringWidth(line))),
  );
  const total = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, process.stdout.columns ?? 100));
  const fixed = columns.reduce((sum, column, i) => sum + (column.wide === undefined ? widths[i]! + 3 : 3), 1);
  const shares = columns.reduce((sum, column) => sum + (column.wide ?? 0), 0);
  const columnWidths = columns.map((column, i) => {
    if (column.wide === undefined) return widths[i]! + 2;
    const share = Math.max(LEAST, Math.floor(((total - fixed) * column.wide) / shares));
    return Math.min(share, widths[i]!) + 2;
  });
  const made = new Table({
    head: columns.map((column) => bold(column.title)),
    style: { head: [], border: [] },
    // Lines between rows only where texts may take several lines.
    ...(shares > 1 ? {} : { chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } }),
    wordWrap: true,
    wrapOnWordBoundary: true,
    colAligns: columns.map((column) => (column.right === true ? 'right' : 'left')),
    colWidths: columnWidths,
  });
  made.push(...cells.map((row) => row.map((cell, i) => broken(cell, columnWidths[i]! - 2))));
  return made.toString();
}

/** Signs after which a path or the name of a file is broken, where one of them is far enough. */
const BREAK_AFTER = /^.*[/\\\-_.](?=[^/\\\-_.])/su;

/** Breaks words that are wider than their column, such as paths and sentences of Chinese: a table would cut them off. */
function broken(text: string, width: number): string {
  return text.replace(/\S+/gu, (word) => {
    if (stringWidth(word) <= width) return word;
    const lines = [''];
    for (const character of word) {
      const line = lines.at(-1)!;
      if (stringWidth(line + character) > width) {
        const kept = BREAK_AFTER.exec(line + character)?.[0] ?? line;
        const isFar = kept.length < line.length && stringWidth(kept) * 2 > width;
        lines.splice(-1, 1, ...(isFar ? [kept, line.slice(kept.length)] : [line, '']));
      }
      lines[lines.length - 1] += character;
    }
    return lines.join('\n');
  });
}

/** Pads a text with spaces to so many columns of a terminal: characters of some scripts take two. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Formats `name  value` lines. */
export function facts(pairs: ReadonlyArray<readonly [string, unknown]>): string {
  const width = Math.max(...pairs.map(([name]) => stringWidth(name)));
  return pairs.map(([name, value]) => `${bold(padded(name, width))}  ${shown(value)}`).join('\n');
}

/** Returns the first `limit` characters of a text on one line. */
export function shortened(text: string, limit = 240): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** Formats a score or confidence with three decimals. */
export function decimal(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(3) : '';
}

export function section(title: string, content: string): string {
  return `${bold(title)}\n${content}`;
}

/**
 * Formats any value on one line: an object as `count 0, mean 1`, what is inside it in brackets, a list with commas, a
 * fraction with six digits.
 */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(inside).join(', ');
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name.replaceAll('_', ' ')} ${inside(member)}`.trimEnd())
    .join(', ');
}

function inside(value: unknown): string {
  return typeof value === 'object' && value !== null ? `(${shown(value)})` : shown(value);
}
