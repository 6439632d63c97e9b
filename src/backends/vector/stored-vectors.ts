import { copyCompared } from '../store/move/copy-compared.js';
import type { Db } from '../store/schema.js';
import * as hnsw from './hnsw/rows.js';
import { checkedRows, entryOf, writeRows } from './hnsw/write.js';
import { entryDigest } from './migration/entry-digest.js';
import { entryPages } from './migration/entry-pages.js';
import * as pgvector from './pgvector/rows.js';
import * as pgvectorTables from './pgvector/tables.js';
import type { Metric, VectorEntry } from './port.js';

interface Index {
  readonly id: number;
  readonly name: string;
  readonly dimension: number;
  readonly metric: Metric;
}

/** The vector indexes that lie in a store, by their rows: nothing is kept in memory, and no graph is built. */
export interface StoredVectors {
  readonly list: (db: Db) => Promise<readonly Index[]>;
  readonly create: (db: Db, index: Omit<Index, 'id'>) => Promise<{ readonly row: Index }>;
  readonly drop: (db: Db, name: string) => Promise<unknown>;
  readonly count: (db: Db, index: Index) => Promise<number>;
  /** Entries in the order of their ids. */
  readonly page: (
    db: Db,
    index: Index,
    page: { readonly after: string | undefined; readonly limit: number },
  ) => Promise<readonly VectorEntry[]>;
  readonly write: (db: Db, index: Index, entries: readonly VectorEntry[]) => Promise<unknown>;
}

/** By the engine that serves them. */
export const storedVectors: Readonly<Record<'hnsw' | 'pgvector', StoredVectors>> = {
  hnsw: {
    list: hnsw.listIndexRows,
    create: hnsw.insertIndex,
    drop: hnsw.dropIndex,
    count: (db, { id }) => hnsw.countRows(db, id),
    page: async (db, { id }, page) => (await hnsw.pageOfRows(db, id, page)).map(entryOf),
    write: (db, { id, dimension }, entries) => writeRows(db, id, checkedRows(entries, dimension)),
  },
  pgvector: {
    list: pgvectorTables.listIndexRows,
    create: pgvectorTables.insertIndex,
    drop: pgvectorTables.dropIndex,
    count: pgvector.countRows,
    page: pgvector.pageOfRows,
    write: (db, index, entries) => pgvector.upsertRows(db, index, pgvector.checkedRows(entries, index.dimension)),
  },
};

export interface CopiedIndex {
  readonly name: string;
  readonly vectors: number;
}

/** Entries of a page. */
const PAGE = 200;

/**
 * Copies all vector indexes of one store into another, which has none of their names, and reads them there again. Throws
 * where they read otherwise. Two times as many entries as there are pass `onEntries`.
 */
export async function copyVectors(
  source: { readonly db: Db; readonly vectors: StoredVectors },
  target: { readonly db: Db; readonly vectors: StoredVectors },
  onEntries: (entries: number, index: string) => void,
): Promise<CopiedIndex[]> {
  const done: CopiedIndex[] = [];
  for (const index of await source.vectors.list(source.db)) {
    const { name, dimension, metric } = index;
    const { row } = await target.vectors.create(target.db, { name, dimension, metric });
    const vectors = await copyCompared({
      what: `The vector index ${name}`,
      unit: 'vectors',
      source: pages(source, index),
      target: () => pages(target, row),
      write: (page) => target.vectors.write(target.db, row, page),
      digest: entryDigest,
      onItems: (entries) => onEntries(entries, name),
    });
    done.push({ name, vectors });
  }
  return done;
}

function pages(
  { db, vectors }: { readonly db: Db; readonly vectors: StoredVectors },
  index: Index,
): AsyncGenerator<readonly VectorEntry[]> {
  return entryPages((place) => vectors.page(db, index, place), { limit: PAGE, after: undefined });
}
