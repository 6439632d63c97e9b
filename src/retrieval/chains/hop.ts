import type { RetrievalParts } from '../collaborators.js';
import type { Copies } from '../expand/copies.js';
import type { Wording } from './anchor.js';
import type { Bridge } from './bridges.js';
import type { Chain } from './chain-types.js';
import { cutsAround, substituted, type WordSpan } from './cuts.js';
import { TableQuery, type TableVectors, tableVectors } from './table-vectors.js';

/** Weights within a match. */
const LEXICAL = 0.8;
const ABOUT = 0.2;
/** Passages that hold a bridge and are matched, at most; the best by BM25 beyond that. */
const HOLDERS = 16;
/** BM25's k1 + 1. */
const SATURATION = 2.2;
/** Similarity that full lexical cover stands for where there is no model. */
const WITHOUT_MODEL = 1.4;

/** One bridge with the part of the question that its passage explains. */
export interface ChainStep {
  readonly bridge: Bridge;
  readonly anchor: WordSpan;
  readonly wording: Wording;
  readonly domain: string;
  /** Name of the passage that holds the bridge. */
  readonly name: string;
  /** Passages whose text holds all words of the bridge. */
  readonly holders: readonly string[];
}

/** A chain with what the next hop needs. */
export interface ChainHop extends Chain {
  /** The rewritten question; null without a model. */
  readonly query: TableQuery | null;
  /** The item it ends at; undefined without a model. */
  readonly item: TableVectors | undefined;
  /** The question with the bridge in place of the narrowest part that its passage explains: what the next hop asks. */
  readonly onward: Rewriting;
}

/**
 * Scores the passages that hold each bridge against the questions rewritten with it; returns every chain found. `twice`: steps,
 * the strongest first, in which the bridge's name takes the place of two parts of the question in turn.
 */
export async function hop(
  parts: RetrievalParts,
  steps: readonly ChainStep[],
  { question, twice, copies }: { readonly question: string; readonly twice: number; readonly copies: Copies },
): Promise<ChainHop[]> {
  if (steps.length === 0) return [];
  const [{ holders, vectors }, { asked, rewritten }] = await Promise.all([
    readHolders(parts, steps, copies),
    rewrite(parts, steps, { question, twice }),
  ]);
  const hops: ChainHop[] = [];
  steps.forEach((step, s) => {
    const { bridge, name, domain } = step;
    const about = new Set(bridge.about);
    const onward = rewriting(step, cutsOf(step)[0] ?? step.anchor);
    for (const [to, lexical] of holders[s]!) {
      // Whatever lies next to a concept resembles some question: a guess has to hold a word of it.
      if (bridge.isGuess === true && lexical === 0) continue;
      const item = vectors.get(to);
      let best: { similarity: number; variant: Variant } | undefined;
      for (const variant of rewritten[s]!) {
        const similarity = similarityOf(variant.query, item) ?? WITHOUT_MODEL * lexical;
        if (best === undefined || similarity > best.similarity) best = { similarity, variant };
      }
      if (best === undefined) continue;
      const match = best.similarity + LEXICAL * lexical + (about.has(to) ? ABOUT : 0);
      hops.push({
        strength: bridge.strength + match,
        match,
        similarity: best.similarity,
        asked: similarityOf(asked, item),
        from: bridge.from,
        name,
        sentence: bridge.sentence,
        bridge: { key: bridge.key, name: bridge.name, domain },
        ...(bridge.edge === undefined ? {} : { edge: bridge.edge }),
        to,
        rewritten: best.variant.text,
        query: best.variant.query,
        item,
        onward,
      });
    }
  });
  return hops;
}

/** A question with a cut replaced by a bridge's name. */
interface Rewriting {
  readonly text: string;
  /** Where the name stands. */
  readonly offset: number;
}

interface Variant extends Rewriting {
  /** Null without a model. */
  readonly query: TableQuery | null;
}

function cutsOf({ wording: { words, text }, anchor }: ChainStep): WordSpan[] {
  return cutsAround(words, text, anchor);
}

function rewriting({ wording: { text, words }, bridge }: ChainStep, cut: WordSpan): Rewriting {
  return { text: substituted(text, words, cut, bridge.name), offset: words[cut.from]!.start };
}

/** Returns the question and, for each step, what it is rewritten to, encoded in one batch. */
async function rewrite(
  parts: RetrievalParts,
  steps: readonly ChainStep[],
  { question, twice }: { readonly question: string; readonly twice: number },
): Promise<{ readonly asked: TableQuery | null; readonly rewritten: Variant[][] }> {
  const variants = steps.map((step, s) =>
    cutsOf(step)
      .slice(0, s < twice ? 2 : 1)
      .map((cut) => rewriting(step, cut)),
  );
  const queries = new Map<string, TableQuery>();
  if (parts.embedding !== null) {
    const texts = [...new Set([question, ...variants.flat().map((variant) => variant.text)])];
    const made = await parts.table().embed(texts);
    texts.forEach((text, i) => {
      queries.set(text, new TableQuery(made[i]!));
    });
  }
  const queryOf = (text: string): TableQuery | null => queries.get(text) ?? null;
  return {
    asked: queryOf(question),
    rewritten: variants.map((list) => list.map((variant) => ({ ...variant, query: queryOf(variant.text) }))),
  };
}

interface Holders {
  /** For each step: passage → share of the rest of the question. */
  readonly holders: ReadonlyArray<ReadonlyMap<string, number>>;
  /** Empty without a model. */
  readonly vectors: ReadonlyMap<string, TableVectors>;
}

async function readHolders(parts: RetrievalParts, steps: readonly ChainStep[], copies: Copies): Promise<Holders> {
  const holders = await holdersOf(parts, steps, copies);
  if (parts.embedding === null) return { holders, vectors: new Map() };
  const ids = [...new Set(holders.flatMap((found) => [...found.keys()]))];
  return { holders, vectors: await tableVectors(parts, ids) };
}

/**
 * Returns, for each step, the passages that hold its bridge, with the share of the rest of the question that they hold.
 */
async function holdersOf(
  parts: RetrievalParts,
  steps: readonly ChainStep[],
  copies: Copies,
): Promise<Array<Map<string, number>>> {
  return Promise.all(
    steps.map(async (step) => {
      const { bridge, holders, domain, anchor, wording } = step;
      const ids = [...new Set([...bridge.about, ...holders])].filter((id) => !copies.areSame(id, bridge.from));
      const rest = wording.words.filter((word, i) => word.content && (i < anchor.from || i >= anchor.to));
      const attainable = SATURATION * rest.reduce((sum, word) => sum + word.idf, 0);
      if (ids.length === 0) return new Map<string, number>();
      const scores =
        rest.length === 0
          ? new Map<string, number>()
          : await parts.text.score(rest.map((word) => word.norm).join(' '), ids, [domain]);
      const share = (id: string): number => (attainable > 0 ? Math.min(1, (scores.get(id) ?? 0) / attainable) : 0);
      const about = new Set(bridge.about);
      const ranked = ids
        .map((id) => [id, share(id)] as const)
        .sort((a, b) => b[1] + (about.has(b[0]) ? 1 : 0) - a[1] - (about.has(a[0]) ? 1 : 0) || (a[0] < b[0] ? -1 : 1));
      return new Map(ranked.slice(0, HOLDERS));
    }),
  );
}

function similarityOf(query: TableQuery | null, item: TableVectors | undefined): number | undefined {
  return query === null || item === undefined ? undefined : query.similarity(item);
}
