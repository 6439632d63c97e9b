import { languageOf } from '../../core/text/language.js';

/** Returns the sentence that goes with low scores where one of the texts is in no English; undefined where all are. */
export function foreignNote(texts: readonly string[], embedding: string): string | undefined {
  const language = texts.map(foreignLanguage).find((found) => found !== undefined);
  // A model behind an address may read any language.
  if (language === undefined || !['minilm', 'static', 'none'].includes(embedding)) return undefined;
  const reader = embedding === 'none' ? 'Scores are fitted to English' : 'The built-in model reads English';
  return `${reader}; in ${language} scores are low, also of what answers: look at the items.`;
}

function foreignLanguage(text: string): string | undefined {
  const language = languageOf(text);
  if (language !== 'english') return `${language.charAt(0).toUpperCase()}${language.slice(1)}`;
  return /\p{L}/u.test(text) && !/\p{Script=Latin}/u.test(text) ? 'another script' : undefined;
}
