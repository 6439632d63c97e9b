import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { parse } from 'yaml';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { openCached } from '../../src/backends/embedding/cached.js';
import { isInVocabulary } from '../../src/backends/embedding/model-files.js';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import type { GraphBackend } from '../../src/backends/graph/port.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { readSentences } from '../../src/backends/store/sentences.js';
import { PostingsTextIndex } from '../../src/backends/text/postings.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { type Clock, systemClock } from '../../src/core/clock.js';
import { readTemplates } from '../../src/core/derive-rules.js';
import { packageRoot } from '../../src/core/package-root.js';
import { Ingest } from '../../src/ingest/ingest.js';
import { latestMessage } from '../../src/ledger/read/latest-message.js';
import { noAdjustments, noQuerylog, type RetrievalParts } from '../../src/retrieval/collaborators.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';
import { parseRanker } from '../../src/retrieval/score/ranker.js';
import type { Ranker } from '../../src/retrieval/score/ranker-types.js';

export type ModelName = 'minilm' | 'static' | 'none';

export interface World {
  /** True where a former run ingested the sets. */
  readonly filled: boolean;
  readonly parts: RetrievalParts;
  readonly retrieval: Retrieval;
  readonly ingest: Ingest;
  readonly store: Store;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly graph?: GraphBackend;
  /** Default: the file of the project. */
  readonly ranker?: Ranker;
  /** Path without ending where what is ingested stays for the next run. */
  readonly kept?: string;
  /** Tells questions which day is today; without one no question asks for it. */
  readonly clock?: Clock;
}

/** Opens the parts that retrieval needs, in memory. */
export async function openWorld(
  model: ModelName | EmbeddingModel,
  { graph, ranker, kept, clock }: WorldOptions = {},
): Promise<World> {
  const filled = kept !== undefined && existsSync(`${kept}.vectors`);
  const store = await openSqlite(kept === undefined ? ':memory:' : `${kept}.sqlite`);
  const embedding = model === 'none' ? null : typeof model === 'string' ? await builtin(model) : model;
  const vectors = new MemoryVectors();
  const text = new PostingsTextIndex(store);
  const chosen = graph ?? new EmbeddedBackend(store, { templates: readTemplates(yaml('edge-templates.yaml')) });
  const indexName = 'bench';
  await Promise.all([vectors.connect(), text.connect(), chosen.connect()]);
  if (embedding !== null) await vectors.createIndex(indexName, { dimension: embedding.dimension });
  if (filled && embedding !== null) await vectors.upsert(indexName, deserialize(readFileSync(`${kept}.vectors`)));
  const parts: RetrievalParts = {
    graph: chosen,
    text,
    vectors,
    indexName,
    embedding,
    sentences: (ids) =>
      embedding === null ? Promise.resolve(new Map()) : readSentences(store.db, embedding.name, ids),
    table: sharedStatic,
    vocabulary: isInVocabulary,
    adjustments: noAdjustments,
    querylog: noQuerylog,
    latestMessage: (domains) => latestMessage(store.db, domains),
    ranker: ranker ?? parseRanker(yaml('ranker.yaml')),
    ...(clock === undefined ? {} : { clock }),
  };
  const ingest = new Ingest(
    { store, graph: chosen, text, vectors, embedding, indexName, clock: systemClock },
    { roots: [], maxBytes: 64 * 1024 * 1024 },
  );
  return {
    parts,
    filled,
    retrieval: new Retrieval(parts),
    ingest,
    store,
    close: async () => {
      if (kept !== undefined && !filled) {
        const all = embedding === null ? [] : await vectors.scan(indexName, { limit: 1_000_000 });
        writeFileSync(`${kept}.vectors`, serialize(all));
      }
      await embedding?.close();
      await Promise.all([vectors.disconnect(), text.disconnect(), chosen.disconnect()]);
      await store.close();
    },
  };
}

function yaml(name: string): unknown {
  return parse(readFileSync(join(packageRoot(), 'config', name), 'utf8'));
}

/**
 * With `BENCH_CACHE` (a directory) vectors are kept there between runs. Throws where another model would stand in: figures
 * would bear the wrong name.
 */
async function builtin(model: Exclude<ModelName, 'none'>): Promise<EmbeddingModel> {
  const opened = openBuiltin(model, (line) => console.error(line));
  if (opened.name !== model) throw new Error(`Nothing is measured: this machine cannot run ${model}.`);
  const directory = process.env.BENCH_CACHE;
  if (directory === undefined || opened.name === 'static') return opened;
  const kept = await openSqlite(join(directory, 'vectors.sqlite'));
  const cached = openCached(opened, kept, { questions: 50_000 });
  return {
    ...cached,
    close: async () => {
      await cached.close();
      await kept.close();
    },
  };
}
