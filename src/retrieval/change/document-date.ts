import type { GraphNode } from '../../core/model.js';
import { type DateRange, dateIn } from '../conversation/dates.js';

/** Levels of a document's headings in the name of a passage. */
export const LEVELS = ' > ';
/** Characters at the start of a document where a line may say its date, and of such a line. */
const OPENING = 600;
const LINE = 60;
/** Characters of a title, heading or label that are read. */
const NAME = 300;
const DAYS_OF_WEEK = 7;
const DAY = 86_400_000;

const HAS_YEAR = /(?:19|20)\d{2}/u;
const WEEK = /(?:^|[^\p{L}])(?:kw|cw|(?:calendar )?week|woche)\s*(\d{1,2})\s*(?:[/,–-]|of)?\s*((?:19|20)\d{2})(?!\d)/iu;
const ISO_WEEK = /(?<!\d)((?:19|20)\d{2})-?W(\d{2})(?!\d)/u;
/** What a line with the date of its document begins with. */
const DATED =
  /^\W*(?:date|dated|datum|stand|as of|effective|valid|gültig|(?:last )?updated|revised|published|sent|issued|version|vom|fecha|data|date du)\b/iu;
/** The most precise one says more of a document. */
const PRECISION: Readonly<Record<DateRange['precision'], number>> = { day: 3, span: 2, month: 1, year: 0 };

/** What tells when a document is of. */
export interface Dated {
  readonly name: string;
  /** Of its source: mostly the name of a file. */
  readonly label: string;
  /** The first passage of the document; empty where it is not known. */
  readonly opening: string;
}

/**
 * Returns the time that a document says it is of: in its title, the name of its file, a line such as "Date: 12.05.2026" at its start, or a
 * heading of the part that a passage stands in; the most precise of them, the first among equals. Undefined where none says it.
 */
export function documentDate({ name, label, opening }: Dated, language: string): DateRange | undefined {
  const [title = '', ...headings] = name.split(LEVELS);
  let best: DateRange | undefined;
  for (const text of [title, label, ...datedLines(opening), ...headings]) {
    const found = rangeIn(text, language);
    if (found !== undefined && (best === undefined || PRECISION[found.precision] > PRECISION[best.precision]))
      best = found;
  }
  return best;
}

/** Returns a title without its date and what ties it: the same for the minutes of each month. */
export function seriesOf(name: string): string {
  const [title = ''] = name.split(LEVELS);
  return title
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .split(' ')
    .filter((word) => word.length > 2 && rangeIn(`1 ${word} 2000`, 'english')?.precision !== 'day')
    .join(' ');
}

/** Returns the name of the first passage of a passage's document. */
export function openingName({ name }: Pick<GraphNode, 'name'>): string {
  return name.split(LEVELS)[0]!;
}

function datedLines(opening: string): string[] {
  const lines = opening.slice(0, OPENING).split('\n');
  return lines.filter((line) => line.length <= LINE && HAS_YEAR.test(line) && (DATED.test(line) || isAlone(line)));
}

/** Returns whether a line holds hardly more than a date: "Hamburg, 12 May 2026". */
function isAlone(line: string): boolean {
  const words = line.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length <= 5;
}

function rangeIn(written: string, language: string): DateRange | undefined {
  const text = written.slice(0, NAME);
  if (!HAS_YEAR.test(text)) return undefined;
  const week = weekIn(text);
  if (week !== undefined) return week;
  const plain = text.replaceAll('_', ' ');
  const [own, english] = [language, 'english'].map((one) => dateIn(plain, undefined, one));
  if (own === undefined || english === undefined) return own ?? english;
  return PRECISION[english.precision] > PRECISION[own.precision] ? english : own;
}

function weekIn(text: string): DateRange | undefined {
  const [written, iso] = [WEEK.exec(text), ISO_WEEK.exec(text)];
  const [week, year] = written === null ? [iso?.[2], iso?.[1]] : [written[1], written[2]];
  if (week === undefined || year === undefined) return undefined;
  // The week with 4 January is the first one.
  const fourth = Date.UTC(Number(year), 0, 4) / DAY;
  const monday = fourth - ((new Date(fourth * DAY).getUTCDay() + 6) % 7) + (Number(week) - 1) * DAYS_OF_WEEK;
  return { from: monday, to: monday + DAYS_OF_WEEK - 1, precision: 'span' };
}
