import { stem } from '../core/text/stem.js';
import { isStopWord } from '../core/text/stop-words.js';
import { tokenize } from '../core/text/tokens.js';
import type { Path } from './paths.js';
import type { Question } from './question.js';
import type { RankedItem } from './rank.js';

/** The shortest explanation of an item's place. Members that say nothing are left out. */
export interface Why {
  /** Words of the question that the item holds, rarest first, as written in the question. */
  readonly terms?: readonly string[];
  /** Names of the question that the item is about. */
  readonly named?: readonly string[];
  /** The strongest way through the graph that led here. */
  readonly path?: WhyPath;
}

export interface WhyPath {
  /** The item where it starts. */
  readonly from: string;
  readonly name: string;
  /** `mention` (a sentence of `from` names this item), `mentioned_by`, `shares`, or a relation type. */
  readonly via: string;
  /** For `shares`: the name both hold. */
  readonly entity?: string;
  /** 0-based sentence that holds the mention: of `from`, or of the item itself for `mentioned_by`. */
  readonly sentence?: number;
}

const TERMS = 8;

export function explain(item: RankedItem, { question, text }: { question: Question | null; text: string }): Why {
  const terms = matchedTerms(item, text, question);
  const named = (question?.names ?? []).filter((name) => name.about.includes(item.node.id)).map((name) => name.name);
  const path = strongestPath(item);
  return {
    ...(terms.length === 0 ? {} : { terms }),
    ...(named.length === 0 ? {} : { named }),
    ...(path === undefined ? {} : { path }),
  };
}

function matchedTerms({ node }: RankedItem, text: string, question: Question | null): string[] {
  const held = new Set(tokenize(`${node.name}\n${node.description}`).map((token) => stem(token.norm)));
  const matched = new Map<string, { written: string; idf: number }>();
  for (const token of tokenize(text)) {
    const term = stem(token.norm);
    if (isStopWord(token.norm) || matched.has(term) || !held.has(term)) continue;
    matched.set(term, { written: token.text, idf: question?.terms.get(term) ?? 0 });
  }
  return [...matched.values()]
    .sort((a, b) => b.idf - a.idf)
    .slice(0, TERMS)
    .map((term) => term.written);
}

function strongestPath({ plain, features }: RankedItem): WhyPath | undefined {
  if (plain === null || features === null) return undefined;
  const { forward, reverse, shared } = features;
  const { parts } = plain;
  const best = Math.max(parts.forward, parts.reverse, parts.shared);
  if (best <= 0) return undefined;
  if (forward !== undefined && parts.forward === best) return along(forward, forward.relation ?? 'mention');
  if (shared !== undefined && parts.shared === best) {
    return { from: shared.from, name: shared.name, via: 'shares', entity: shared.key };
  }
  return reverse === undefined ? undefined : along(reverse, 'mentioned_by');
}

function along({ from, name, sentence }: Path, via: string): WhyPath {
  return { from, name, via, ...(sentence === undefined ? {} : { sentence }) };
}
