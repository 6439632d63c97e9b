import Table from 'cli-table3';
import picocolors from 'picocolors';

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

/** Formats a table for people; wide columns share what the terminal has left. */
export function table<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string {
  if (rows.length === 0) return dim('(none)');
  const cells = rows.map((row) => columns.map((column) => shown(column.of(row))));
  const widths = columns.map((column, i) =>
    Math.max(column.title.length, ...cells.map((row) => Math.max(...row[i]!.split('\n').map((line) => line.length)))),
  );
  const total = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, process.stdout.columns ?? 100));
  const fixed = columns.reduce((sum, column, i) => sum + (column.wide === undefined ? widths[i]! + 3 : 3), 1);
  const shares = columns.reduce((sum, column) => sum + (column.wide ?? 0), 0);
  const made = new Table({
    head: columns.map((column) => bold(column.title)),
    style: { head: [], border: [] },
    // Lines between rows only where texts may take several lines.
    ...(shares > 1 ? {} : { chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } }),
    wordWrap: true,
    wrapOnWordBoundary: true,
    colAligns: columns.map((column) => (column.right === true ? 'right' : 'left')),
    colWidths: columns.map((column, i) => {
      if (column.wide === undefined) return widths[i]! + 2;
      const share = Math.max(12, Math.floor(((total - fixed) * column.wide) / shares));
      return Math.min(share, widths[i]!) + 2;
    }),
  });
  made.push(...cells);
  return made.toString();
}

/** Formats `name  value` lines. */
export function facts(pairs: ReadonlyArray<readonly [string, unknown]>): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${bold(name.padEnd(width))}  ${shown(value)}`).join('\n');
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

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
