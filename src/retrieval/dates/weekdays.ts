import { aheadWords } from './ahead-words.js';
import { type DateRange, weekdayOf } from './calendar.js';
import { bounded } from './date-patterns.js';

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
const WEEK = 7;
/** Characters around a day that tell which one is meant. */
const NEAR = 40;
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

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

const named = new Map<string, readonly WeekdayNames[]>();

/** Returns the names of the days of the week in a language, Monday first. */
export function weekdayNames(language: string): readonly WeekdayNames[] {
  const known = named.get(language);
  if (known !== undefined) return known;
  const [long, short] = (['long', 'short'] as const).map(
    (weekday) => new Intl.DateTimeFormat(CODES[language] ?? 'en', { weekday, timeZone: 'UTC' }),
  );
  const nameOf = (place: number, format: Intl.DateTimeFormat): string => {
    const name = format.format(MONDAY + place * DAY);
    return name.toLowerCase().replace(/\.$/u, '');
  };
  const names = Array.from({ length: WEEK }, (_, place) => {
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
  named.set(language, names);
  return names;
}

interface Patterns {
  readonly day: RegExp;
  readonly lastBefore: RegExp | undefined;
  readonly lastAfter: RegExp | undefined;
  readonly nextBefore: RegExp | undefined;
  readonly nextAfter: RegExp | undefined;
  readonly every: RegExp;
  readonly past: RegExp;
}

const made = new Map<string, Patterns>();

function patternsOf(language: string): Patterns {
  const known = made.get(language);
  if (known !== undefined) return known;
  const { last, next, every, past } = aheadWords(language);
  const before = (words: string | undefined): RegExp | undefined =>
    words === undefined ? undefined : bounded(`(?:${words}) ?$`, 'iu');
  const after = (words: string | undefined): RegExp | undefined =>
    words === undefined ? undefined : new RegExp(`^ (?:${words})(?!\\p{L})`, 'iu');
  const patterns = {
    day: bounded(
      weekdayNames(language)
        .flatMap(({ whole }) => whole)
        .join('|'),
      'giu',
    ),
    lastBefore: before(last.before),
    lastAfter: after(last.after),
    nextBefore: before(next.before),
    nextAfter: after(next.after),
    every: bounded(`(?:${every}) ?$`, 'iu'),
    past: bounded(past, 'iu'),
  };
  made.set(language, patterns);
  return patterns;
}

/**
 * Returns the day of the week that a question asks about, counted from today: "last Friday", "next Wednesday", and "on Monday", which is the next one or, where a verb
 * says that it is over, the last one; where nothing does, the last one stands behind the next. "Every Monday" and names such as "Black Friday" are no day. Pure.
 */
export function askedWeekday(text: string, today: number, language: string): AskedWeekday | undefined {
  const { day, lastBefore, lastAfter, nextBefore, nextAfter, every, past } = patternsOf(language);
  for (const found of text.matchAll(day)) {
    const [name] = found;
    const before = text.slice(Math.max(0, found.index - NEAR), found.index);
    const after = text.slice(found.index + name.length, found.index + name.length + NEAR);
    if (every.test(before) || isPartOfName(before)) continue;
    const place = weekdayNames(language).findIndex(({ whole }) => whole.includes(name.toLowerCase()));
    const ahead = (place - weekdayOf(today) + WEEK) % WEEK;
    const at = (count: number): DateRange => ({ from: today + count, to: today + count, precision: 'day' });
    const [coming, gone] = [at(ahead === 0 ? WEEK : ahead), at(ahead - WEEK)];
    const lastWords = lastBefore?.exec(before)?.[0] ?? '';
    const isLast = lastWords !== '' || lastAfter?.test(after) === true;
    const nextWords = nextBefore?.exec(before)?.[0] ?? '';
    const isNext = nextWords !== '' || nextAfter?.test(after) === true;
    const behind = (isLast ? lastAfter?.exec(after)?.[0] : isNext ? nextAfter?.exec(after)?.[0] : undefined) ?? '';
    const words = `${isLast ? lastWords : nextWords}${name}${behind}`;
    if (isLast) return { words, ranges: [gone] };
    if (isNext) return { words, ranges: [coming] };
    if (past.test(text)) return { words, ranges: [gone] };
    // Said on that day itself, it may be today.
    return { words, ranges: ahead === 0 ? [at(0), coming] : [coming, gone] };
  }
  return undefined;
}

/** Words of other languages that few words may hold to say a day. */
const TELLING: Readonly<Record<string, string>> = {
  german: 'vorgestern gestern heute morgen übermorgen',
  french: "avant-hier hier aujourd'hui demain après-demain",
  spanish: 'anteayer ayer hoy mañana',
  italian: 'ieri oggi domani dopodomani',
  portuguese: 'anteontem ontem hoje amanhã',
  dutch: 'eergisteren gisteren vandaag overmorgen',
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
