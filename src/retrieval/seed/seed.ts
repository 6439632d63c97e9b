import type { KeyInfo } from '../../backends/graph/port.js';
import { questionKeys } from '../../core/text/mentions.js';
import type { RetrievalParts } from '../collaborators.js';
import { findCompounds } from './compounds.js';
import { joinedAsFound } from './joined.js';
import { wellSpelled } from './misspelt.js';
import { type Question, readQuestion } from './question.js';

/** Items searched for by vector, and by text. */
const WIDTH = 50;
/** Items that carry a name of the question, at most; a name that many share says little about each. */
const NAMED = 50;
/** How many times as many are searched for where messages and documents share the places. */
const WIDER = 4;

export interface Seeds {
  readonly question: Question;
  /** Items found by vector, by text or by name. */
  readonly ids: readonly string[];
  /** What the searches already know: id → cosine, id → BM25. */
  readonly cosines: ReadonlyMap<string, number>;
  readonly bm25: ReadonlyMap<string, number>;
}

export interface Scope {
  readonly domains: readonly string[] | undefined;
  readonly topK: number;
  /** States of the question's keys, where they were requested already. */
  readonly keys?: Promise<readonly KeyInfo[]> | undefined;
  /** True where misspelt words, and words that the documents write as one, were looked up already. */
  readonly spelled?: boolean | undefined;
}

/** Looks up every name that a question may hold. */
export async function lookUpNames(
  { graph }: Pick<RetrievalParts, 'graph'>,
  context: string,
  domains: readonly string[] | undefined,
): Promise<readonly KeyInfo[]> {
  return graph.lookupKeys(domains, await questionKeys(context));
}

/** Reads the question and finds what matches it directly, within the domains (the first verb of the line). */
export async function seed(parts: RetrievalParts, context: string, scope: Scope): Promise<Seeds> {
  const { domains, topK } = scope;
  const width = Math.max(WIDTH, topK);
  const within = domains === undefined ? {} : { domains };
  // The model works in a thread of its own while the store answers.
  const embedding = embedQuestion(parts, context);
  const [match, keys, vector] = await Promise.all([
    parts.text.search(context, { topK: width, ...within }),
    scope.keys ?? lookUpNames(parts, context, domains),
    embedding,
  ]);
  const known = { terms: match.terms, domains };
  const spelled =
    scope.spelled === true ? context : await wellSpelled(parts, await joinedAsFound(parts, context, known), known);
  if (spelled !== context) return seed(parts, spelled, { domains, topK, spelled: true });
  const read = await readQuestion(context, { vector, match, keys });
  const { compounds, searched, parts: apart } = await findCompounds(parts, read, known);
  const question = { ...read, compounds, searched };
  const [found, beside, near] = await Promise.all([
    searched === context ? match : parts.text.search(searched, { topK: width, ...within }),
    apart === '' ? undefined : parts.text.search(apart, { topK: width, ...within }),
    vector === null ? [] : nearest(parts, vector, { domains, topK: width }),
  ]);
  const named = [...question.named].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, NAMED);
  const ids = new Set([...near, ...found.hits, ...(beside?.hits ?? [])].map((hit) => hit.id));
  for (const [id] of named) ids.add(id);
  return {
    question,
    ids: [...ids],
    cosines: new Map(near.map((hit) => [hit.id, hit.score])),
    bm25: new Map(found.hits.map((hit) => [hit.id, hit.score])),
  };
}

/**
 * Returns the seeds with what a wider search finds besides. Where messages take most of the places, too few documents are
 * left to tell a good one from the others.
 */
export async function widened(parts: RetrievalParts, seeds: Seeds, { domains, topK }: Scope): Promise<Seeds> {
  const { question } = seeds;
  const width = WIDER * Math.max(WIDTH, topK);
  const within = domains === undefined ? {} : { domains };
  const [match, near] = await Promise.all([
    parts.text.search(question.searched, { topK: width, ...within }),
    question.vector === null ? [] : nearest(parts, question.vector, { domains, topK: width }),
  ]);
  return {
    question,
    ids: [...new Set([...seeds.ids, ...near.map((hit) => hit.id), ...match.hits.map((hit) => hit.id)])],
    cosines: new Map([...near.map((hit) => [hit.id, hit.score] as const), ...seeds.cosines]),
    bm25: new Map([...match.hits.map((hit) => [hit.id, hit.score] as const), ...seeds.bm25]),
  };
}

/** Returns the question's vector, or null without a model. */
export async function embedQuestion(parts: RetrievalParts, context: string): Promise<Float32Array | null> {
  if (parts.embedding === null) return null;
  const [vector] = await parts.embedding.embed([context]);
  return vector ?? null;
}

/** Returns items by cosine, best first. */
export function nearest(parts: RetrievalParts, vector: Float32Array, { domains, topK }: Scope) {
  return parts.vectors.query(parts.indexName, {
    vector,
    topK,
    bare: true,
    ...(domains === undefined ? {} : { partitions: domains }),
  });
}
