import { THREE_DIGITS } from '../../../src/core/wording/three-digits.js';

/** A number with about three digits. */
export function short(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e9) return `${THREE_DIGITS.format(value / 1e9)} G`;
  if (size >= 1e6) return `${THREE_DIGITS.format(value / 1e6)} M`;
  if (size >= 1e4) return `${THREE_DIGITS.format(value / 1e3)} k`;
  return size >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

/** A count with its noun: `1 passage`, `2 passages`. */
export function counted(count: number, noun: string): string {
  return `${short(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function grams(value: number): string {
  if (value >= 1e6) return `${THREE_DIGITS.format(value / 1e6)} t`;
  return value >= 1000 ? `${THREE_DIGITS.format(value / 1000)} kg` : `${Number(value.toPrecision(3))} g`;
}

export function water(ml: number): string {
  return ml >= 1000 ? `${short(ml / 1000)} L` : `${short(ml)} mL`;
}

export function percent(value: number): string {
  return `${value.toFixed(1)} %`;
}

export function time(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString().slice(0, 16).replace('T', ' ');
}

/** One line of CSV; a cell that a spreadsheet would run stays text. */
export function csvLine(cells: ReadonlyArray<string | number>): string {
  return `${cells
    .map((cell) => {
      const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',')}\r\n`;
}
