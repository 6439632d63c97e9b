import { editDistance } from '../../core/text/edit-distance.js';
import type { NameForms } from './name-forms.js';
import { isKinOf, namesBothApart, saysAlias, wordOverlap } from './quote-evidence.js';

/** An entity as it is compared with others of its domain. */
export interface ComparedEntity {
  readonly name: string;
  readonly forms: NameForms;
  /** Kind of thing, such as person; null where nobody says. */
  readonly type: string | null;
  /** Other names that sources give, folded. */
  readonly aliases: ReadonlySet<string>;
  readonly description: string;
  /** The table of a database that it is a row of; absent where it is none. */
  readonly table?: string;
  /** What sources say about it: evidence of its edges, sentences that name it. */
  readonly quotes: readonly string[];
  /** Ids of passages that name it. */
  readonly passages: ReadonlySet<string>;
}

export type MatchMethod = 'exact' | 'alias' | 'acronym' | 'person' | 'spelling';

export interface Match {
  readonly method: MatchMethod;
  /** 0..1; how surely both names mean one thing. */
  readonly score: number;
}

/** How sure each reason to take two names for one is, 0..1. */
export interface MatchScores {
  /** The same name but for case, articles, spaces and the like. */
  readonly exact: number;
  /** A source gives the one as another name of the other. */
  readonly alias: number;
  /** A text writes "European Union (EU)"; both are named by one passage. */
  readonly acronym_stated: number;
  /** An abbreviation and what it may stand for in one passage. */
  readonly acronym_together: number;
  /** The same of four letters or more, without a passage that names both. */
  readonly acronym_long: number;
  /** The same of three letters, where texts say alike things about both. */
  readonly acronym_context: number;
  /** The same without any of this. */
  readonly acronym_bare: number;
  /** Names of a person, with and without middle names, in one passage. */
  readonly person_together: number;
  /** The same, where texts say alike things about both. */
  readonly person_context: number;
  /** The same without any of this. */
  readonly person_bare: number;
  /** One word of three or more is spelt a little differently. */
  readonly spelling: number;
}

/** Bounds that decide; from the configuration. */
export interface MatchBounds {
  readonly scores: MatchScores;
  /** Similarity of two words, 1 − edit distance / length, from which one may be the other misspelt; 0..1. */
  readonly spelling: number;
  /** Overlap of words, 0..1, from which what is said about two entities supports that they are one. */
  readonly context: number;
  /** Overlap below which two descriptions tell two things of one name apart. */
  readonly homonym: number;
}

/**
 * Compares two entities of one domain; null where nothing suggests that they are one, or something speaks against it:
 * another type, another number, another qualifier, a sentence that tells them apart, a row of its own in the same table.
 */
export function matchEntities(a: ComparedEntity, b: ComparedEntity, bounds: MatchBounds): Match | null {
  if (a.type !== null && b.type !== null && a.type !== b.type) return null;
  if (areRowsOfOneTable(a, b)) return null;
  if (a.forms.numbers !== b.forms.numbers || a.forms.qualifier !== b.forms.qualifier) return null;
  const { scores } = bounds;
  if (isSameName(a, b)) return areHomonyms(a, b, bounds) ? null : { method: 'exact', score: scores.exact };
  const acronym = acronymScore(a, b, bounds);
  if (acronym !== null) return { method: 'acronym', score: acronym };
  if (isAlias(a, b)) return { method: 'alias', score: scores.alias };
  const person = personScore(a, b, bounds);
  if (person !== null) return { method: 'person', score: person };
  return isMisspelt(a, b, bounds) ? { method: 'spelling', score: scores.spelling } : null;
}

/** Returns whether a table has both, each with its own key: then they are two things, as two customers of one name are. */
export function areRowsOfOneTable(a: Pick<ComparedEntity, 'table'>, b: Pick<ComparedEntity, 'table'>): boolean {
  return a.table !== undefined && a.table === b.table;
}

function isSameName(a: ComparedEntity, b: ComparedEntity): boolean {
  if (a.forms.joined === b.forms.joined) return true;
  // Common nouns are one in singular and plural; names are not.
  const common = (a.type ?? 'concept') === 'concept' && (b.type ?? 'concept') === 'concept';
  return common && singular(a) === singular(b);
}

function singular({ forms }: ComparedEntity): string {
  return forms.words.map((word) => (word.length > 4 ? word.replace(/(?<!s)s$/u, '') : word)).join(' ');
}

