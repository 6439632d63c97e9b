import { writtenAs } from '../../core/text/keys.js';
import { stem } from '../../core/text/stems/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { tokenize } from '../../core/text/tokens.js';
import type { Chain } from '../chains/chain-types.js';
import { isoDays, type MeantTime } from '../dates/dates.js';
import type { ItemTexts } from '../expand/item-words.js';
import type { Path } from '../expand/paths.js';
import type { RankedItem, Ranking } from '../score/rank.js';
import { bestChain } from '../score/score.js';
import type { Question } from '../seed/question.js';
import { whoAndWhen } from './content.js';

/** The shortest explanation of an item's place. Members that say nothing are left out. */
export interface Why {
  /** Words of the question that the item holds, rarest first, as written in the question. */
  readonly terms?: readonly string[];
  /** Names of the question that the item is about. */
  readonly named?: readonly string[];
  /** The strongest way through the graph that led here. */
  readonly path?: WhyPath;
  /** The days that the question speaks of, where the item is of one of them or says that something holds then: `2024-05-13/2024-05-19`; one day stands alone. */
  readonly when?: string;
  /** What a time that counts from another day is taken as, of messages whether they are of it or not. */
  readonly meant?: WhyMeant;
  /** What a row lacks of what the question asks for, or wants lacking: the column in which it has nothing, `weight kg`, or words of the question, `salary`. */
  readonly lacks?: string;
}

export interface WhyMeant {
  /** As the question writes it: `last week`. */
  readonly words: string;
  /** As in `when`. */
  readonly days: string;
  /** The day it counts from: `2024-05-22`. */
  readonly from: string;
  /** Whether that is today, or the day of the newest message. */
  readonly by: 'newest_message' | 'today';
}

export interface WhyPath {
  /** The item where it starts. */
  readonly from: string;
  readonly name: string;
  /** `mention` (a sentence of `from` names this item), `shares`, `bridge` (a name in `from`, or at the other end of an edge of it, leads here), `updates` (this message or passage says what holds since `from`), `answers` (this message stands behind `from`, which asks what the question asks), or a relation type. */
  readonly via: string;
  /** For a relation that a foreign key of a database makes: its column, or its columns with commas between. */
  readonly column?: string;
  /** For `shares` and `bridge`: the name both hold. */
  readonly entity?: string;
  /** For `bridge`: the question with that name in place of what `from` explains. */
  readonly question?: string;
  /** 0-based sentence of `from` that holds the mention. */
  readonly sentence?: number;
}

const TERMS = 8;

/** What a question asks for, read once for all the items it found. */
export interface QuestionTerms {
  readonly question: Question | null;
  /** Words of the items in the question's language, as far as they were read. */
  readonly texts: ItemTexts;
  /** Stem → the word as the question writes it, rarest first; no stop words. */
  readonly terms: ReadonlyMap<string, string>;
}

export function questionTerms(text: string, { question, texts }: Pick<Ranking, 'question' | 'texts'>): QuestionTerms {
  const { language } = texts;
  const found = new Map<string, { written: string; idf: number }>();
  for (const token of tokenize(text)) {
    const term = stem(token.norm, language);
    if (isStopWord(token.norm, language) || found.has(term)) continue;
    found.set(term, { written: token.text, idf: question?.terms.get(term) ?? 0 });
  }
  const rarestFirst = [...found].sort(([, a], [, b]) => b.idf - a.idf);
  return { question, texts, terms: new Map(rarestFirst.map(([term, { written }]) => [term, written])) };
}

export function explain(item: RankedItem, { question, texts, terms: written }: QuestionTerms): Why {
  const terms = matchedTerms(texts.of(item.node).all, written);
  const named = (question?.names ?? []).filter((name) => name.about.includes(item.node.id)).map((name) => name.name);
  const path = pathOfPlace(item) ?? strongestPath(item);
  const { days, meant } = item.message ?? item.features ?? {};
  const { lacks } = item.features ?? {};
  return {
    ...(terms.length === 0 ? {} : { terms }),
    ...(named.length === 0 ? {} : { named }),
    ...(path === undefined ? {} : { path }),
    ...(days === undefined ? {} : { when: isoDays(days) }),
    ...(meant === undefined ? {} : { meant: meaning(meant) }),
    ...(lacks === undefined || lacks.kind === 'held' ? {} : { lacks: lacks.what }),
  };
}

function meaning({ words, from, to, day, isToday }: MeantTime): WhyMeant {
  const by = isToday ? 'today' : 'newest_message';
  return { words, days: isoDays({ from, to }), from: isoDays({ from: day, to: day }), by };
}

const textOf = ({ name, description }: RankedItem['node']): string => `${name}\n${description}`;

function matchedTerms(stems: ReadonlySet<string>, questionTerms: QuestionTerms['terms']): string[] {
  const matched: string[] = [];
  for (const [term, written] of questionTerms) {
    if (stems.has(term)) matched.push(written);
    if (matched.length === TERMS) break;
  }
  return matched;
}

function strongestPath({ node, baseline, features }: RankedItem): WhyPath | undefined {
  if (baseline === null || features === null) return undefined;
  const { forward, shared } = features;
  const { parts, carried } = baseline;
  const best = Math.max(parts.forward, parts.shared, parts.chain);
  if (carried !== undefined && carried.gain >= best) return alongChain(carried.chain);
  if (best <= 0) return undefined;
  const chain = bestChain(features);
  // A chain over a link is that link.
  const isLink = chain?.from === forward?.from && (chain?.edge === undefined || chain.edge === forward?.edge);
  if (parts.chain === best && !isLink) return alongChain(chain);
  if (forward !== undefined && (parts.forward === best || parts.chain === best))
    return along(forward, forward.relation ?? 'mention');
  if (shared !== undefined && parts.shared === best) {
    return { from: shared.from, name: shared.name, via: 'shares', entity: writtenAs(shared.key, textOf(node)) };
  }
  return undefined;
}

/** Returns the earlier message or passage whose place one takes, or the message that asked. */
function pathOfPlace({ message, features }: RankedItem): WhyPath | undefined {
  const change = message?.change ?? features?.change;
  const earlier = change?.of ?? message?.reply?.to;
  if (earlier === undefined) return undefined;
  const { id, name, passage } = earlier;
  return {
    from: id,
    name: passage?.message === undefined ? name : whoAndWhen(passage.message),
    via: change === undefined ? 'answers' : 'updates',
  };
}

function along({ from, name, column, sentence }: Path, via: string): WhyPath {
  const more = { ...(column === undefined ? {} : { column }), ...(sentence === undefined ? {} : { sentence }) };
  return { from, name, via, ...more };
}

function alongChain(chain: Chain | undefined): WhyPath | undefined {
  if (chain === undefined) return undefined;
  const { from, name, bridge, sentence, rewritten } = chain;
  return { from, name, via: 'bridge', entity: bridge.name, question: rewritten, ...(sentence < 0 ? {} : { sentence }) };
}
