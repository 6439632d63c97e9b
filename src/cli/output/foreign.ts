import { languageOf } from '../../core/text/language.js';

/** Returns the language, other than English, of the first of the texts that is in one; undefined where all are English. */
export function lacksEnglish(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const language = languageOf(text);
    if (language !== 'english') return `${language.charAt(0).toUpperCase()}${language.slice(1)}`;
    if (/\p{L}/u.test(text) && !/\p{Script=Latin}/u.test(text)) return 'another script';
  }
  return undefined;
}
