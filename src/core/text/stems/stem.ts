import { createRequire } from 'node:module';
import type * as Snowball from 'snowball-stemmers';
import { withoutElision } from './elisions.js';
import { stemEnglish } from './stem-english.js';

/** Stems kept per language in each of two generations; the older one is dropped when the recent one is full. */
const REMEMBERED = 40_000;
/** Words longer than this are identifiers or noise: indexed as they are, cut to this length. */
const LONGEST = 64;
/** Days and months that have no other form, and would be taken for other words without their end: Marta for "martes", "mare" for "mars". */
const WITHOUT_FORMS: Readonly<Record<string, ReadonlySet<string>>> = {
  french: new Set(['mars']),
  spanish: new Set(['lunes', 'martes', 'miercoles', 'jueves', 'viernes']),
};
/** Numbers, acronyms, `c++`, `at&t`: their letters are not inflected. */
const NOT_INFLECTED = /[\d.&+#]|^[^\p{L}]+$/u;

interface Language {
  readonly stemmer: ((word: string) => string) | undefined;
  recent: Map<string, string>;
  older: Map<string, string>;
}

const require = createRequire(import.meta.url);
const languages = new Map<string, Language>();

/** Returns the Snowball stem of a folded word; a language without a stemmer leaves words as they are. */
export function stem(norm: string, language = 'english'): string {
  const known = languages.get(language) ?? addLanguage(language);
  const recent = known.recent.get(norm);
  if (recent !== undefined) return recent;
  const found = known.older.get(norm) ?? compute(norm, language, known.stemmer);
  if (known.recent.size >= REMEMBERED) {
    known.older = known.recent;
    known.recent = new Map();
  }
  known.recent.set(norm, found);
  return found;
}

function compute(norm: string, language: string, stemmer: Language['stemmer']): string {
  if (norm.length > LONGEST) return norm.slice(0, LONGEST);
  if (stemmer === undefined || NOT_INFLECTED.test(norm) || WITHOUT_FORMS[language]?.has(norm) === true) return norm;
  return stemmer(withoutElision(norm, language)) || norm;
}

function addLanguage(language: string): Language {
  const stemmer = language === 'english' ? stemEnglish : otherStemmer(language);
  const added: Language = { stemmer, recent: new Map(), older: new Map() };
  languages.set(language, added);
  return added;
}

/** Loads the package, which takes 20 ms, only for a language that needs it. */
function otherStemmer(language: string): Language['stemmer'] {
  const { algorithms, newStemmer } = require('snowball-stemmers') as typeof Snowball;
  if (!algorithms().includes(language)) return undefined;
  const stemmer = newStemmer(language);
  return (word) => stemmer.stem(word);
}
