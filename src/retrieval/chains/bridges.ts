import type { KeyInfo, PassageRecord } from '../../backends/graph/port.js';
import { stem } from '../../core/text/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { tokenize } from '../../core/text/tokens.js';
import type { ItemWords } from '../expand/item-words.js';
import { wordsNear } from '../expand/words-near.js';

/** Weights within a bridge's strength: evidence of its passage, its sentence, words near the mention, ln passages. */
const PASSAGE = 0.8;
const SENTENCE = 0.4;
const WORDS = 0.6;
const COMMON = 0.05;
/** A bridge in more passages than this is no bridge. */
const MOST_PASSAGES = 400;

const MONTHS = 'january february march april may june july august september october november december';
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday';
const CALENDAR = new Set(`${MONTHS} ${DAYS}`.split(' '));

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
}

/** What the bridges of one passage are chosen by. */
export interface BridgeSource {
  readonly record: PassageRecord;
  readonly words: ItemWords;
  /** Evidence less the best start's: 0 or negative. */
  readonly relative: number;
  /** Similarity of the question with each sentence. */
  readonly sentences: Float32Array;
}

/** Returns the names in a passage, its own included, that are neither stop words, dates nor numbers: keys to look up. */
export function bridgeKeys({ record }: BridgeSource): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { key, name } of record.mentions) if (isBridge(key)) keys.set(key, name);
  const own = record.about.find((about) => !about.alias);
  if (own !== undefined && record.title !== '') keys.set(own.key, record.title.split(' > ').at(-1)!);
  return keys;
}

function isBridge(key: string): boolean {
  return key
    .split(' ')
    .some((norm) => !isStopWord(norm) && !CALENDAR.has(norm) && !/^[\p{N}.,]+$/u.test(norm) && norm.length > 1);
}

/**
 * Returns the strongest bridges of a passage, best first. A name that the question holds already bridges nothing, and
 * one that no other passage holds leads nowhere. `known`: state of the keys in the passage's domain; `open`: terms of the
 * question outside names, with their idf.
 */
export function bridgesOf(
  source: BridgeSource,
  {
    known,
    open,
    question,
    count,
  }: {
    readonly known: ReadonlyMap<string, KeyInfo>;
    readonly open: ReadonlyMap<string, number>;
    readonly question: ReadonlySet<string>;
    readonly count: number;
  },
): Bridge[] {
  const { record, words, relative, sentences } = source;
  const best = new Map<string, Bridge>();
  const consider = (key: string, name: string, place: { sentence: number; near: number; similarity: number }): void => {
    const info = known.get(key);
    const stems = stemsOf(name);
    if (info === undefined || stems.length === 0 || stems.every((term) => question.has(term))) return;
    const about = info.about.filter((id) => id !== record.id);
    if (about.length === 0 && info.documentFrequency < 2) return;
    if (info.documentFrequency > MOST_PASSAGES && about.length === 0) return;
    const strength =
      PASSAGE * relative +
      SENTENCE * place.similarity +
      WORDS * place.near -
      COMMON * Math.log1p(info.documentFrequency);
    const former = best.get(key);
    if (former !== undefined && former.strength >= strength) return;
    best.set(key, { key, name, stems, from: record.id, sentence: place.sentence, strength, about: info.about });
  };
  for (const mention of record.mentions) {
    if (!isBridge(mention.key)) continue;
    const near = wordsNear(open, words.sentences[mention.sentence] ?? [], mention);
    const similarity = sentences[mention.sentence] ?? 0;
    consider(mention.key, mention.name, { sentence: mention.sentence, near, similarity });
  }
  const own = record.about.find((about) => !about.alias);
  if (own !== undefined && record.title !== '') {
    const similarity = sentences.length === 0 ? 0 : Math.max(...sentences);
    consider(own.key, record.title.split(' > ').at(-1)!, { sentence: -1, near: 0, similarity });
  }
  return strongest([...best.values()], count);
}

/** Returns the `count` strongest bridges, ties by key, then passage. */
export function strongest(bridges: readonly Bridge[], count: number): Bridge[] {
  return [...bridges]
    .sort((a, b) => b.strength - a.strength || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.from < b.from ? -1 : 1))
    .slice(0, count);
}

function stemsOf(name: string): string[] {
  return [...new Set(tokenize(name).flatMap(({ norm }) => (isStopWord(norm) ? [] : [stem(norm)])))];
}
