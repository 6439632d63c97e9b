import { hasVector } from '../../core/vectorless.js';
import type { EngineDifference } from '../../ledger/followers/compare.js';
import type { Followers } from '../../ledger/followers/followers.js';
import { orphanVectors } from '../index/reindex.js';
import type { LoadPorts } from '../write/ports.js';
import { returnable, servingOf } from '../write/sync-indexes.js';
import { damagedNamedVectors, indexDifferences, wrongCounts } from './differences.js';

/** How far one part of the service is from the ledger. */
export interface PartDifference {
  /** `text index`, `vectors`, `vectors of` another index, or an engine as status names it. */
  readonly part: string;
  /** Records of the ledger that it should hold. */
  readonly records: number;
  readonly missing: number;
  /** Of other content than in the ledger, as far as the part keeps what tells so. */
  readonly different: number;
  /** Records that the ledger does not have. */
  readonly stale: number;
  /** Why it could not be compared; null where it was. */
  readonly error: string | null;
}

export interface Examination {
  /** Domains whose counts differ from their rows. */
  readonly counts: string[];
  readonly parts: PartDifference[];
  /** Limits of vectors that are passed, and graphs that could not be built: queries scan. */
  readonly limits: string[];
}

const PAGE = 500;
/** Begins the name of a part that is no index of the ledger: nothing but its owner can mend it. */
export const NAMED = 'vectors of ';

/** Compares counts, text index, vectors and engines with the ledger while the service runs, and mends nothing. */
export async function examineParts(ports: LoadPorts, followers: Followers): Promise<Examination> {
  const inStore = (await indexDifferences(ports.store)).filter(({ index }) =>
    index === 'text index' ? ports.text.kind === 'postings' : ports.vectors.kind === 'hnsw',
  );
  const parts = inStore.map(({ index, nodes, missing, stale, damaged }): PartDifference => {
    return { part: index, records: nodes, missing, different: damaged, stale, error: null };
  });
  if (ports.vectors.kind === 'hnsw') parts.push(...(await namedVectors(ports)));
  if (ports.vectors.joinsStore && ports.vectors.kind !== 'hnsw') parts.push(await vectorsPart(ports));
  for (const [part, found] of await followers.compare()) parts.push(engineOf(part, found));
  const limits = (await ports.vectors.limits()).flatMap(({ message, passed }) => (passed ? [message] : []));
  return { counts: await wrongCounts(ports.store), parts, limits };
}

/** Vectors of other indexes that cannot be read; no part where there are none. */
async function namedVectors({ store }: LoadPorts): Promise<PartDifference[]> {
  return [...(await damagedNamedVectors(store))].map(([index, { length }]) => {
    return { part: `${NAMED}${index}`, records: length, missing: 0, different: length, stale: 0, error: null };
  });
}

function engineOf(part: string, found: EngineDifference | Error): PartDifference {
  if (!(found instanceof Error)) return { part, ...found, error: null };
  return { part, records: 0, missing: 0, different: 0, stale: 0, error: found.message };
}

/** Looks each node's vector up, and each vector's node: for a backend that has no table of the store's own. */
async function vectorsPart(ports: LoadPorts): Promise<PartDifference> {
  const { embedding, indexName } = await servingOf(ports);
  let [records, missing] = [0, 0];
  if (embedding === null) return { part: 'vectors', records, missing, different: 0, stale: 0, error: null };
  for (let after = ''; ; ) {
    const page = await ports.graph.findNodes({ limit: PAGE, after });
    const ids = returnable(page).flatMap((node) => (hasVector(node) ? [node.id] : []));
    const present = await ports.vectors.fetch(indexName, ids);
    records += ids.length;
    missing += ids.filter((id) => !present.has(id)).length;
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  const stale = (await orphanVectors(ports, indexName)).length;
  return { part: 'vectors', records, missing, different: 0, stale, error: null };
}
