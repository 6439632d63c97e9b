type Elisions = ReadonlyArray<readonly [languages: readonly string[], words: string]>;

/** Words of French and Italian that lose their vowel before a noun or a verb, by the languages that have them: "l'assemblée", "dell'acqua". Stems leave them out. */
const LEFT_OUT: Elisions = [
  [['french', 'italian'], 'c d l m n s t'],
  [['french'], 'j qu jusqu lorsqu puisqu quelqu'],
  [['italian'], 'un all dall dell nell sull coll quest quell'],
];
/** Those that stay a part of the word: "dov'è", "tutt'altro". */
const KEPT: Elisions = [[['italian'], 'dov cos com quand anch tutt v']];
const ELISIONS = [...LEFT_OUT, ...KEPT];
const BEFORE_STEM = new RegExp(`^(?:${LEFT_OUT.flatMap(([, words]) => words.split(' ')).join('|')})'(?=.{2})`, 'u');
const ELIDING = new Set(['french', 'italian', 'catalan']);
const BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  ELISIONS.flatMap(([languages, words]) => words.split(' ').map((word) => [word, languages] as const)),
);
/** What is a function word elsewhere, and a noun or an hour behind an article: "l'été", "l'est", "all'una". */
const NOUNS = new Set('ete est etre avoir una essere era'.split(' '));
const ARTICLES = new Set('d l all dall dell nell sull'.split(' '));

/** Returns the languages in which a folded word (`Token.norm`) begins with one that lost its vowel; undefined where there is none. */
export function languagesOfElision(norm: string): readonly string[] | undefined {
  const at = norm.indexOf("'");
  return at > 0 && at < norm.length - 1 ? BY_WORD.get(norm.slice(0, at)) : undefined;
}

/** Returns what a folded word is stemmed as: "assemblee" of "l'assemblee". */
export function withoutElision(norm: string, language: string): string {
  return ELIDING.has(language) ? norm.replace(BEFORE_STEM, '') : norm;
}

/** Returns what stands behind a word that lost its vowel, where the language has such words: "ont" of "n'ont"; undefined elsewhere, and for a noun behind its article. */
export function elided(norm: string, language: string): string | undefined {
  if (languagesOfElision(norm)?.includes(language) !== true) return undefined;
  const at = norm.indexOf("'");
  const rest = norm.slice(at + 1);
  return ARTICLES.has(norm.slice(0, at)) && NOUNS.has(rest) ? undefined : rest;
}
