import { TokenBuffer, type Tokens } from './tokens.js';
import { type NormalisedCharacter, normalisedCharacter } from './wordpiece-characters.js';

export const UNKNOWN = 100;
export const CLASSIFY = 101;
export const SEPARATE = 102;

const LONGEST_WORD = 100;
const CACHED_WORDS = 50_000;

// Kinds of an ASCII character, looked up because nearly all text is ASCII: part of a word, a boundary, a token of its
// own, or dropped.
const WORD = 0;
const SPACE = 1;
const ALONE = 2;
const DROPPED = 3;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = normalisedCharacter(code);
  if (character === 'space') return SPACE;
  if (character.length === 0) return DROPPED;
  return character[0]!.alone ? ALONE : WORD;
});

/**
 * BERT uncased WordPiece: the same ids as the reference tokeniser. Names of special tokens in a text are ordinary text,
 * so no input can forge one.
 */
export class WordPiece {
  private readonly vocabulary = new Map<string, number>();
  private readonly longestPiece: number;
  private readonly words = new Map<string, Int32Array>();
  private readonly cache = new Map<number, NormalisedCharacter>();

  /** Takes the vocabulary in the order of its ids. */
  constructor(vocabulary: readonly string[]) {
    let longest = 0;
    vocabulary.forEach((piece, id) => {
      this.vocabulary.set(piece, id);
      longest = Math.max(longest, piece.length);
    });
    this.longestPiece = longest;
  }

  /** Returns whether the vocabulary holds a whole word. */
  has(word: string): boolean {
    return this.vocabulary.has(word);
  }

  /** Returns at most the first `limit` tokens of the text. */
  encode(text: string, limit = Number.POSITIVE_INFINITY): Tokens {
    const out = new TokenBuffer(Math.min(limit, (text.length >> 1) + 8));
    let word = '';
    let start = 0;
    const flush = (): void => {
      if (word === '') return;
      out.push(this.word(word), start);
      word = '';
    };
    let i = 0;
    while (i < text.length && out.length < limit) {
      const unit = text.charCodeAt(i);
      if (unit < 128) {
        const kind = ASCII[unit]!;
        if (kind === WORD) {
          const from = i;
          i = endOfAsciiWord(text, i + 1);
          if (word === '') start = from;
          word += text.slice(from, i).toLowerCase();
          continue;
        }
        if (kind !== DROPPED) flush();
        if (kind === ALONE) out.push(this.word(text[i]!), i);
        i += 1;
        continue;
      }
      const code = text.codePointAt(i)!;
      const character = this.character(code);
      if (character === 'space') flush();
      else {
        for (const piece of character) {
          if (piece.alone) {
            flush();
            out.push(this.word(piece.text), i);
          } else {
            if (word === '') start = i;
            word += piece.text;
          }
        }
      }
      i += code > 0xffff ? 2 : 1;
    }
    flush();
    return out.take(limit);
  }

  private character(code: number): NormalisedCharacter {
    let character = this.cache.get(code);
    if (character === undefined) {
      character = normalisedCharacter(code);
      this.cache.set(code, character);
    }
    return character;
  }

  private word(word: string): Int32Array {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    const ids = Int32Array.from(this.pieces(word));
    if (word.length > LONGEST_WORD) return ids;
    if (this.words.size >= CACHED_WORDS) this.words.clear();
    this.words.set(word, ids);
    return ids;
  }

  /**
   * Splits a word by the greedy longest match from the left; a word with a stretch that matches nothing is unknown as a
   * whole.
   */
  private pieces(word: string): number[] {
    if (word.length > LONGEST_WORD && characters(word) > LONGEST_WORD) return [UNKNOWN];
    const ids: number[] = [];
    let from = 0;
    while (from < word.length) {
      let to = Math.min(word.length, from + this.longestPiece);
      let id: number | undefined;
      for (; to > from; to -= 1) {
        const piece = word.slice(from, to);
        id = this.vocabulary.get(from === 0 ? piece : `##${piece}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return [UNKNOWN];
      ids.push(id);
      from = to;
    }
    return ids;
  }
}

function endOfAsciiWord(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code >= 128 || ASCII[code] !== WORD) break;
    end += 1;
  }
  return end;
}

function characters(word: string): number {
  let count = 0;
  for (const _ of word) count += 1;
  return count;
}
