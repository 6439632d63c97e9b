/** Words the rules would get wrong, with their stems. */
const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);
const AFTER_PLURAL = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));

type Replacements = ReadonlyArray<readonly [suffix: string, replacement: string]>;

/** Sorts by length of the suffix, longest first: the order of the algorithm. */
function longestFirst(rules: Readonly<Record<string, string>>): Replacements {
  return Object.entries(rules).sort(([a], [b]) => b.length - a.length);
}

const STEP2 = longestFirst({
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  izer: 'ize',
  ization: 'ize',
  ational: 'ate',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  aliti: 'al',
  alli: 'al',
  fulness: 'ful',
  ousli: 'ous',
  ousness: 'ous',
  iveness: 'ive',
  iviti: 'ive',
  biliti: 'ble',
  bli: 'ble',
  ogi: 'og',
  fulli: 'ful',
  lessli: 'less',
  li: '',
});
const STEP3 = longestFirst({
  tional: 'tion',
  ational: 'ate',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
  ative: '',
});
const STEP4 = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(' ');

/**
 * Stems a folded lower-case English word by Snowball's algorithm (Porter2, M. F. Porter,
 * snowballstem.org/algorithms/english).
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonantY(word.charCodeAt(0) === 39 ? word.slice(1) : word);
  const r1 = firstRegion(marked);
  const r2 = regionAfter(marked, r1);
  let w = plural(withoutPossessive(marked));
  if (AFTER_PLURAL.has(w)) return w;
  w = finalY(pastAndGerund(w, r1));
  w = derivation(w, r1);
  w = secondDerivation(w, r1, r2);
  w = ending(w, r2);
  w = finalE(w, r1, r2);
  return w.replaceAll('Y', 'y');
}

function isVowel(unit: number): boolean {
  return unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117 || unit === 121;
}

/** Writes each `y` that is a consonant (at the start, or after a vowel) as `Y`. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let out = '';
  for (let i = 0; i < word.length; i += 1) {
    const consonant = word[i] === 'y' && (i === 0 || isVowel(out.charCodeAt(i - 1)));
    out += consonant ? 'Y' : word[i];
  }
  return out;
}

function firstRegion(w: string): number {
  for (const prefix of ['gener', 'commun', 'arsen']) if (w.startsWith(prefix)) return prefix.length;
  return regionAfter(w, 0);
}

/** Returns the position after the first non-vowel after a vowel, from a position on. */
function regionAfter(w: string, from: number): number {
  let i = from;
  while (i < w.length && !isVowel(w.charCodeAt(i))) i += 1;
  while (i < w.length && isVowel(w.charCodeAt(i))) i += 1;
  return Math.min(w.length, i + 1);
}

function hasVowel(w: string, end: number): boolean {
  for (let i = 0; i < end; i += 1) if (isVowel(w.charCodeAt(i))) return true;
  return false;
}

function withoutPossessive(w: string): string {
  if (w.endsWith("'s'")) return w.slice(0, -3);
  if (w.endsWith("'s")) return w.slice(0, -2);
  return w.endsWith("'") ? w.slice(0, -1) : w;
}

function plural(w: string): string {
  if (w.endsWith('sses')) return w.slice(0, -2);
  if (w.endsWith('ied') || w.endsWith('ies')) return w.slice(0, w.length > 4 ? -2 : -1);
  if (!w.endsWith('s') || w.endsWith('us') || w.endsWith('ss')) return w;
  return hasVowel(w, w.length - 2) ? w.slice(0, -1) : w;
}

function pastAndGerund(w: string, r1: number): string {
  const suffix = ['eedly', 'ingly', 'edly', 'eed', 'ing', 'ed'].find((s) => w.endsWith(s));
  if (suffix === undefined) return w;
  const at = w.length - suffix.length;
  if (suffix.startsWith('eed')) return at >= r1 ? `${w.slice(0, at)}ee` : w;
  if (!hasVowel(w, at)) return w;
  const rest = w.slice(0, at);
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && endsShort(rest) ? `${rest}e` : rest;
}

/**
 * Returns whether the last syllable is short: consonant, vowel, consonant other than w, x, Y; or vowel, consonant as
 * the whole.
 */
function endsShort(w: string): boolean {
  const n = w.length;
  const last = w.charCodeAt(n - 1);
  if (n < 2 || isVowel(last) || !isVowel(w.charCodeAt(n - 2))) return false;
  if (n === 2) return true;
  return !isVowel(w.charCodeAt(n - 3)) && last !== 119 && last !== 120 && last !== 89;
}

function finalY(w: string): string {
  const last = w[w.length - 1];
  if ((last !== 'y' && last !== 'Y') || w.length < 3 || isVowel(w.charCodeAt(w.length - 2))) return w;
  return `${w.slice(0, -1)}i`;
}

function derivation(w: string, r1: number): string {
  const rule = STEP2.find(([suffix]) => w.endsWith(suffix));
  if (rule === undefined) return w;
  const at = w.length - rule[0].length;
  if (at < r1) return w;
  if (rule[0] === 'ogi' && w[at - 1] !== 'l') return w;
  if (rule[0] === 'li' && !/[cdeghkmnrt]/.test(w[at - 1] ?? '')) return w;
  return w.slice(0, at) + rule[1];
}

function secondDerivation(w: string, r1: number, r2: number): string {
  const rule = STEP3.find(([suffix]) => w.endsWith(suffix));
  if (rule === undefined) return w;
  const at = w.length - rule[0].length;
  if (at < (rule[0] === 'ative' ? r2 : r1)) return w;
  return w.slice(0, at) + rule[1];
}

function ending(w: string, r2: number): string {
  const suffix = STEP4.find((s) => w.endsWith(s));
  if (suffix === undefined) return w;
  const at = w.length - suffix.length;
  if (at < r2 || (suffix === 'ion' && !/[st]/.test(w[at - 1] ?? ''))) return w;
  return w.slice(0, at);
}

function finalE(w: string, r1: number, r2: number): string {
  const at = w.length - 1;
  if (w.endsWith('e')) return at >= r2 || (at >= r1 && !endsShort(w.slice(0, at))) ? w.slice(0, at) : w;
  return w.endsWith('ll') && at >= r2 ? w.slice(0, at) : w;
}
