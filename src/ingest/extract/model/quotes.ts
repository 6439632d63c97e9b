import { fold } from '../../../core/text/fold.js';
import { tokenize } from '../../../core/text/tokens.js';

/** Shorter quotes support nothing. */
const FEWEST_WORDS = 2;

/** Texts in which quotes are looked for; case, accents, white space, quotation marks and dashes are read alike. */
export class QuotedTexts {
  private readonly texts: readonly string[];
  private readonly whole: string;

  constructor(texts: readonly string[]) {
    this.texts = texts.map(alike);
    this.whole = this.texts.join(' ');
  }

  /** Returns the number of the text that holds the quote (the first for one that spans two), or -1. */
  find(quote: string): number {
    const wanted = alike(quote).replace(/^[."'\s]+|[."'\s]+$/gu, '');
    if (tokenize(wanted).length < FEWEST_WORDS) return -1;
    const found = this.texts.findIndex((text) => text.includes(wanted));
    return found < 0 && this.whole.includes(wanted) ? 0 : found;
  }
}

function alike(text: string): string {
  return fold(text)
    .replace(/[‘’‛`´]/gu, "'")
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‐‑‒–—−]/gu, '-')
    .replace(/…/gu, '...')
    .replace(/\s+/gu, ' ')
    .trim();
}
