import type { TextTerm } from '../../backends/text/port.js';
import type { RetrievalParts } from '../collaborators.js';

/** Characters of a document that are read: a concept may have many. */
const READ = 10_000;

/** Returns the beginnings of the documents that match some words best, and what the text index knows of these words. */
export async function bestTexts(
  { text, graph }: Pick<RetrievalParts, 'text' | 'graph'>,
  words: string,
  { domains, most }: { readonly domains: readonly string[] | undefined; readonly most: number },
): Promise<{ readonly texts: readonly string[]; readonly terms: readonly TextTerm[] }> {
  const { hits, terms } = await text.search(words, { topK: most, ...(domains === undefined ? {} : { domains }) });
  if (hits.length === 0) return { texts: [], terms };
  const nodes = await graph.getNodes(hits.map(({ id }) => id));
  return { texts: nodes.map(({ name, description }) => `${name}\n${description.slice(0, READ)}`), terms };
}
