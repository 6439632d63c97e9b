/** Words whose full stop does not end a sentence: titles, units, months, citations. Own list, English first. */
const NEVER_LAST = new Set(
  (
    'mr mrs ms mx dr prof st mt ft gen col lt sgt capt cmdr adm rev hon pres gov sen rep fr sr sra srta mme mlle hr ' +
    'messrs vs v no nos vol vols fig figs pp pg ch sec eq ed eds cf viz al ca approx est dept univ assn bros ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri ' +
    'e.g i.e eg ie z.b d.h bzw p.ex str nr bd'
  ).split(' '),
);

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
  const maybe = MAYBE_LAST.has(lower);
  if (!maybe && lower.length > 1 && !lower.includes('.')) return false;
  const usualStart = /^\p{Lu}/u.test(next) && FIRST_WORDS.has(next.toLowerCase());
  if (maybe) return !usualStart;
  const letters = lower.split('.');
  const initials = letters.every((part) => /^\p{L}$/u.test(part));
  if (!initials) return false;
  return letters.length === 1 ? !(usualStart && next.length > 1) || lower === 'v' : !usualStart;
}
