import { shortMonths } from '../../core/wording/months.js';
import { byLanguage } from './by-language.js';
import { type DateWords, dateWords } from './date-words.js';

const CLOCK = '(?:19|20)\\d{2}|\\d{1,2}(?::\\d{2})? ?(?:am|pm)|\\d{1,2}:\\d{2}';

/** How languages write the time of a day, besides the forms that all share. */
const CLOCKS: Readonly<Record<string, string>> = {
  english: "\\d{1,2} ?(?:a\\.m|p\\.m)|o['’]clock|noon|midnight|half past|quarter (?:past|to)",
  german:
    '\\d{1,2}(?:\\.\\d{2})? ?uhr|halb (?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|viertel (?:vor|nach)|mittags|mitternacht',
  french: '\\d{1,2} ?h(?: ?\\d{2})?|\\d{1,2} heures?|midi|minuit',
  spanish:
    '\\d{1,2} ?h(?:\\d{2})?|\\d{1,2} horas|a las? (?:\\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)|mediodía|medianoche',
  italian:
    'alle (?:ore )?(?:\\d{1,2}|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici)|ore \\d{1,2}|mezzogiorno|mezzanotte',
  portuguese:
    '\\d{1,2} ?h(?:\\d{2})?|\\d{1,2} horas|[àa]s (?:\\d{1,2}|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze)|meio-dia|meia-noite',
  dutch:
    '\\d{1,2}(?:\\.\\d{2})? ?uur|half (?:een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf)|kwart (?:voor|over)|middernacht',
};

/** Patterns of one language. */
export interface Patterns {
  readonly words: DateWords;
  readonly language: string;
  /** The sources of the name of a month, and of a year that may follow. Each holds one group. */
  readonly sources: { readonly month: string; readonly year: string };
  readonly signed: RegExp;
  readonly dayFirst: RegExp;
  readonly monthFirst: RegExp;
  readonly month: RegExp;
  readonly relative: Readonly<Record<RelativeTime, RegExp>>;
  readonly asks: RegExp;
  readonly temporal: RegExp;
}

export const RELATIVE = [
  ...(['dayBeforeYesterday', 'yesterday', 'today', 'lastWeek'] as const),
  ...(['thisWeek', 'lastWeekend', 'lastMonth', 'thisMonth'] as const),
];
export type RelativeTime = (typeof RELATIVE)[number];

/** Letters from Latin to Hangul, as a class lists them. The engine takes milliseconds to compile each `\p{L}` that disregards case. */
export const LETTERS = 'a-zA-Zªµºß-öø-ÿÀ-ÖØ-Þ\\u0100-\\u024f\\u0370-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff';

/**
 * Returns a pattern of whole words. Letters beyond a to z make `\b` useless: words are bounded by what is no letter or digit. `\p{L}`
 * stands for a letter, outside of classes.
 */
export function bounded(pattern: string, flags: string): RegExp {
  const letter = `[${LETTERS}]`;
  return new RegExp(`(?<![${LETTERS}0-9])(?:${pattern.replaceAll('\\p{L}', letter)})(?![${LETTERS}0-9])`, flags);
}

/** Languages whose marks many leave out where they type fast. In German a mark makes another word. */
const MARKS_LEFT_OUT = new Set(['french', 'spanish', 'italian', 'portuguese']);

/** Returns a pattern of words that also matches them without their marks, in languages where these are left out: "proximo lunes". Classes stay as they are. */
export function withoutMarks(pattern: string, language: string): string {
  if (!MARKS_LEFT_OUT.has(language)) return pattern;
  return pattern.replace(/\[[^\]]*\]|[à-öø-ÿ]/gu, (found) =>
    found.startsWith('[') ? found : `[${found}${found.normalize('NFD').charAt(0)}]`,
  );
}

export function patternsOf(language = 'english'): Patterns {
  return made(language);
}

const made = byLanguage((language): Patterns => {
  const words = dateWords(language);
  const english = words === dateWords();
  const named = english ? 'english' : language;
  const short = (name: string) => (english ? `${name.slice(0, 3)}(?:${name.slice(3)})?` : name);
  const shorts = words.months.flatMap((_, i) => shortMonths(named, i + 1)).join('|');
  // Elsewhere a short name may be another word where no year follows it: "mar" is the sea.
  const others = english ? 'sept' : `(?:${shorts})(?=\\.?,? (?:de |del |di )?\\d{4})`;
  const month = `(${words.months.map(short).join('|')}|${others})\\.?`;
  const year = '(?:,? (?:of |de |del |di )?(\\d{4}))?';
  return {
    words,
    language: named,
    sources: { month, year },
    signed: bounded(`(\\d{1,2})([./-])(${words.months.join('|')}|${shorts})\\2(\\d{4})`, 'iu'),
    dayFirst: bounded(`(\\d{1,2})(?:st|nd|rd|th|er|\\.|º|°)? (?:of |de |di )?${month}${year}`, 'iu'),
    monthFirst: bounded(`${month} (\\d{1,2})(?:st|nd|rd|th)?${year}`, 'iu'),
    // "May" is a month, "may" is not; elsewhere, and where they are nothing else, months may be written small.
    month: bounded(`${english ? capitalised(month) : month}${year}`, english ? 'gu' : 'giu'),
    relative: Object.fromEntries(
      RELATIVE.map((name) => [name, bounded(withoutMarks(words[name], language), 'iu')]),
    ) as Patterns['relative'],
    asks: bounded(withoutMarks(words.asks, language), 'iu'),
    temporal: bounded(temporal(words, named), 'giu'),
  };
});

/** Months of English that are no other word. */
const CLEAR = 'january|february|july|september|october|november|december';

/** Returns the pattern of a month of English with a capital, but for those that are no other word. */
function capitalised(month: string): string {
  const large = month.replace(/[a-z](?=[a-z]{2}\(|ept\))/gu, (letter) => letter.toUpperCase());
  return large.replace('(', `(${CLEAR}|`);
}

/** Returns the pattern of what says when, in a turn. */
function temporal(words: DateWords, language: string): string {
  const english = language === 'english';
  const numbers = words.numbers.slice(1).join('|');
  return [
    CLOCK,
    CLOCKS[language] ?? CLOCKS.english!,
    ...(english
      ? [
          '(?:last|next|this) (?:week|weekend|month|year|night|summer|winter|spring|fall|autumn|\\w+day)',
          '(?:in|on|of|after|before|since|until|last|this|next|\\d{1,2}) may(?! not)',
          `(?:\\d+|${numbers}|few) (?:hours?|days?|weeks?|months?|years?)`,
        ]
      : [
          `(?:\\d+|${numbers}|ein\\p{L}{1,2}|une|una|uma) (?:${words.units.day}|${words.units.week}|${words.units.month})`,
        ]),
    ...RELATIVE.filter((name) => !english || name === 'yesterday' || name === 'today').map((name) => words[name]),
    words.months.filter((name) => !english || name !== 'may').join('|'),
    words.weekdays,
    words.other,
  ].join('|');
}
