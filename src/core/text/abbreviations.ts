import { isMonth, MONTHS } from '../wording/months.js';
import { fold } from './fold.js';
import { stopWords } from './stop-words.js';

/** Words whose full stop does not end a sentence: titles, units, months, citations. Own list, English first. */
const NEVER_LAST = new Set(
  (
    'mr mrs ms mx dr prof st mt ft gen col lt sgt capt cmdr adm rev hon pres gov sen rep fr sr sra srta mme mlle hr ' +
    'messrs vs v no nos vol vols fig figs pp pg ch sec eq ed eds cf viz al ca approx est dept univ assn bros ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri ' +
    'e.g i.e eg ie z.b d.h bzw p.ex str nr nrn bd vgl ggf evtl inkl exkl zzgl bspw sog ziff mio mrd'
  ).split(' '),
);

/** Words whose full stop does not end a sentence where a number comes next: the places of laws, books and addresses. */
const BEFORE_NUMBER = new Set('abs art kap abb anm anh tab tel std pag pág núm nº env'.split(' '));

/** Abbreviations that may also end a sentence: they do before a usual first word of a sentence. */
const MAYBE_LAST = new Set(
  (
    'jr sr inc ltd co corp llc plc etc usw a.m p.m am pm u.s u.k u.n d.c b.c a.d ph.d b.a m.a m.d b.sc m.sc esq ave blvd ' +
    'rd sq hrs min max ft lb lbs oz kg km cm mm'
  ).split(' '),
);

const FIRST_WORDS = new Set(
  (
    'the a an it its he his she her they their this that these those there in on at as after before during since when ' +
    'while although though however but and for from by with we you i if so then both some many most all other one'
  ).split(' '),
);

/** Returns true where the full stop after `word` does not end the sentence before `next`. Both as written. */
export function isAbbreviation(word: string, next: string): boolean {
  const lower = word.toLowerCase();
  if (NEVER_LAST.has(lower)) return true;
  if (/^\d/u.test(next) && BEFORE_NUMBER.has(lower)) return true;
  const maybe = MAYBE_LAST.has(lower);
  if (!maybe && lower.length > 1 && !lower.includes('.')) return false;
  const usualStart = /^\p{Lu}/u.test(next) && FIRST_WORDS.has(next.toLowerCase());
  if (maybe) return !usualStart;
  const letters = lower.split('.');
  const initials = letters.every((part) => /^\p{L}$/u.test(part));
  if (!initials) return false;
  return letters.length === 1 ? !(usualStart && next.length > 1) || lower === 'v' : !usualStart;
}

/** Months of the language that writes both them and ordinal numbers so. Others write months small: their names with a capital are words, such as Mars and Julio. */
const GERMAN_MONTHS: ReadonlySet<string> = new Set(MONTHS.german);
/** A whole number of one or two digits at the end, with the word before it. */
const DAY = /(?:(\p{L}+)\s+)?(?<![\p{L}\p{N}.,:/-])(\d{1,2})$/u;
/** German words that an ordinal number comes after: "der 2. Vorsitzende". Not "am": English says "I am 30." */
const BEFORE_ORDINAL = /^(?:d(?:er|ie|as|em|en|es)|im|vom|zum|zur|beim|jede[nrs]?)$/iu;
/** German words that open a sentence and are no nouns, and a noun in front of its verb and a pronoun: "Mehrkosten zahlen wir". */
const OPENS =
  /^(?:(?:Danach|Davor|Dann|Dort|Dorthin|Außerdem|Ferner|Zudem|Dazu|Dabei|Dafür|Dagegen|Daher|Darum|Deshalb|Deswegen|Dennoch|Trotzdem|Damit|Damals|Darauf|Daraufhin|Darin|Darüber|Daneben|Davon|Dadurch|Anschließend|Später|Zuerst|Zuletzt|Schließlich|Heute|Gestern|Jetzt|Bisher|Seither|Seitdem|Inzwischen|Weitere|Mehr|Alle|Jede[rsn]?|Beide|Viele|Einige|Manche|Niemand|Jemand|Leider|Allerdings|Jedoch|Insgesamt|Hier(?:\p{Ll}+)?|Unser\p{Ll}*|Bitte|Nachdem|Bevor|Obwohl|Während)(?!\p{L})|\p{Lu}\p{Ll}+ \p{Ll}+(?:en|t) (?:wir|ich|er|sie|es|ihr|man)(?!\p{L}))/u;

