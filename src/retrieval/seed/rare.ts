import type { RetrievalParts } from '../collaborators.js';
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
 * Returns 1/√n for the items that hold a unit of the question which n ≤ 8 documents of these domains hold; the rarest
 * unit counts. The text index answers from its postings: nothing is scanned.
 */
export async function rareHolders(
  parts: Pick<RetrievalParts, 'text'>,
  question: Question,
  domains: readonly string[],
): Promise<Map<string, number>> {
  const units = rareUnits(question);
  const holders = new Map<string, number>();
  if (units.length === 0) return holders;
  const found = await Promise.all(domains.map((domain) => parts.text.containingEach(domain, units, { most: RARE })));
  units.forEach((_, u) => {
    const ids = found.flatMap((lists) => lists[u]!);
    if (ids.length === 0 || ids.length > RARE) return;
    const value = 1 / Math.sqrt(ids.length);
    for (const id of ids) holders.set(id, Math.max(value, holders.get(id) ?? 0));
  });
  return holders;
}
