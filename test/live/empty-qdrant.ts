import { randomUUID } from 'node:crypto';

interface Listing {
  readonly result: { readonly collections: ReadonlyArray<{ readonly name: string }> };
}

/** Removes all collections of a Qdrant that the live tests started; returns the settings of a service on it. */
export async function emptyQdrant(url: string): Promise<Record<string, string>> {
  const { result } = (await (await fetch(`${url}/collections`)).json()) as Listing;
  for (const { name } of result.collections) {
    const { ok, status } = await fetch(`${url}/collections/${encodeURIComponent(name)}`, { method: 'DELETE' });
    if (!ok) throw new Error(`Qdrant answered ${status} to the removal of ${name}.`);
  }
  return { SVC_VEC: 'qdrant', SVC_QDRANT_URL: url };
}

/** Returns the settings of a service with collections of its own on a Qdrant that others use. */
export function ownCollections(url: string) {
  return { SVC_QDRANT_URL: url, SVC_QDRANT_PREFIX: `test-${randomUUID()}-` };
}
