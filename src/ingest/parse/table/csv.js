import { parse } from 'csv-parse/sync';
import { withoutPageLinks } from '../markdown/page-links.js';
import { partsOf, tableOf, widthOf } from './table.js';

/** @typedef {import('../parts.js').Part} Part */

const DELIMITERS = [',', ';', '\t', '|'];
/** Records from which the delimiter is told. */
const SAMPLE = 200;
/** Characters that hold them. */
const SAMPLED = 1 << 16;

/**
 * Returns the parts of a table as CSV: each row by the names of its columns, below its own name where it has one. The delimiter is told from
 * the text; what stands above the head is prose, and a table without a head has rows of values alone.
 * @param {string} text
 * @returns {{ parts: Iterable<Part> }}
 */
export function csvParts(text) {
  const { delimiter, body } = dialectOf(text);
  return { parts: partsOf(tableOf(recordsOf(body, { delimiter }))) };
}

/**
 * Returns the records of a text; of a sample those that are whole.
 * @param {string} text @param {{ delimiter: string, isSample?: boolean }} options @returns {string[][]}
 */
function recordsOf(text, { delimiter, isSample = false }) {
  /** @type {string[][]} */
  const records = [];
  const options = {
    delimiter,
    to: isSample ? SAMPLE : -1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    ltrim: true,
    on_record: (record) => {
      records.push(record.map((cell) => withoutPageLinks(cell.trim())));
      return null;
    },
  };
  try {
    parse(text, options);
  } catch (error) {
    if (error?.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    if (isSample) return records;
    // A quotation mark that nothing closes is a sign like any other.
    records.length = 0;
    parse(text, { ...options, quote: null });
  }
  return records;
}

/**
 * Returns what divides the cells of a text, and the text without the line that says so to a spreadsheet. What gives the text a head in its first
 * line comes before what divides most of its records alike: addresses may have commas in every row.
 * @param {string} text
 */
function dialectOf(text) {
  const said = /^sep=(.)\r?\n/iu.exec(text);
  if (said !== null) return { delimiter: said[1], body: text.slice(said[0].length) };
  const sample = text.slice(0, SAMPLED);
  const ranked = DELIMITERS.map((delimiter) => {
    const records = recordsOf(sample, { delimiter, isSample: true });
    const width = widthOf(records);
    const share = records.filter((record) => record.length === width).length / Math.max(1, records.length);
    const { above, head } = tableOf(records);
    const headed = head !== undefined && above.length === 0 ? 1 : 0;
    return { delimiter, score: width < 2 ? 0 : headed + share * (1 - 1 / width) };
  });
  const { delimiter } = ranked.reduce((best, other) => (other.score > best.score ? other : best));
  return { delimiter, body: text };
}
