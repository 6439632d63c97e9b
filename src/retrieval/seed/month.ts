import type { GraphNode } from '../../core/model.js';
import { fold } from '../../core/text/fold.js';
import type { RetrievalParts } from '../collaborators.js';
import { shortMonthNames } from '../conversation/date-words.js';
import { dateIn, isoDays } from '../conversation/dates.js';
import { dottedDays } from './dotted-days.js';
import type { Question } from './question.js';

/** Documents of a domain with the numbers of one day; more hold them by chance, and are not looked through. */
const MOST_A_DAY = 50;
/** Documents with the numbers of any of its days: a month that more of them hold singles none out. */
const MOST = 200;
/** Days of a month at most. */
const LONGEST = 31;
/** Characters of a document that are looked through: a concept may have many. */
const READ = 10_000;

/** A month that a question names with its year, and documents that may hold a day of it. */
export interface MonthHolders {
  /** As ISO 8601 writes it: `2024-03`. */
  readonly month: string;
  /** Its short names, as some write it between slashes, hyphens or dots: `Mar`. */
  readonly names: readonly string[];
  /** The days of it that the question asks for, where it does not ask for all. */
  readonly days: readonly string[];
  readonly ids: readonly string[];
}

/**
 * Returns the month that a question names with its year, or some days of it, and documents of the domains with the numbers of one of its days: no word of
 * "March 2024" stands in "2024-03-14" or "14.03.2024". The text index answers from its postings, for all days at once. Undefined for another question.
 */
export async function monthHolders(
  { text }: Pick<RetrievalParts, 'text'>,
  question: Pick<Question, 'text' | 'language'>,
  domains: readonly string[],
): Promise<MonthHolders | undefined> {
  const date = dateIn(question.text, undefined, question.language);
  if (date?.precision !== 'month' && date?.precision !== 'span') return undefined;
  const days = Array.from({ length: Math.min(LONGEST, date.to - date.from + 1) }, (_, i) =>
    isoDays({ from: date.from + i, to: date.from + i }),
  );
  const [year, month] = days[0]!.split('-') as [string, string];
  // From one month to another no single name stands for the days.
  if (!isoDays({ from: date.to, to: date.to }).startsWith(`${year}-${month}-`)) return undefined;
  const names = shortMonthNames(question.language, Number(month));
  const lists = days.flatMap((iso) => {
    const day = iso.slice(-2);
    // With dots a day is one word.
    const dotted = [...dottedDays(year, month, day), `${year}.${month}.${day}`];
    const named = names.flatMap((name) =>
      [...new Set([day, String(Number(day))])].map((one) => [year, fold(name), one]),
    );
    return [[...new Set([year, month, day])], ...dotted.map((word) => [word]), ...named];
  });
  const found = await Promise.all(domains.map((domain) => text.containingEach(domain, lists, { most: MOST_A_DAY })));
  const ids = new Set(
    found
      .flat()
      .filter((of) => of.length <= MOST_A_DAY)
      .flat(),
  );
  return ids.size > MOST
    ? undefined
    : {
        month: `${year}-${month}`,
        names,
        days: date.precision === 'span' ? days.map((iso) => iso.slice(-2)) : [],
        ids: [...ids],
      };
}

/**
 * Returns the documents that hold a day of the month, written from the year down, or with dots or its short name from the day up. With slashes or hyphens from
 * the day up 03 and 04 may each be the month. Pure.
 */
export function withDayOf({ month, names, days, ids }: MonthHolders, nodes: ReadonlyMap<string, GraphNode>): string[] {
  const [year, number] = month.split('-') as [string, string];
  const wanted = days.length === 0 ? '\\d\\d' : `(?:${days.join('|')})`;
  const short = days.length === 0 ? '\\d?\\d' : `(?:${days.map((day) => day.replace(/^0/u, '0?')).join('|')})`;
  const down = `${year}([./-])${number}\\1${wanted}`;
  const up = `${short}\\.${number.replace(/^0/u, '0?')}\\.${year}`;
  const named = `${short}(?<sign>[./-])(?:${names.join('|')})\\k<sign>${year}`;
  const day = new RegExp(`(?<!\\d)(?:${down}|(?<!\\d\\.)${up}|${named})(?!\\d)`, 'iu');
  return ids.filter((id) => {
    const node = nodes.get(id);
    return node !== undefined && (day.test(node.name) || day.test(node.description.slice(0, READ)));
  });
}
