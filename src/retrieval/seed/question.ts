import type { KeyInfo } from '../../backends/graph/port.js';
import type { TextResult } from '../../backends/text/port.js';
import { languageOf } from '../../core/text/language.js';
import { type MentionPart, questionEntities } from '../../core/text/mentions.js';
import type { Copies } from '../expand/copies.js';
import { type Code, codesIn } from './codes.js';
import { type EqualNumber, equalNumbers } from './equal-numbers.js';
import type { Compound } from './held-compounds.js';
import { type QuestionWord, questionWords, withoutAsking } from './question-words.js';

/** BM25's k1 + 1: what one occurrence-saturated term can weigh per unit of idf. */
const SATURATION = 2.2;

/** A name in the question that the graph knows. */
export interface QuestionName {
  readonly key: string;
  /** As written in the question. */
  readonly name: string;
  /** Nodes about it, over the requested domains: exact count, and their ids (at most 50 per domain). */
  readonly count: number;
  readonly about: readonly string[];
  /** Domain → passages that mention it or are about it. */
  readonly documentFrequency: ReadonlyMap<string, number>;
  /** Domain → concept that stands for it, where that is no entity of this name. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The question as the later verbs use it. */
export interface Question {
  readonly text: string;
  /** What the text index is searched for: the text, with compounds that the documents write in another way. */
  readonly searched: string;
  readonly compounds: readonly Compound[];
  /** As `core/text/stem.ts` names it. */
  readonly language: string;
  /** Null without an embedding model. */
  readonly vector: Float32Array | null;
  readonly names: readonly QuestionName[];
  /** Node id → 1/√(nodes about the name), for nodes that the question names. */
  readonly named: ReadonlyMap<string, number>;
  /** Distinct stems of content words → idf over the requested domains. */
  readonly terms: ReadonlyMap<string, number>;
  /** Those of them that stand outside the names: what the question asks about them. */
  readonly open: ReadonlyMap<string, number>;
  /** Stem → documents that hold it, over the requested domains. */
  readonly documentFrequencies: ReadonlyMap<string, number>;
  /** All words in order. */
  readonly words: readonly QuestionWord[];
  /** Names found in the question, known to the graph or not: token offset and length in `words`. */
  readonly parts: readonly MentionPart[];
  /** Codes such as "KX-15-200": what holds their words in another order is of another thing. */
  readonly codes: readonly Code[];
  /** Whole numbers in the other forms that they may have in a cell: 30.00 for 30. */
  readonly numbers: readonly EqualNumber[];
  /** The BM25 that a document with all its words could attain at most, words that occur nowhere included. */
  readonly attainable: number;
}

/** Joins what the three look-ups found about a question. */
export async function readQuestion(
  text: string,
  found: { readonly vector: Float32Array | null; readonly match: TextResult; readonly keys: readonly KeyInfo[] },
): Promise<Question> {
  const idf = new Map(found.match.terms.map((term) => [term.stem, term.idf]));
  const keys = byKey(found.keys);
  const parts = await questionEntities(text, (key) => (keys.get(key) ?? []).some((info) => info.about.length > 0));
  const names = namesOf(parts, keys);
  const language = languageOf(text);
  const words = questionWords(text, parts, { idf, language });
  const terms = withoutAsking(found.match.terms, words);
  let attainable = 0;
  for (const term of terms) attainable += term.idf * SATURATION;
  return {
    text,
    searched: text,
    compounds: [],
    language,
    vector: found.vector,
    names,
    named: namedNodes(names),
    terms: new Map(terms.map((term) => [term.stem, term.idf])),
    open: openTerms(words),
    documentFrequencies: new Map(terms.map((term) => [term.stem, term.df])),
    words,
    parts,
    codes: codesIn(text, words),
    numbers: equalNumbers({ text, language, words }),
    attainable,
  };
}

function byKey(infos: readonly KeyInfo[]): Map<string, KeyInfo[]> {
  const keys = new Map<string, KeyInfo[]>();
  for (const info of infos) {
    const known = keys.get(info.key);
    if (known === undefined) keys.set(info.key, [info]);
    else known.push(info);
  }
  return keys;
}

function namesOf(parts: readonly MentionPart[], keys: ReadonlyMap<string, KeyInfo[]>): QuestionName[] {
  const names = new Map<string, QuestionName>();
  for (const { key, name } of parts) {
    const infos = keys.get(key);
    if (infos === undefined || names.has(key)) continue;
    let count = 0;
    const documentFrequency = new Map<string, number>();
    const renamed = new Map<string, string>();
    for (const info of infos) {
      if (info.renamed !== undefined) renamed.set(info.domain, info.renamed);
      if (info.about.length > 0) count += info.titles > 0 ? info.titles : info.aliases;
      if (info.documentFrequency > 0) documentFrequency.set(info.domain, info.documentFrequency);
    }
    if (count === 0 && documentFrequency.size === 0) continue;
    names.set(key, { key, name, count, about: infos.flatMap((info) => info.about), documentFrequency, renamed });
  }
  return [...names.values()];
}

/** Returns the question with copies of what it names counted once. */
export function withoutCopies(question: Question, copies: Copies): Question {
  return { ...question, named: namedNodes(question.names, copies) };
}

function namedNodes(names: readonly QuestionName[], copies?: Copies): Map<string, number> {
  const named = new Map<string, number>();
  for (const { about, count } of names) {
    const others = copies === undefined ? 0 : about.length - copies.count(about);
    const share = 1 / Math.sqrt(Math.max(1, count - others));
    for (const id of about) named.set(id, Math.max(share, named.get(id) ?? 0));
  }
  return named;
}

/** Returns the terms outside the names: what the question asks about them. */
function openTerms(words: readonly QuestionWord[]): Map<string, number> {
  const outside = words.filter((word) => word.content && !word.inName);
  return new Map(outside.map((word) => [word.stem, word.idf]));
}
