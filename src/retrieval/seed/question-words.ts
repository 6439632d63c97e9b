import type { MentionPart } from '../../core/text/mentions.js';
import { stem } from '../../core/text/stems/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { tokenize } from '../../core/text/tokens.js';

/** One word of the question, in order. */
export interface QuestionWord {
  readonly norm: string;
  readonly stem: string;
  /** UTF-16 offsets in the question. */
  readonly start: number;
  readonly end: number;
  /** False for stop words. */
  readonly content: boolean;
  /** Inverse document frequency over the requested domains; 0 for stop words. */
  readonly idf: number;
  /** True inside a name that the question holds. */
  readonly inName: boolean;
  /** True of whose something is: "shop's", "neighbours'". */
  readonly possessive: boolean;
}

/** What ends the word of several whose something is. */
const APOSTROPHE = /['’]/u;

/** Reads the words of a question. `idf`: stem → inverse document frequency. Pure. */
export function questionWords(
  text: string,
  parts: readonly MentionPart[],
  { idf, language }: { readonly idf: ReadonlyMap<string, number>; readonly language?: string },
): QuestionWord[] {
  const inside = new Set<number>();
  for (const part of parts) for (let i = 0; i < part.length; i += 1) inside.add(part.token + i);
  return tokenize(text).map(({ norm, start, end }, i) => {
    const content = !isStopWord(norm, language);
    const term = stem(norm, language);
    // Quotation marks may be apostrophes.
    const isOfSeveral =
      norm.endsWith('s') && APOSTROPHE.test(text[end] ?? '') && !APOSTROPHE.test(text[start - 1] ?? '');
    return {
      norm,
      stem: term,
      start,
      end,
      content,
      idf: content ? (idf.get(term) ?? 0) : 0,
      inName: inside.has(i),
      possessive: isOfSeveral || /['’]s$/u.test(norm),
    };
  });
}
