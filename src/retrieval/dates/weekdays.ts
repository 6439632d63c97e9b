import { aheadWords } from './ahead-words.js';
import { byLanguage } from './by-language.js';
import { DAY, type DateRange, WEEK, weekdayOf } from './calendar.js';
import { bounded, LETTERS, withoutMarks } from './date-patterns.js';

/** Languages as `stem` names them, by the code that says so. */
const CODES: Readonly<Record<string, string>> = {
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
};
/** Names besides those that Unicode's tables give. */
const OTHERS: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  english: { 1: ['tues'], 2: ['weds'], 3: ['thur', 'thurs'] },
  german: { 5: ['sonnabend'] },
};
/** Characters around a day that tell which one is meant. */
const NEAR = 40;
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** The names of a day of the week in lower case: in full, and short ones as tables write them. */
export interface WeekdayNames {
  readonly whole: readonly string[];
  readonly short: readonly string[];
}

/** Days of the week that a question asks about. */
export interface AskedWeekday {
  readonly words: string;
  /** The one that is meant; behind it the other one that may be, where the question does not tell. */
  readonly ranges: readonly [DateRange, ...DateRange[]];
}

/** Returns the names of the days of the week in a language, Monday first. */
export const weekdayNames = byLanguage((language): readonly WeekdayNames[] => {
  const [long, short] = (['long', 'short'] as const).map(
    (weekday) => new Intl.DateTimeFormat(CODES[language] ?? 'en', { weekday, timeZone: 'UTC' }),
  );
  const nameOf = (place: number, format: Intl.DateTimeFormat): string => {
    const name = format.format(MONDAY + place * DAY);
    return name.toLowerCase().replace(/\.$/u, '');
  };
  return Array.from({ length: WEEK }, (_, place) => {
    const whole = nameOf(place, long!);
    const others = OTHERS[CODES[language] === undefined ? 'english' : language]?.[place] ?? [];
    // The first half of a day of Portuguese is an ordinal number too: "segunda".
    const half = whole.split('-')[0]!;
    const isLong = (one: string): boolean => one.length > 5;
    return {
      whole: [...new Set([whole, whole.normalize('NFD').replace(/\p{M}/gu, ''), ...others.filter(isLong)])],
      short: [nameOf(place, short!), half, ...others.filter((one) => !isLong(one))],
    };
  });
});

/** What stands before or behind a day of the week to mean the last one, or the next one. */
interface Around {
  readonly before: RegExp | undefined;
  readonly after: RegExp | undefined;
}

const patternsOf = byLanguage((language) => {
  const { last, next, every, past } = aheadWords(language);
  const around = ({ before, after }: typeof last): Around => ({
    before: before === undefined ? undefined : bounded(`(?:${withoutMarks(before, language)}) ?$`, 'iu'),
    after: after === undefined ? undefined : new RegExp(`^ (?:${withoutMarks(after, language)})(?![${LETTERS}])`, 'iu'),
  });
  const names = weekdayNames(language).flatMap(({ whole }) => whole);
  return {
    day: bounded(names.join('|'), 'giu'),
    last: around(last),
    next: around(next),
    every: bounded(`(?:${every}) ?$`, 'iu'),
    past: bounded(past, 'iu'),
  };
});

/** Returns a day's name with the words around it that match; undefined where none does. */
function said({ before, after }: Around, name: string, context: { readonly before: string; readonly after: string }) {
  const lead = before?.exec(context.before)?.[0] ?? '';
  const tail = after?.exec(context.after)?.[0] ?? '';
  return lead === '' && tail === '' ? undefined : lead + name + tail;
}

/**
 * Returns the day of the week that a question asks about, counted from today: "last Friday", "next Wednesday", and "on Monday", which is the next one or, where a verb
 * says that it is over, the last one; where nothing does, the last one stands behind the next. "Every Monday" and names such as "Black Friday" are no day. Pure.
 */
export function askedWeekday(text: string, today: number, language: string): AskedWeekday | undefined {
  const { day, last, next, every, past } = patternsOf(language);
  for (const found of text.matchAll(day)) {
    const [name] = found;
    const end = found.index + name.length;
    const context = {
      before: text.slice(Math.max(0, found.index - NEAR), found.index),
      after: text.slice(end, end + NEAR),
    };
    if (every.test(context.before) || isPartOfName(context.before)) continue;
    const place = weekdayNames(language).findIndex(({ whole }) => whole.includes(name.toLowerCase()));
    const ahead = (place - weekdayOf(today) + WEEK) % WEEK;
    const at = (count: number): DateRange => ({ from: today + count, to: today + count, precision: 'day' });
    const [coming, gone] = [at(ahead === 0 ? WEEK : ahead), at(ahead - WEEK)];
    const lastOne = said(last, name, context);
    if (lastOne !== undefined) return { words: lastOne, ranges: [gone] };
    const nextOne = said(next, name, context);
    if (nextOne !== undefined) return { words: nextOne, ranges: [coming] };
    if (past.test(text)) return { words: name, ranges: [gone] };
    // Said on that day itself, it may be today.
    return { words: name, ranges: ahead === 0 ? [at(0), coming] : [coming, gone] };
  }
  return undefined;
}

/** Words of other languages that few words may hold to say a day. */
const TELLING: Readonly<Record<string, string>> = {
  german: 'vorgestern gestern heute morgen übermorgen tage tagen wochen monaten',
  french: "avant-hier hier aujourd'hui demain après-demain jours semaine semaines",
  spanish: 'anteayer ayer hoy mañana día días',
  italian: 'ieri oggi domani dopodomani giorni settimana settimane mesi',
  portuguese: 'anteontem ontem hoje amanhã dias',
  dutch: 'eergisteren gisteren vandaag overmorgen dagen weken',
};

let languages: Map<string, string> | undefined;

/** Returns the language in which one of a few words is a day ("theke gestern", "hall mittwoch"); they may be too few to tell theirs otherwise. */
export function languageOfDay(text: string): string | undefined {
  languages ??= new Map(
    Object.entries(TELLING).flatMap(([language, words]) => {
      const days = weekdayNames(language).flatMap(({ whole }) => whole);
      return [...words.split(' '), ...days].map((word) => [word, language] as const);
    }),
  );
  for (const word of text.toLowerCase().split(/[\s?!.,;:]+/u)) {
    const language = languages.get(word);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** Returns whether a capital letter inside the sentence stands before, as in "Black Friday", "Easter Monday". */
function isPartOfName(before: string): boolean {
  return /\S \p{Lu}\p{Ll}+ $/u.test(before);
}
