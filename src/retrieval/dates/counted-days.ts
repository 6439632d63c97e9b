import { byLanguage } from './by-language.js';
import { DAY, type DateRange, monthBefore, utcDay, WEEK } from './calendar.js';
import { bounded, patternsOf, withoutMarks } from './date-patterns.js';

/** How one language counts days from today. `#` stands for a number and `@` for days, weeks or months; the parts are alternatives. */
interface CountingWords {
  /** As many days later: "in three days". */
  readonly later: readonly string[];
  /** As many days before. */
  readonly ago: readonly string[];
  /** All of the days until today, and all from today on. */
  readonly last: readonly string[];
  readonly next: readonly string[];
  /** What opens a question for how much there is, or was done, in as much time: "How many loaves do they bake in a week?". */
  readonly measures: string;
}

const TABLES: Readonly<Record<string, CountingWords>> = {
  english: {
    later: ["in # @(?:['’]s?)?(?: time)?", '# @ from (?:now|today)'],
    ago: ['# @ (?:ago|earlier)'],
    last: ['(?:last|past|previous) # @'],
    next: ['(?:next|coming) # @', 'within (?:the next )?# @'],
    measures: 'how',
  },
  german: {
    later: ['in # @'],
    ago: ['vor # @'],
    last: ['(?:letzten|vergangenen|vorigen) # @'],
    next: ['(?:nächsten|kommenden) # @', 'innerhalb von # @'],
    measures: 'wie',
  },
  french: {
    later: ['dans # @'],
    ago: ['il y a # @'],
    last: ['# derni(?:ers|ères) @'],
    next: ['# prochaine?s @', "d['’]ici # @"],
    measures: 'combien',
  },
  spanish: {
    later: ['(?:dentro de|de aquí a) # @', 'en (?!un)# @'],
    ago: ['hace # @', '# @ atrás'],
    last: ['últim[oa]s # @'],
    next: ['próxim[oa]s # @'],
    measures: '¿?cuánt[oa]s?',
  },
  italian: {
    later: ['(?:tra|fra) # @'],
    ago: ['# @ fa'],
    last: ['ultim[ie] # @'],
    next: ['prossim[ie] # @', 'entro # @'],
    measures: 'quant[oaie]',
  },
  portuguese: {
    later: ['(?:dentro de|daqui a) # @', 'em (?!um)# @'],
    ago: ['há # @', '# @ atrás'],
    last: ['últim[oa]s # @'],
    next: ['próxim[oa]s # @'],
    measures: 'quant[oa]s?',
  },
  dutch: {
    later: ['over # @'],
    ago: ['# @ geleden'],
    last: ['(?:afgelopen|laatste) # @'],
    next: ['(?:komende|volgende) # @', 'binnen # @'],
    measures: 'hoe',
  },
};

/** Numbers in which days are counted, besides those from one to ten. */
const MORE_NUMBERS = new Map(
  Object.entries({
    2: 'duas',
    11: 'eleven elf onze once undici',
    12: 'twelve zwölf douze doce dodici doze twaalf',
    14: 'fourteen vierzehn quatorze catorce quattordici veertien',
    15: 'fifteen fünfzehn quinze quince quindici vijftien',
    20: 'twenty zwanzig vingt veinte venti vinte twintig',
    30: 'thirty dreißig trente treinta trenta trinta dertig',
  }).flatMap(([number, words]) => words.split(' ').map((word) => [word, Number(number)] as const)),
);
/** Days on either side of the same day some weeks away. */
const AROUND = 3;

/** Languages that count today in: "quinze jours" are two weeks. */
const COUNTS_TODAY = new Set(['french', 'spanish', 'italian', 'portuguese']);
const [A_WEEK, TWO_WEEKS] = [8, 15];

type Way = 'later' | 'ago' | 'last' | 'next';

