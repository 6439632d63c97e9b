import type { RetrievalParts } from '../collaborators.js';
import type { Copies } from '../expand/copies.js';
import type { Question } from './question.js';

/** A unit in more documents than this is not rare. */
const RARE = 8;

/**
 * Returns the stems of each unit of the question that may be rare: a word in at most 8 documents, or a name of several
 * words, which few documents hold together though each word is common. Pure.
 */
export function rareUnits({ documentFrequencies, parts, words }: Question): string[][] {
  const units = [...documentFrequencies].flatMap(([term, count]) => (count >= 1 && count <= RARE ? [[term]] : []));
  for (const { token, length } of parts) {
    const name = words.slice(token, token + length).filter((word) => word.content);
    const stems = [...new Set(name.map((word) => word.stem.replace(/'s?$/u, '')))];
    if (stems.length > 1) units.push(stems);
  }
  return units;
}

/**
 * Returns the items that hold each rare unit of the question: at most 8 of these domains do. The text index answers from its
 * postings: nothing is scanned.
 */
export async function rareHolders(
  parts: Pick<RetrievalParts, 'text'>,
  question: Question,
  domains: readonly string[],
): Promise<string[][]> {
  const units = rareUnits(question);
  if (units.length === 0) return [];
  const found = await Promise.all(domains.map((domain) => parts.text.containingEach(domain, units, { most: RARE })));
  const holders = units.map((_, u) => found.flatMap((lists) => lists[u]!));
  return holders.filter((ids) => ids.length > 0 && ids.length <= RARE);
}

/** Returns 1/√n for the items that hold a unit which n different texts hold; the rarest unit counts. Pure. */
export function rarity(holders: ReadonlyArray<readonly string[]>, copies: Copies): Map<string, number> {
  const values = new Map<string, number>();
  for (const ids of holders) {
    const value = 1 / Math.sqrt(copies.count(ids));
    for (const id of ids) values.set(id, Math.max(value, values.get(id) ?? 0));
  }
  return values;
}