const ENGLISH_MONTH =
  /^(?<month>January|February|March|April|May|June|July|August|September|October|November|December)(?!\p{L})(?<rest>.*)/su;
/** English words before a number that counts, and before a day. */
const COUNTS =
  /^(?:number|numbers|at|exactly|only|just|about|almost|nearly|over|under|than|least|most|another|all|up|roughly|around|is|are|was|were|sold|had|has|have)$/iu;
const GERMAN_LEAD = /^(?:am|bis|ab|seit|d(?:er|en|em|ie)|im|vom|zum|beim|jede[nrs]?|und|oder|nach|vor)$/iu;

/** Months that open sentences as verbs: "March on", "May all be well". */
const IS_VERB = /^(?:March|May)$/u;

/**
 * Returns whether an English month behind a number and its full stop belongs to the number: before a year, a mark or a small word that is no
 * verb; where the month is a verb too, before a small word only with an article in front of the number.
 */
function isDayOf({
  lead,
  month,
  rest,
}: {
  readonly lead: string;
  readonly month: string;
  readonly rest: string;
}): boolean {
  if (GERMAN_LEAD.test(lead) || /^\s+\d{4}(?!\d)/u.test(rest)) return true;
  if (COUNTS.test(lead)) return false;
  if (/^\s+(?:was|is|has|had|will|can|were|are|would|could|may|did|does)(?!\p{L})/u.test(rest)) return false;
  if (/^(?:on|by|until|till|since|from|before|after)$/iu.test(lead) || /^(?:[^\p{L}\p{N}\s]|\s*$)/u.test(rest))
    return true;
  return /^\s+\p{Ll}/u.test(rest) && (/^the$/iu.test(lead) || !IS_VERB.test(month));
}

/**
 * Returns true where the full stop after a number is that of an ordinal number: a day before its month, in words or digits, a month before
 * its year, or a German noun that an article announces. `before` ends with the number, `after` begins behind the white space.
 */
export function isOrdinal(before: string, after: string): boolean {
  if (/(?<!\d)\d{1,2}\.\s*\d{1,2}$/u.test(before) && /^\d{4}(?!\d)/u.test(after)) return true;
  const [, lead = '', day] = DAY.exec(before) ?? [];
  if (day === undefined || Number(day) < 1) return false;
  if (Number(day) <= 31) {
    if (/^(?:0?[1-9]|1[0-2])\.(?!\d)/u.test(after)) return true;
    // "12. May we go?" asks, and "12. May be late." is no date.
    if (/^May (?:be|I|we|you|s?he|it|they|the|an?|this|that)(?!\p{L})/u.test(after)) return false;
    const [word = ''] = /^\p{L}+/u.exec(after) ?? [];
    const { month, rest } = ENGLISH_MONTH.exec(after)?.groups ?? {};
    if (month !== undefined && rest !== undefined) return isDayOf({ lead, month, rest });
    if (GERMAN_MONTHS.has(word.toLowerCase())) return true;
    // A short name is one with a full stop or a year behind it: "Jan" and "Set" are words too.
    if (isMonth(word) && /^(?:\.| \d)/u.test(after.slice(word.length))) return true;
  }
  if (!BEFORE_ORDINAL.test(lead)) return false;
  // What an article in front of a sentence announces is its subject: "Die 20. Sitzung leiten wir".
  if (/^\p{Ll}/u.test(lead) && OPENS.test(after)) return false;
  const [noun = ''] = /^\p{Lu}\p{Ll}{3,}/u.exec(after) ?? [];
  return noun !== '' && !stopWords('german').has(fold(noun)) && !stopWords('english').has(fold(noun));
}
