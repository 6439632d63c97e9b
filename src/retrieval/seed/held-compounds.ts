import type { Word } from '../../core/text/words.js';

/** Words of the question that a sentence holds where it holds, with its title, one of each of these sets of stems. */
export interface Compound {
  readonly asked: readonly Word[];
  readonly written: ReadonlyArray<ReadonlySet<string>>;
  /** True where these have to follow each other, in this order. */
  readonly adjacent?: boolean;
}

const NONE: readonly Word[] = [];

/** Returns the words of the question that a sentence holds by compounds. `title`: words that stand above it. Pure. */
export function compoundsIn(
  compounds: readonly Compound[],
  words: readonly Word[],
  title: readonly Word[] = [],
): readonly Word[] {
  if (compounds.length === 0) return NONE;
  const held = compounds.filter(({ written, adjacent }) =>
    adjacent === true
      ? followEachOther(words, written)
      : written.some((stems) => isIn(words, stems)) &&
        written.every((stems) => isIn(words, stems) || isIn(title, stems)),
  );
  return held.flatMap(({ asked }) => asked);
}

function isIn(words: readonly Word[], stems: ReadonlySet<string>): boolean {
  return words.some(({ stem }) => stems.has(stem));
}

function followEachOther(words: readonly Word[], written: Compound['written']): boolean {
  return words.some((_, at) => written.every((stems, i) => stems.has(words[at + i]?.stem ?? '')));
}
