/** The reading of one character: a word boundary, or the pieces it becomes (none: it is dropped). */
export type NormalisedCharacter = 'space' | readonly CharacterPiece[];

export interface CharacterPiece {
  readonly text: string;
  /** True for punctuation and CJK characters: a token of their own. Others join the word they stand in. */
  readonly alone: boolean;
}

/** Unassigned code points stay, as in the reference. */
const CONTROL = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u;
const SPACE = /^\p{White_Space}$/u;
const MARK = /\p{Mn}/gu;
const PUNCTUATION = /^[\p{P}!-/:-@[-`{-~]$/u;

/**
 * Returns BERT's uncased normalisation of one code point: controls dropped, white space a boundary, NFD without
 * non-spacing marks, lower case character by character, punctuation and CJK set apart (Devlin et al. 2019,
 * `BasicTokenizer`).
 */
export function normalisedCharacter(code: number): NormalisedCharacter {
  const character = String.fromCodePoint(code);
  if (character === '\t' || character === '\n' || character === '\r') return 'space';
  if (code === 0xfffd || CONTROL.test(character)) return [];
  if (SPACE.test(character)) return 'space';
  const ideograph = isIdeograph(code);
  const pieces: CharacterPiece[] = [];
  for (const part of character.normalize('NFD').replace(MARK, '')) {
    const text = part.toLowerCase();
    for (const one of text) pieces.push({ text: one, alone: ideograph || PUNCTUATION.test(one) });
  }
  return pieces;
}

/** Returns the blocks that BERT's tokeniser treats as Chinese characters; kana and Hangul are not among them. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x20000 && code <= 0x2a6df) ||
    (code >= 0x2a700 && code <= 0x2b73f) ||
    (code >= 0x2b740 && code <= 0x2b81f) ||
    (code >= 0x2b920 && code <= 0x2ceaf) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x2f800 && code <= 0x2fa1f)
  );
}
