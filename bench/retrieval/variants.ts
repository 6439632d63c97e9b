import { seededRandom } from '../../src/core/random.js';
import { asMarkdown, type DevelopmentSet } from './data.js';

/** What is done to a set before it is ingested: how much of the quality stands on titles, on clean data, on a domain apart. */
export type Variant = 'original' | 'untitled' | 'wrong-titles' | 'duplicates' | 'unrelated';

export const VARIANTS: readonly Variant[] = ['original', 'untitled', 'wrong-titles', 'duplicates', 'unrelated'];

/** Share of passages that get a wrong title, or stand there twice. */
const SHARE = 0.1;

interface Document {
  readonly name: string;
  readonly text: string;
  readonly format: 'markdown' | 'text';
}

/** Returns the documents of a set as the variant has them; evidence is found by its text in all of them. */
export function documentsOf(set: DevelopmentSet, variant: Variant): Document[] {
  if (variant === 'untitled') {
    return set.passages.map(({ text }, i) => ({ name: `${i}.txt`, text, format: 'text' }));
  }
  const random = seededRandom(7);
  const chosen = set.passages.map(() => random() < SHARE);
  if (variant === 'wrong-titles') {
    const places = [...chosen.keys()].filter((i) => chosen[i]);
    const titles = new Map(places.map((at, k) => [at, set.passages[places[(k + 1) % places.length]!]!.title]));
    return whole(
      set.name,
      set.passages.map((passage, i) => ({ ...passage, title: titles.get(i) ?? passage.title })),
    );
  }
  const extra = variant === 'duplicates' ? set.passages.filter((_, i) => chosen[i]) : [];
  return whole(set.name, [...set.passages, ...extra]);
}

function whole(name: string, passages: DevelopmentSet['passages']): Document[] {
  return [{ name, text: asMarkdown(passages), format: 'markdown' }];
}
