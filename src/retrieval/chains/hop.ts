import { SentenceQuery } from '../../backends/embedding/int8.js';
import type { RetrievalParts } from '../collaborators.js';
import { dot } from '../dot.js';
import type { Copies } from '../expand/copies.js';
import type { Wording } from './anchor.js';
import type { Bridge } from './bridges.js';
import type { Chain } from './chain-types.js';
import { cutsAround, substituted, type WordSpan } from './cuts.js';

/** Weights within a match. */
const LEXICAL = 0.8;
const ABOUT = 0.2;
/** Passages that hold a bridge and are matched, at most; the best by BM25 beyond that. */
const HOLDERS = 40;
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
  /** The rewritten question's vector; null without a model. */
  readonly vector: Float32Array | null;
  /** The question with the bridge in place of the anchor alone: the next hop still has every word to cut from. */
  readonly whole: Rewriting;
}

/**
 * Scores the passages that hold each bridge against the questions rewritten with it; returns every chain found. `twice`: steps,
 * the strongest first, in which the bridge's name takes the place of two parts of the question in turn.
 */
export async function hop(
  parts: RetrievalParts,
  steps: readonly ChainStep[],
  { twice, copies }: { readonly twice: number; readonly copies: Copies },
): Promise<ChainHop[]> {
  if (steps.length === 0) return [];
  // The encoder works while the store answers.
  const [{ holders, vectors, sentences }, rewritten] = await Promise.all([
    readHolders(parts, steps, copies),
    rewrite(parts, steps, twice),
  ]);
  const hops: ChainHop[] = [];
  steps.forEach((step, s) => {
    const { bridge, name, domain } = step;
    const about = new Set(bridge.about);
    const whole = rewriting(step, step.anchor);
    for (const [to, lexical] of holders[s]!) {
      let best: { similarity: number; variant: Variant } | undefined;
      for (const variant of rewritten[s]!) {
        const similarity = similarityOf(variant, vectors.get(to), sentences.get(to)) ?? WITHOUT_MODEL * lexical;
        if (best === undefined || similarity > best.similarity) best = { similarity, variant };
      }
      if (best === undefined) continue;
      const isAbout = about.has(to) ? 1 : 0;
      const match = best.similarity + LEXICAL * lexical + ABOUT * isAbout;
      hops.push({
        strength: bridge.strength + match,
        match,
        similarity: best.similarity,
        lexical,
        about: isAbout,
        from: bridge.from,
        name,
        sentence: bridge.sentence,
        bridge: { key: bridge.key, name: bridge.name, domain },
        to,
        rewritten: best.variant.text,
        vector: best.variant.vector,
        whole,
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

/** Null without a model. */
interface Variant extends Rewriting {
  readonly vector: Float32Array | null;
  readonly sentences: SentenceQuery | null;
}

function rewriting({ wording: { text, words }, bridge }: ChainStep, cut: WordSpan): Rewriting {
  return { text: substituted(text, words, cut, bridge.name), offset: words[cut.from]!.start };
}

/** Encodes the rewritten questions of all steps in one batch. */
async function rewrite(parts: RetrievalParts, steps: readonly ChainStep[], twice: number): Promise<Variant[][]> {
  const variants = steps.map((step, s) =>
    cutsAround(step.wording.words, step.wording.text, step.anchor)
      .slice(0, s < twice ? 2 : 1)
      .map((cut) => rewriting(step, cut)),
  );
  const texts = [...new Set(variants.flat().map((variant) => variant.text))];
  const none = { vector: null, sentences: null };
  const encoded = new Map<string, Pick<Variant, 'vector' | 'sentences'>>();
  if (parts.embedding !== null && texts.length > 0) {
    const made = await parts.embedding.embed(texts);
    texts.forEach((text, i) => {
      encoded.set(text, { vector: made[i]!, sentences: new SentenceQuery(made[i]!) });
    });
  }
  return variants.map((list) => list.map((variant) => ({ ...variant, ...(encoded.get(variant.text) ?? none) })));
}

interface Holders {
  /** For each step: passage → share of the rest of the question. */
  readonly holders: ReadonlyArray<ReadonlyMap<string, number>>;
  /** Empty without a model, as are the sentences. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly sentences: ReadonlyMap<string, Uint8Array>;
}

async function readHolders(parts: RetrievalParts, steps: readonly ChainStep[], copies: Copies): Promise<Holders> {
  const holders = await holdersOf(parts, steps, copies);
  if (parts.embedding === null) return { holders, vectors: new Map(), sentences: new Map() };
  const ids = [...new Set(holders.flatMap((found) => [...found.keys()]))];
  const [vectors, sentences] = await Promise.all([parts.vectors.fetch(parts.indexName, ids), parts.sentences(ids)]);
  return { holders, vectors, sentences };
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

/** Returns the cosine with the passage plus the cosine with its best sentence; undefined without vectors. */
function similarityOf(
  { vector, sentences }: Variant,
  passage: Float32Array | undefined,
  packed: Uint8Array | undefined,
): number | undefined {
  if (vector === null || passage === undefined) return undefined;
  const cosine = dot(vector, passage);
  const best = packed === undefined ? undefined : sentences?.best(packed);
  return cosine + (best ?? cosine);
}
