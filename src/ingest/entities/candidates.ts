import { chunks } from '../../backends/store/sql.js';
import { forEachInSlices, slicer } from '../../core/async/slices.js';
import type { LoadPorts } from '../write/ports.js';
import { servingOf } from '../write/sync-indexes.js';
import type { NamedEntity } from './domain-entities.js';
import { areRowsOfOneTable } from './match.js';

export type CandidatePair = readonly [NamedEntity, NamedEntity];

/** Vectors that are held at once. */
const PAGE = 500;
/** Others that one concept is compared with, at most: names made of many rare words would bring everything together. */
const MOST = 100;

export interface CandidateBounds {
  /** Nearest concepts by vector that each is compared with. */
  readonly neighbours: number;
  /** A form, word or abbreviation that more concepts share brings no pair together. */
  readonly largest_block: number;
}

/**
 * Returns the pairs that are worth comparing among the concepts of a domain, each once: of one type, or of an unknown one, not rows of one table, that share a form of their
 * names, an abbreviation or a rare word, or are neighbours by vector.
 */
export async function candidatePairs(
  ports: LoadPorts,
  {
    domain,
    entities,
    bounds,
    signal,
  }: {
    readonly domain: string;
    readonly entities: readonly NamedEntity[];
    readonly bounds: CandidateBounds;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<CandidatePair[]> {
  const pairs: CandidatePair[] = [];
  const partners = new Map<NamedEntity, Set<NamedEntity>>();
  const partnersOf = (one: NamedEntity): Set<NamedEntity> => {
    const found = partners.get(one) ?? new Set();
    partners.set(one, found);
    return found;
  };
  const add = (a: NamedEntity, b: NamedEntity): void => {
    if (a === b || (a.type !== null && b.type !== null && a.type !== b.type)) return;
    if (areRowsOfOneTable(a, b)) return;
    const [ofA, ofB] = [partnersOf(a), partnersOf(b)];
    if (ofA.has(b) || ofA.size >= MOST || ofB.size >= MOST) return;
    ofA.add(b);
    ofB.add(a);
    pairs.push(a.id < b.id ? [a, b] : [b, a]);
  };
  const pause = slicer();
  for (const block of (await blocksOf(entities)).values()) {
    signal?.throwIfAborted();
    if (block.length > bounds.largest_block) continue;
    for (const [i, a] of block.entries()) {
      for (const b of block.slice(i + 1)) add(a, b);
      await pause();
    }
  }
  await addNeighbours(ports, { domain, entities, neighbours: bounds.neighbours, add, signal });
  return pairs;
}

async function blocksOf(entities: readonly NamedEntity[]): Promise<Map<string, NamedEntity[]>> {
  const pause = slicer();
  const blocks = new Map<string, NamedEntity[]>();
  for (const entity of entities) {
    for (const block of new Set(blocksWith(entity))) {
      const known = blocks.get(block);
      if (known === undefined) blocks.set(block, [entity]);
      else known.push(entity);
    }
    await pause();
  }
  return blocks;
}

function blocksWith({ forms, aliases }: NamedEntity): string[] {
  const { words, joined, acronym, initials } = forms;
  return [
    `name ${joined}`,
    `singular ${joined.replace(/s$/u, '')}`,
    ...[...aliases].map((alias) => `name ${alias}`),
    ...(acronym === '' ? [] : [`initials ${acronym}`]),
    ...initials.filter((letters) => letters.length > 1).map((letters) => `initials ${letters}`),
    ...(words.length < 2 ? [] : [`ends ${words[0]} ${words.at(-1)}`]),
    ...words.filter((word) => word.length > 2).map((word) => `word ${word}`),
  ];
}

async function addNeighbours(
  ports: LoadPorts,
  {
    domain,
    entities,
    neighbours,
    add,
    signal,
  }: {
    readonly domain: string;
    readonly entities: readonly NamedEntity[];
    readonly neighbours: number;
    readonly add: (a: NamedEntity, b: NamedEntity) => void;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { indexName, embedding } = await servingOf(ports);
  if (embedding === null || neighbours === 0 || entities.length === 0) return;
  const byId = new Map<string, NamedEntity>();
  const pause = slicer();
  await forEachInSlices(entities, (entity) => byId.set(entity.id, entity));
  for (const page of chunks(entities, PAGE)) {
    const ids = page.map((entity) => entity.id);
    for (const [id, vector] of await ports.vectors.fetch(indexName, ids)) {
      signal?.throwIfAborted();
      const found = await ports.vectors.query(indexName, {
        vector,
        topK: neighbours + 1,
        partitions: [domain],
        bare: true,
      });
      for (const hit of found) {
        const other = byId.get(hit.id);
        if (other !== undefined) add(byId.get(id)!, other);
      }
      await pause();
    }
  }
}
