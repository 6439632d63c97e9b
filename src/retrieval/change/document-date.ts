import type { GraphNode } from '../../core/model.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { type DateRange, utcDay, weekdayOf } from '../dates/calendar.js';
import { dateIn } from '../dates/dates.js';

/** Characters at the start of a document where a line may say its date, and of such a line. */
const OPENING = 600;
const LINE = 60;
/** Characters of a title, heading or label that are read. */
const NAME = 300;
const DAYS_OF_WEEK = 7;

const HAS_YEAR = /(?:19|20)\d{2}/u;
const WEEK = /(?:^|[^\p{L}])(?:kw|cw|(?:calendar )?week|woche)\s*(\d{1,2})\s*(?:[/,–-]|of)?\s*((?:19|20)\d{2})(?!\d)/iu;
const ISO_WEEK = /(?<!\d)((?:19|20)\d{2})-?W(\d{2})(?!\d)/u;
/** What a line with the date of its document begins with. */
const DATED =
  /^\W*(?:date|dated|datum|stand|as of|effective|valid(?! (?:until|till|to|through|thru))|gültig(?! bis)|(?:last )?updated|revised|published|sent|issued|fecha|data|date du)\b/iu;
/** What may stand beside the date of a line that holds nothing else: a place, a day of the week, an article. */
const BESIDE = /^\W*(?:[\p{L}. -]{2,30}, ?)?(?:the|den|am|vom|le|el|il|de)?\W*$/u;
/** A year at the end of a title or name of a file, or at its beginning: "Price list 2026", "2026 budget". */
const YEAR_OF = /(?:^|[ _(–-])(?:19|20)\d{2}\)?(?:\.\p{L}{1,5})?$|^(?:19|20)\d{2}(?= )|[ _-](?:19|20)\d{2}(?= ?>|,)/u;
const LAST_WEEK = 53;
/** Days since 1970 between which documents are dated. */
const [FIRST, LAST] = [utcDay(1900, 0, 1), utcDay(2100, 0, 1)];
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
  const [title = '', ...headings] = name.split(PATH_SEPARATOR);
  let best: DateRange | undefined;
  for (const text of [title, label, ...datedLines(opening, language), ...headings]) {
    const found = rangeIn(text, language);
    if (found === undefined) continue;
    // What is more precise has to lie within what is known.
    const refines = best !== undefined && PRECISION[found.precision] > PRECISION[best.precision];
    if (best === undefined || (refines && found.from >= best.from && found.to <= best.to)) best = found;
  }
  return best;
}

/** Returns a title without its date and what ties it: the same for the minutes of each month. */
export function seriesOf(name: string): string {
  const [title = ''] = name.split(PATH_SEPARATOR);
  return title
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .split(' ')
    .filter((word) => word.length > 2 && rangeIn(`1 ${word} 2000`, 'english')?.precision !== 'day')
    .join(' ');
}

/** Returns the name of the first passage of a passage's document. */
export function openingName({ name }: Pick<GraphNode, 'name'>): string {
  return name.split(PATH_SEPARATOR)[0]!;
}

function datedLines(opening: string, language: string): string[] {
  const lines = opening.slice(0, OPENING).split('\n');
  return lines.filter(
    (line) => line.length <= LINE && HAS_YEAR.test(line) && (DATED.test(line) || isAlone(line, language)),
  );
}

/** Returns whether a line holds hardly more than a day or a week: "Hamburg, 12 May 2026". */
function isAlone(line: string, language: string): boolean {
  if (weekIn(line) !== undefined) return true;
  return [language, 'english'].some((one) => {
    const date = dateIn(line, undefined, one);
    return date?.precision === 'day' && BESIDE.test(line.replace(date.words, ''));
  });
}

function rangeIn(written: string, language: string): DateRange | undefined {
  const text = written.slice(0, NAME);
  if (!HAS_YEAR.test(text)) return undefined;
  const plain = text.replaceAll('_', ' ');
  const found = [weekIn(text), ...[language, 'english'].map((one) => dateIn(plain, undefined, one))];
  let best: DateRange | undefined;
  for (const one of found) {
    if (one === undefined || one.from < FIRST || one.to > LAST) continue;
    if (one.precision === 'year' && !YEAR_OF.test(text.trim())) continue;
    if (best === undefined || PRECISION[one.precision] > PRECISION[best.precision]) best = one;
  }
  return best;
}

function weekIn(text: string): DateRange | undefined {
  const [written, iso] = [WEEK.exec(text), ISO_WEEK.exec(text)];
  const [week, year] = written === null ? [iso?.[2], iso?.[1]] : [written[1], written[2]];
  if (week === undefined || year === undefined || Number(week) > LAST_WEEK) return undefined;
  // The week with 4 January is the first one.
  const fourth = utcDay(Number(year), 0, 4);
  const monday = fourth - weekdayOf(fourth) + (Number(week) - 1) * DAYS_OF_WEEK;
  return { from: monday, to: monday + DAYS_OF_WEEK - 1, precision: 'span' };
}
