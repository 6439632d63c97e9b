import type { SourceKeyFilter, SourceKeyInfo } from '../filters.js';

/** Yields the keys of sources in order, `limit` at a time. What is removed meanwhile of the pages that were yielded changes nothing. */
export async function* sourceKeyPages(
  graph: { sourceKeys(filter: SourceKeyFilter): Promise<SourceKeyInfo[]> },
  filter: Omit<SourceKeyFilter, 'after'>,
): AsyncGenerator<SourceKeyInfo[]> {
  for (let after: SourceKeyInfo | undefined; ; ) {
    const page = await graph.sourceKeys({ ...filter, after });
    if (page.length > 0) yield page;
    if (page.length < filter.limit) return;
    after = page.at(-1);
  }
}
