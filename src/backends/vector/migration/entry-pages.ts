import type { VectorEntry } from '../port.js';

export interface EntryPlace {
  /** Id of the last entry of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Yields the entries that `read` returns in the order of their ids, page by page. */
export async function* entryPages(
  read: (place: EntryPlace) => Promise<readonly VectorEntry[]>,
  { limit, after: first }: EntryPlace,
): AsyncGenerator<readonly VectorEntry[]> {
  for (let after = first; ; ) {
    const page = await read({ after, limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)!.id;
  }
}