const patternsOfCounting = byLanguage((language) => {
  const { words } = patternsOf(language);
  const table = TABLES[language] ?? TABLES.english!;
  const { day, week, month } = words.units;
  const unit = `(?:(?<day>${day})|(?<week>${week})|(?<month>${month}))`;
  const make = (parts: readonly string[]): readonly RegExp[] =>
    parts.map((part) => {
      const source = part.replace('#', '(?<count>\\d{1,2}|\\p{L}{1,12})').replace('@', unit);
      return bounded(withoutMarks(source, language), 'iu');
    });
  return {
    ways: { later: make(table.later), ago: make(table.ago), last: make(table.last), next: make(table.next) },
    measures: new RegExp(`^(?:${withoutMarks(table.measures, language)}) `, 'iu'),
    numbers: words.numbers,
  };
});

/** A time that is counted from today. */
export interface CountedTime extends DateRange {
  readonly words: string;
  /** The single day that is meant most likely, where the words count weeks. */
  readonly day?: number;
}

/** Returns the time that some words count back from today: "three days ago", "in the last two weeks"; undefined where there are none. Pure. */
export function countedBack(text: string, today: number, language: string): CountedTime | undefined {
  return counted(text, today, { language, ways: ['ago', 'last'] });
}

/** Returns the time that some words count on from today: "in three days", "in the next two weeks"; undefined where there are none. Pure. */
export function countedAhead(text: string, today: number, language: string): CountedTime | undefined {
  const isMeasure = patternsOfCounting(language).measures.test(text);
  return counted(text, today, { language, ways: isMeasure ? ['next'] : ['later', 'next'] });
}

function counted(
  text: string,
  today: number,
  { language, ways }: { readonly language: string; readonly ways: readonly Way[] },
): CountedTime | undefined {
  const { ways: patterns, numbers } = patternsOfCounting(language);
  for (const way of ways)
    for (const pattern of patterns[way]) {
      const found = pattern.exec(text);
      const count = countOf(found?.groups?.count?.toLowerCase(), numbers);
      if (found === null || count === undefined) continue;
      const { week, month } = found.groups!;
      const unit = month === undefined ? (week === undefined ? 'day' : 'week') : 'month';
      return { ...timeOf(way, { unit, count, today, language }), words: found[0] };
    }
  return undefined;
}

interface Count {
  readonly unit: 'day' | 'week' | 'month';
  readonly count: number;
  readonly today: number;
  readonly language: string;
}

function timeOf(way: Way, of: Count): Omit<CountedTime, 'words'> {
  const { unit, count, today } = of;
  const sign = way === 'ago' || way === 'last' ? -1 : 1;
  const day = unit === 'month' ? monthsFrom(today, sign * count) : today + sign * count * (unit === 'week' ? WEEK : 1);
  if (way === 'last') return { from: day, to: today, precision: 'span' };
  if (way === 'next') return { from: today, to: day, precision: 'span' };
  if (unit === 'month') return monthBefore(today, -sign * count);
  if (unit === 'week') return { from: day - AROUND, to: day + AROUND, precision: 'span', day };
  if (COUNTS_TODAY.has(of.language) && (count === A_WEEK || count === TWO_WEEKS))
    return { from: Math.min(day, day - sign), to: Math.max(day, day - sign), precision: 'span' };
  return { from: day, to: day, precision: 'day' };
}

function monthsFrom(today: number, count: number): number {
  const date = new Date(today * DAY);
  return utcDay(date.getUTCFullYear(), date.getUTCMonth() + count, date.getUTCDate());
}

/** Returns the number that a word or digits say; an article, in any of its forms, is 1. */
function countOf(written: string | undefined, numbers: readonly string[]): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d/u.test(written)) return Number(written);
  const at = numbers.findIndex((one) => one === written || bare(one) === bare(written));
  if (at !== -1) return at;
  return MORE_NUMBERS.get(written) ?? (/^(?:an?|ein\p{L}{0,2}|une?|un[ao]|uma|een)$/u.test(written) ? 1 : undefined);
}

function bare(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}
