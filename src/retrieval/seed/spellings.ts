import { keyOf } from '../../core/text/keys.js';
import { languageOf } from '../../core/text/language.js';
import { tokenize } from '../../core/text/tokens.js';
import type { RetrievalParts } from '../collaborators.js';
import { monthNames, shortMonthNames } from '../dates/date-words.js';
import { dateWrittenIn, isoDays } from '../dates/dates.js';
import { dottedDays } from '../dates/month.js';
import { bestTexts } from './best-texts.js';
import { inThousands, withoutPeriods } from './equal-numbers.js';

/** Something that documents may write otherwise than the question does. */
export interface Spelling {
  readonly written: string;
  /** Other ways to write it, the likeliest first. */
  readonly others: readonly string[];
}

/** Words of letters and digits that signs may join, and capitals before a number: `BX442`, `BX-442`, `BX 442`. */
const CODE = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_/.][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;
const SPACED = /(?<![\p{L}\p{N}])\p{Lu}{1,5} \p{Nd}{1,8}(?![\p{L}\p{N}])/gu;
const RUN = /\p{L}+|\p{N}+/gu;
const MIXED = /\p{L}.*\p{N}|\p{N}.*\p{L}/su;
/** 64.80, and 64,80 where a comma divides the cents, also behind thousands: 1,250.00 and 1.250,00. */
const DECIMAL =
  /(?<![\p{L}\p{N}.,])(?:\d{1,12}(?:\.\d{1,4}|,\d{1,2})|\d{1,3}(?:,\d{3}){1,3}\.\d{1,4}|\d{1,3}(?:\.\d{3}){1,3},\d{1,2})(?![\p{L}\p{N}]|[.,]\d)/gu;
/** A number that a comma divides: its words may stand side by side in a day or a list, "2/50" and "2, 50". */
const WITH_COMMA = /^\d+,\d+$/u;
/** What stands before a number of a version or a section: 3.10 is another one than 3.1 there. */
const NUMBERED =
  /(?:\p{Lu}[\p{L}\p{N}]*|(?<!\p{L})(?:v|version|release|section|chapter|step|figure|table|rule|part|item)|§) ?$/u;

/** Parts of a code, and letters of it; more is no code. */
const MOST_PARTS = 5;
const LONGEST = 40;
/** Spellings of one question that are looked up; more costs more than it finds. */
const MOST = 4;
/** Documents looked at for one that holds a spelling. */
const LOOKED_AT = 10;

/** Returns what a question writes that documents may write otherwise: days and months, decimals, codes. Pure. */
export function spellingsIn(text: string): Spelling[] {
  // A month without its year is none of them.
  if (!/\p{N}/u.test(text)) return [];
  const language = languageOf(text);
  const date = dateSpelling(text, language);
  const rest = date === undefined ? text : text.replace(date.written, ' ');
  return [...(date === undefined ? [] : [date]), ...decimals(rest, language), ...codes(rest)].slice(0, MOST);
}

function codes(text: string): Spelling[] {
  const found = [...(text.match(SPACED) ?? []), ...(text.match(CODE) ?? [])].filter(
    (written) => written.length <= LONGEST && MIXED.test(written),
  );
  return [...new Set(found)].flatMap((written) => {
    const parts = written.match(RUN)!;
    const joined = parts.join('');
    return parts.length > MOST_PARTS ? [] : [{ written, others: [joined === written ? parts.join('-') : joined] }];
  });
}

function decimals(text: string, language: string): Spelling[] {
  const amounts = [...text.matchAll(DECIMAL)].filter(({ index }) => !NUMBERED.test(before(text, index)));
  return [...new Set(amounts.map(([written]) => written))].map((written) => {
    const [whole, part] = written.split(/[.,](?=\d+$)/u) as [string, string];
    const pointed = `${whole.replace(/[.,]/gu, '')}.${part}`;
    const least = pointed.replace(/\.?0+$/u, '');
    const cents = least.includes('.') ? least.replace(/\.(\d)$/u, '.$10') : `${least}.00`;
    const commas = [least, cents, pointed].filter((one) => one.includes('.')).map((one) => one.replace('.', ','));
    const grouped = commas.map((one) => one.replace(/^\d+/u, inThousands));
    const inWhole = withoutPeriods(written, language);
    const wholes = inWhole === undefined ? [] : [inWhole];
    const others = new Set([...wholes, pointed, least, cents, ...commas, ...grouped]);
    return { written, others: [...others].filter((other) => other !== written) };
  });
}

/** Returns the end of what stands before a position: a pattern would read a long text over and over. */
function before(text: string, index: number): string {
  return text.slice(Math.max(0, index - LONGEST), index);
}

/** Returns the ways to write the day or the month that a question names with its year. */
function dateSpelling(text: string, language: string): Spelling | undefined {
  const date = dateWrittenIn(text, language);
  if (date === undefined || (date.precision !== 'day' && date.precision !== 'month')) return undefined;
  const [year, month, day] = isoDays({ from: date.from, to: date.from }).split('-') as [string, string, string];
  const names = [...new Set([language, 'english'])].map((one) => monthNames(one)[Number(month) - 1]!);
  const short = shortMonthNames(language, Number(month));
  const others =
    date.precision === 'month'
      ? [`${year}-${month}`, ...[...names, ...short].map((name) => `${name} ${year}`)]
      : [
          `${year}-${month}-${day}`,
          ...names.flatMap((name) => [`${Number(day)} ${name} ${year}`, `${name} ${Number(day)}, ${year}`]),
          ...dottedDays(year, month, day),
          ...slashedDays([year, month, day], language),
          // Signs between the words do not count: "12/Mar/2026" is "12 Mar 2026".
          ...short.flatMap((name) => [`${Number(day)}/${name}/${year}`, `${name} ${Number(day)}, ${year}`]),
          ...(day.startsWith('0') ? [...names, ...short].map((name) => `${day}/${name}/${year}`) : []),
        ];
  const key = wordsKey(date.words);
  return { written: date.words, others: others.filter((other) => wordsKey(other) !== key) };
}

/** Returns the ways to write a day with slashes or hyphens that can mean no other day where people of the language write. */
function slashedDays([year, month, day]: readonly [string, string, string], language: string): string[] {
  const [shortDay, shortMonth] = [String(Number(day)), String(Number(month))];
  const up = [`${day}/${month}/${year}`, `${shortDay}/${shortMonth}/${year}`];
  const american = [`${month}/${day}/${year}`, `${shortMonth}/${shortDay}/${year}`];
  if (day === month || language !== 'english') return up;
  return Number(day) > 12 ? [...up, ...american] : [];
}

/**
 * Returns the question with each date, decimal and code as the documents write it: `BX442` where only `BX-442` or `BX 442`
 * occurs, `2024-06-01` for 1 June 2024 where tables are read. What occurs as it is written stays, and so does what occurs
 * nowhere.
 */
export async function spelledAsFound(
  parts: Pick<RetrievalParts, 'text' | 'graph'>,
  text: string,
  domains: readonly string[] | undefined,
): Promise<string> {
  let spelled = text;
  for (const { written, others } of spellingsIn(text)) {
    if (!spelled.includes(written) || (await isFound(parts, written, domains))) continue;
    for (const other of others) {
      if (!(await isFound(parts, other, domains))) continue;
      spelled = spelled.replace(standingAlone(written), other);
      break;
    }
  }
  return spelled;
}

/** Returns a pattern of a spelling that is no part of another one: 7.5 is none of 17.50. */
function standingAlone(written: string): RegExp {
  const literal = written.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}]|\\p{N}[.,])${literal}(?![\\p{L}\\p{N}]|[.,]\\p{N})`, 'gu');
}

/** Returns whether one of the best documents for a spelling holds its words side by side; a number with a comma, as it is written. */
async function isFound(
  parts: Pick<RetrievalParts, 'text' | 'graph'>,
  spelling: string,
  domains: readonly string[] | undefined,
): Promise<boolean> {
  const { texts } = await bestTexts(parts, spelling, { domains, most: LOOKED_AT });
  if (WITH_COMMA.test(spelling)) {
    const pattern = standingAlone(spelling);
    return texts.some((one) => one.search(pattern) !== -1);
  }
  const key = ` ${wordsKey(spelling)} `;
  return texts.some((one) => ` ${wordsKey(one)} `.includes(key));
}

/** Returns the words of a text as a key, so that signs between them do not count. */
function wordsKey(text: string): string {
  return keyOf(tokenize(text));
}
