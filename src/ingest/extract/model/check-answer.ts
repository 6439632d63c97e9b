import { nameKey } from '../../../core/text/keys.js';
import type { ModelChunk } from './chunks.js';
import { cleanLine, cleanName, relationName } from './names.js';
import { QuotedTexts } from './quotes.js';
import type { ModelAnswer } from './request.js';

export interface CheckedConcept {
  /** `nameKey` of the name: the identity within the document. */
  readonly key: string;
  readonly name: string;
  readonly type: string | null;
  readonly description: string | null;
  readonly aliases: readonly string[];
  readonly confidence: number;
}

export interface CheckedRelation {
  /** Keys of concepts. */
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly quote: string;
  readonly confidence: number;
}

export interface CheckedRule {
  readonly text: string;
  readonly category: string;
  /** Keys of concepts. */
  readonly concepts: readonly string[];
  readonly quote: string;
  /** Id of the passage that holds the quote. */
  readonly passage: string;
  readonly confidence: number;
}

/** Why elements of an answer were left out, by count. */
export interface LeftOut {
  malformed: number;
  /** Relations an endpoint of which is not among the concepts. */
  unknownEndpoint: number;
  /** Relations and rules whose quote the chunk does not hold. */
  unquoted: number;
  /** Relations and rules below the least confidence. */
  unsure: number;
}

export interface CheckedAnswer {
  readonly concepts: readonly CheckedConcept[];
  readonly relations: readonly CheckedRelation[];
  readonly rules: readonly CheckedRule[];
  readonly leftOut: Readonly<LeftOut>;
}

/** Confidence where the model gives none. */
const DEFAULT_CONFIDENCE = 0.8;
const MOST_ALIASES = 10;

/**
 * Keeps of an answer what can be relied on: concepts with a name; relations between two of them, and rules, whose quote
 * the chunk holds and of which the model is sure enough.
 */
export function checkAnswer(
  answer: ModelAnswer,
  { chunk, minConfidence }: { readonly chunk: ModelChunk; readonly minConfidence: number },
): CheckedAnswer {
  const leftOut: LeftOut = { malformed: 0, unknownEndpoint: 0, unquoted: 0, unsure: 0 };
  const { concepts, keys } = conceptsOf(answer, leftOut);
  const quotes = new QuotedTexts(chunk.passages.map(({ title, text }) => `${title} ${text}`));
  const relations: CheckedRelation[] = [];
  for (const given of answer.relations) {
    const [from, to] = [cleanName(given.source), cleanName(given.target)];
    const relation = relationName(given.relation);
    const quote = cleanLine(given.quote, 1000);
    const confidence = confidenceOf(given.confidence);
    if (from === null || to === null || relation === null) leftOut.malformed += 1;
    else if (!keys.has(nameKey(from)) || !keys.has(nameKey(to))) leftOut.unknownEndpoint += 1;
    else if (quote === null || quotes.find(quote) < 0) leftOut.unquoted += 1;
    else if (confidence < minConfidence) leftOut.unsure += 1;
    else {
      const [source, target] = [keys.get(nameKey(from))!, keys.get(nameKey(to))!];
      if (source !== target) relations.push({ source, target, relation, quote, confidence });
    }
  }
  const rules: CheckedRule[] = [];
  for (const given of answer.rules ?? []) {
    const text = cleanLine(given.rule, 1000);
    const quote = cleanLine(given.quote, 1000);
    const found = quote === null ? -1 : quotes.find(quote);
    const confidence = confidenceOf(given.confidence);
    if (text === null) leftOut.malformed += 1;
    else if (quote === null || found < 0) leftOut.unquoted += 1;
    else if (confidence < minConfidence) leftOut.unsure += 1;
    else {
      const category = cleanLine(given.category, 100)?.toLowerCase() ?? 'general';
      const named = namesOf(given.concepts).flatMap((name) => keys.get(nameKey(name)) ?? []);
      const passage = chunk.passages[found]!.id;
      rules.push({ text, category, concepts: [...new Set(named)], quote, passage, confidence });
    }
  }
  return { concepts, relations, rules, leftOut };
}

/** Returns the concepts, two of one name both, and the keys of all their names. */
function conceptsOf(answer: ModelAnswer, leftOut: LeftOut) {
  const concepts: CheckedConcept[] = [];
  for (const given of answer.concepts) {
    const name = cleanName(given.name);
    if (name === null) {
      leftOut.malformed += 1;
      continue;
    }
    concepts.push({
      key: nameKey(name),
      name,
      type: cleanLine(given.type, 50)?.toLowerCase() ?? null,
      description: cleanLine(given.description, 2000),
      aliases: namesOf(given.aliases).filter((alias) => nameKey(alias) !== nameKey(name)),
      confidence: confidenceOf(given.confidence),
    });
  }
  const keys = new Map<string, string>();
  for (const { key, aliases } of concepts) {
    for (const alias of aliases) if (!keys.has(nameKey(alias))) keys.set(nameKey(alias), key);
  }
  // A concept's own name wins over an alias of another.
  for (const { key } of concepts) keys.set(key, key);
  return { concepts, keys };
}

function namesOf(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  const names = given.map(cleanName).filter((name) => name !== null);
  return [...new Set(names)].slice(0, MOST_ALIASES);
}

function confidenceOf(given: unknown): number {
  return typeof given === 'number' && given >= 0 && given <= 1 ? given : DEFAULT_CONFIDENCE;
}