/** Returns whether two things share a name only: what is said about them has next to no word in common. */
function areHomonyms(a: ComparedEntity, b: ComparedEntity, { homonym }: MatchBounds): boolean {
  if (a.description === '' || b.description === '') return false;
  return wordOverlap([a.description], [b.description], [a.name, b.name]) < homonym;
}

function isAlias(a: ComparedEntity, b: ComparedEntity): boolean {
  if (a.aliases.has(b.forms.joined) || b.aliases.has(a.forms.joined)) return true;
  return [...a.quotes, ...b.quotes].some((quote) => saysAlias(quote, a.name, b.name));
}

/** Scores an abbreviation against what it may stand for. The shorter it is, the more evidence it needs. */
function acronymScore(a: ComparedEntity, b: ComparedEntity, bounds: MatchBounds): number | null {
  const [short, long] = a.forms.words.length < b.forms.words.length ? [a, b] : [b, a];
  const letters = short.forms.acronym;
  if (letters === '' || long.forms.acronym !== '' || !long.forms.initials.includes(letters)) return null;
  const { scores } = bounds;
  const together = sharesPassage(short, long);
  if (together && [...short.quotes, ...long.quotes].some((quote) => saysAcronym(quote, short.name, long.name))) {
    return scores.acronym_stated;
  }
  if (together) return scores.acronym_together;
  if (letters.length >= 4) return scores.acronym_long;
  const related = wordOverlap(short.quotes, long.quotes, [a.name, b.name]) >= bounds.context;
  return letters.length === 3 && related ? scores.acronym_context : scores.acronym_bare;
}

function saysAcronym(quote: string, short: string, long: string): boolean {
  const at = quote.toLowerCase().indexOf(long.toLowerCase());
  return (
    at >= 0 &&
    quote
      .slice(at + long.length)
      .trimStart()
      .startsWith(`(${short}`)
  );
}

/**
 * Scores two names of persons: first names and family name agree; middle names are there or not, in full or as
 * initials.
 */
function personScore(a: ComparedEntity, b: ComparedEntity, bounds: MatchBounds): number | null {
  if (a.type !== 'person' || b.type !== 'person') return null;
  const [short, long] = a.forms.words.length <= b.forms.words.length ? [a, b] : [b, a];
  if (short.forms.words.length < 2 || !areNamesOfOne(short.forms.words, long.forms.words)) return null;
  const quotes = [...a.quotes, ...b.quotes];
  if (quotes.some((quote) => isKinOf(quote, a.name) || isKinOf(quote, b.name))) return null;
  if (quotes.some((quote) => namesBothApart(quote, short.name, long.name))) return null;
  if (sharesPassage(a, b)) return bounds.scores.person_together;
  const related = wordOverlap(a.quotes, b.quotes, [a.name, b.name]) >= bounds.context;
  return related ? bounds.scores.person_context : bounds.scores.person_bare;
}

function areNamesOfOne(short: readonly string[], long: readonly string[]): boolean {
  if (short.at(-1) !== long.at(-1) || !isSameFirstName(short[0]!, long[0]!)) return false;
  let next = 1;
  const middle = long.slice(1, -1);
  // Every middle name of the shorter is, in order, one of the longer.
  return short.slice(1, -1).every((name) => {
    for (; next <= middle.length; next += 1) {
      const other = middle[next - 1]!;
      if (name === other || ((name.length === 1 || other.length === 1) && name[0] === other[0])) {
        next += 1;
        return true;
      }
    }
    return false;
  });
}

function isSameFirstName(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short === long || (short.length >= 3 && long.startsWith(short));
}

/**
 * Returns whether one word of three or more is spelt a little differently, and it is not the family name of a person.
 */
function isMisspelt(a: ComparedEntity, b: ComparedEntity, { spelling }: MatchBounds): boolean {
  const [one, other] = [a.forms.words, b.forms.words];
  if (one.length !== other.length || one.length < 3) return false;
  const different = one.flatMap((word, i) => (word === other[i] ? [] : [i]));
  const [i] = different;
  if (different.length !== 1 || i === undefined) return false;
  if ((a.type === 'person' || b.type === 'person') && i === one.length - 1) return false;
  const [x, y] = [one[i]!, other[i]!];
  const longest = Math.max(x.length, y.length);
  return Math.min(x.length, y.length) >= 5 && 1 - editDistance(x, y) / longest >= spelling;
}

function sharesPassage(a: ComparedEntity, b: ComparedEntity): boolean {
  for (const id of a.passages) if (b.passages.has(id)) return true;
  return false;
}
