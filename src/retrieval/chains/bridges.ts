import type { KeyInfo, PassageRecord } from '../../backends/graph/port.js';
import type { ItemWords } from '../expand/item-words.js';
import { wordsNear } from '../expand/words-near.js';
import type { BridgeName } from './bridge-names.js';

/** Weights within a bridge's strength: evidence of its passage, its sentence, words near the mention, its kind, ln passages. */
const PASSAGE = 0.8;
const SENTENCE = 0.4;
const WORDS = 0.6;
const KIND = 0.3;
const COMMON = 0.05;
/** A bridge in more passages than this is no bridge. */
const MOST_PASSAGES = 400;

/** A name in a passage that may stand for the part of the question which the passage explains. */
export interface Bridge {
  readonly key: string;
  readonly name: string;
  /** Stems of the name. */
  readonly stems: readonly string[];
  /** The passage. */
  readonly from: string;
  /** Sentence that holds it; −1 for the passage's own name. */
  readonly sentence: number;
  readonly strength: number;
  /** Nodes about the name. */
  readonly about: readonly string[];
  /** The typed edge that leads to it; absent for a mention. */
  readonly edge?: string;
  /** True where the question speaks of no relation at its concept: the edge is one of several that may be meant. */
  readonly isGuess?: boolean;
}

/** What the bridges of one passage are chosen by. */
export interface BridgeSource {
  readonly record: PassageRecord;
  readonly names: readonly BridgeName[];
  readonly words: ItemWords;
  /** Evidence less the best start's: 0 or negative. */
  readonly relative: number;
  /** Similarity of the question with each sentence. */
  readonly sentences: Float32Array;
}

/** What is known about names, by key. */
export interface FoundNames {
  readonly known: ReadonlyMap<string, KeyInfo>;
  /**
   * Number of passages whose text holds all words of the name: more than mention it, where a longer name swallowed it.
   */
  readonly holders: ReadonlyMap<string, number>;
}

/**
 * Returns the strongest bridges of a passage, best first. A name that the question holds already bridges nothing, and
 * one that no other passage holds leads nowhere. `open`: terms of the question outside names, with their idf; `question`:
 * all its stems.
 */
export function bridgesOf(
  source: BridgeSource,
  {
    known,
    holders,
    open,
    question,
    isWanted,
    count,
  }: FoundNames & {
    readonly open: ReadonlyMap<string, number>;
    readonly question: ReadonlySet<string>;
    /** Tells whether a name is what the question calls the thing that it stands for. */
    readonly isWanted: (name: BridgeName, about: readonly string[]) => boolean;
    readonly count: number;
  },
): Bridge[] {
  const { record, words, relative, sentences } = source;
  const best = new Map<string, Bridge>();
  for (const bridgeName of source.names) {
    const { key, name, stems, sentence, token, length } = bridgeName;
    if (stems.every((term) => question.has(term))) continue;
    const about = known.get(key)?.about ?? [];
    const held = holders.get(key) ?? 0;
    // This passage is one of those that hold it.
    const leads = held > 1 || about.some((id) => id !== record.id);
    if (!leads || (held > MOST_PASSAGES && about.length === 0)) continue;
    const near = sentence === -1 ? 0 : wordsNear(open, words.sentences[sentence] ?? [], { token, length });
    const similarity = sentence === -1 ? Math.max(0, ...sentences) : (sentences[sentence] ?? 0);
    const strength = strengthOf({ relative, similarity, near, isWanted: isWanted(bridgeName, about), held });
    const former = best.get(key);
    if (former !== undefined && former.strength >= strength) continue;
    best.set(key, { key, name, stems, from: record.id, sentence, strength, about });
  }
  return strongest([...best.values()], count);
}

/** Returns how surely a name is the bridge that the question means. */
export function strengthOf({
  relative,
  similarity,
  near,
  isWanted,
  held,
}: {
  /** Evidence of what holds the name less the best start's. */
  readonly relative: number;
  /** Similarity of the question with the sentence that holds it. */
  readonly similarity: number;
  /** Words of the question near it, 0..1. */
  readonly near: number;
  /** True where it is what the question calls the thing. */
  readonly isWanted: boolean;
  /** Passages that hold it. */
  readonly held: number;
}): number {
  return (
    PASSAGE * relative + SENTENCE * similarity + WORDS * near + KIND * (isWanted ? 1 : 0) - COMMON * Math.log1p(held)
  );
}

/** Returns the `count` strongest bridges, ties by key, then passage. */
export function strongest(bridges: readonly Bridge[], count: number): Bridge[] {
  return [...bridges]
    .sort((a, b) => b.strength - a.strength || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.from < b.from ? -1 : 1))
    .slice(0, count);
}
