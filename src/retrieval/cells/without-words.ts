import { stem } from '../../core/text/stems/stem.js';
import { isPolar } from '../conversation/asking-words.js';
import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';
import type { ItemDays } from '../dates/item-days.js';
import { asksExplanation } from '../seed/explanations.js';
import type { Question } from '../seed/question.js';
import type { QuestionWord } from '../seed/question-words.js';
import { owedIn } from './owed-words.js';

/** Letters of a question that are read for what says "without". */
const READ = 1000;
/** Words of a question that are read behind such a word, and before one that may stand behind what is missing. */
const BEHIND = 4;
const BEFORE = 3;
/** Letters of what stands behind "un" at least: "unpaid". */
const LONG = 4;

/** What makes a comparison of such a word: "no more than 12", "not only". */
const COMPARES =
  /^\s+(?:more|less|fewer|later|earlier|longer|over|under|above|below|only|just|mehr|weniger|länger|später|über|unter|nur|plus|moins|seulement|m[aá]s|menos|solo|sólo|più|meno|soltanto|mais|apenas|meer|minder|alleen)(?!\p{L})/iu;

/** Letters that are read for such a comparison. */
const LONGEST = 20;

/** How a language asks for what has nothing in a column. */
interface Without {
  /** Words before what is missing. */
  readonly before: string;
  /** Words before or behind it. */
  readonly beside: string;
  /** Words that say that it is to come. */
  readonly yet: string;
  /** What a participle begins with that says the opposite: "unpaid". */
  readonly prefix?: string;
}

const WITHOUT: Readonly<Record<string, Without>> = {
  english: {
    before:
      "without|no(?!\\.? ?\\d)|not|none|never|nobody|lacks?|lacking|\\p{L}+n['’]t|cannot|(?:still|yet) (?:(?:ha(?:s|ve)|needs?) )?to",
    beside: 'missing|miss|empty|blank',
    yet: 'unknown|un\\p{L}+ed|unpaid|unsold|yet|still|ha(?:s|ve) to be|needs? to be|(?:is|are) to be|must be',
    prefix: 'un',
  },
  german: {
    before: 'ohne|keine?[nmrs]?|nicht|nie|niemals|niemand|noch zu|(?:muss|müssen) noch',
    beside: 'fehl(?:t|en|te|ten|ende[nmrs]?)|leere?[nmrs]?',
    yet: 'unbekannte?[nmrs]?|unbezahlte?[nmrs]?|noch|offene?[nmrs]?|muss|müssen',
    prefix: 'un',
  },
  french: {
    before: "sans|ne|n['’]\\p{L}+|pas|aucune?|jamais",
    beside: 'manqu(?:e|ent|ants?|antes?)|vides?',
    yet: 'inconnue?s?|impayée?s?|encore|reste(?:nt)? à',
    prefix: 'im',
  },
  spanish: {
    before: 'sin|no|ning[uú]n[oa]?|nunca',
    beside: 'faltan?|vac[ií][oa]s?',
    yet: 'desconocid[oa]s?|todav[ií]a|a[uú]n|pendientes?|hay que',
    prefix: 'im',
  },
  italian: {
    before: 'senza|non|nessun[oa]?|mai',
    beside: 'manca(?:no)?|vuot[oaie]',
    yet: 'sconosciut[oaie]|ancora|da (?:pagare|fare)',
  },
  portuguese: {
    before: 'sem|não|nenhuma?|nunca',
    beside: 'faltam?|vazi[oa]s?',
    yet: 'desconhecid[oa]s?|ainda|pendentes?',
  },
  dutch: {
    before: 'zonder|geen|niet|nooit|niemand',
    beside: 'ontbre(?:ekt|ken)|mist|lege?',
    yet: 'onbekende?|nog|openstaande?|moet(?:en)?',
    prefix: 'on',
  },
};

const patternsOf = byLanguage((language) => {
  const { before, beside, yet, prefix } = WITHOUT[language] ?? WITHOUT.english!;
  return {
    any: bounded(`${before}|${beside}|${yet}`, 'iu'),
    before: bounded(before, 'giu'),
    beside: bounded(beside, 'giu'),
    prefix,
  };
});

/** Returns whether a row that lacks something may answer: "Which rooms have no projector?", "Is order 12 paid?" Pure. */
export function mayLack({ text, language }: Pick<Question, 'text' | 'language'>): boolean {
  const read = text.slice(0, READ);
  return isPolar(text) || patternsOf(language).any.test(read) || owedIn(read, language) !== undefined;
}

/**
 * Returns what a question wants things to lack, as stem → the stem of its word: "paid" of "who has not paid", also for "unpaid", whose word is
 * another, and for "open invoices". Pure.
 */
export function wantedAbsent({
  text,
  language,
  words,
}: Pick<Question, 'text' | 'language' | 'words'>): Map<string, string> {
  const { before, beside, prefix } = patternsOf(language);
  const read = text.slice(0, READ);
  const found = new Map<string, string>();
  const add = (some: readonly QuestionWord[]) => {
    for (const word of some) if (word.content && !word.inName) found.set(word.stem, word.stem);
  };
  for (const { index, 0: written } of read.matchAll(before)) {
    const end = index + written.length;
    if (!COMPARES.test(read.slice(end, end + LONGEST))) add(wordsBehind(words, end));
  }
  for (const { index, 0: written } of read.matchAll(beside)) {
    add(wordsBehind(words, index + written.length));
    add(words.filter(({ end }) => end <= index).slice(-BEFORE));
  }
  for (const { norm, content, stem: own } of words) {
    const rest = prefix !== undefined && norm.startsWith(prefix) ? norm.slice(prefix.length) : '';
    if (content && rest.length >= LONG) found.set(stem(rest, language), own);
  }
  const owed = owedIn(read, language);
  const said = words.find(({ start, end }) => owed !== undefined && start <= owed.at && owed.at < end);
  for (const paid of said === undefined ? [] : owed!.paid) found.set(paid, said!.stem);
  return found;
}

/**
 * Returns what a question wants rows to lack, as `wantedAbsent` does; nothing where it asks for yes or no, for an explanation or about days: there a row
 * that has it may answer, too. Pure.
 */
export function wantedOfRows(question: Question, days: ItemDays | undefined): ReadonlyMap<string, string> {
  const { text, language } = question;
  const mayHave = isPolar(text) || days !== undefined || asksExplanation(text, language);
  return mayHave ? new Map() : wantedAbsent(question);
}

function wordsBehind(words: readonly QuestionWord[], from: number): QuestionWord[] {
  const at = words.findIndex(({ start }) => start >= from);
  return at === -1 ? [] : words.slice(at, at + BEHIND);
}
