import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { EmbeddingModel } from './backends/embedding/port.js';
import type { GraphBackend } from './backends/graph/port.js';
import { openRelational } from './backends/relational/open.js';
import type { Store } from './backends/store/scope.js';
import { readSentences } from './backends/store/sentences.js';
import { openSqlite } from './backends/store/sqlite.js';
import { MemoryTextIndex } from './backends/text/memory.js';
import type { TextIndex } from './backends/text/port.js';
import { PostingsTextIndex } from './backends/text/postings.js';
import { VectorMigrations } from './backends/vector/migrate.js';
import { NamedIndexes } from './backends/vector/named-indexes.js';
import type { VectorBackend } from './backends/vector/port.js';
import { openEmbedding, openGraph, openStore, openVectors } from './compose/engines.js';
import { configFile } from './config/files.js';
import { type Config, environmentVariable, loadConfig } from './config.js';
import { systemClock } from './core/clock.js';
import { SvcError } from './core/errors.js';
import type { Manifest } from './core/model.js';
import { GraphCheckpoints } from './ingest/checkpoints.js';
import { Ingest } from './ingest/ingest.js';
import { type LoadPorts, load } from './ingest/load.js';
import { drainOutbox } from './ingest/outbox.js';
import { resolveInRoots } from './ingest/roots.js';
import { Jobs } from './jobs.js';
import { Credit } from './learning/credit.js';
import { Feedback } from './learning/feedback.js';
import { Interoception } from './learning/interoception.js';
import { Learning } from './learning/learning.js';
import { collectPairs, promotePairs } from './learning/pairs.js';
import { parseRanker } from './retrieval/ranker.js';
import { Retrieval } from './retrieval/retrieval.js';
import type { Service } from './service.js';
import { parseConventions } from './sources/conventions.js';
import { Credentials } from './sources/credentials.js';
import { SourceRegistry } from './sources/registry.js';
import { Sources } from './sources/sources.js';
import { createLogger, describeError, type Logger } from './telemetry/logger.js';

/** A running service: every member of `Service`, and how to end it. */
export interface ComposedService extends Service {
  close(): Promise<void>;
}

/** Builds the service that a configuration describes: opens every engine, finishes what a crash left undone. */
export async function compose(config: Config): Promise<ComposedService> {
  const log = createLogger(config.log.level, config.name);
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  const store = await openStore(config, log);
  try {
    const engines = await openEngines(store, config, log);
    const service = await serviceOn(engines, config, log);
    const { graph, text, vectors, embedding } = engines;
    return {
      ...service,
      close: async () => {
        await service.stop();
        await Promise.all([graph.disconnect(), text.disconnect(), vectors.disconnect(), embedding?.close()]);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What an in-process client brings: engines that it keeps. */
export interface ServiceParts {
  readonly vectors: VectorBackend;
  readonly graph: GraphBackend;
  readonly embedding: EmbeddingModel | null;
  /** Where the graph or the vector index keeps its rows, if it does; records are in memory without one. */
  readonly store?: Store;
}

/**
 * A service over engines that are given; learning, text index and query log live in the store, by default in memory.
 * Closing it leaves the engines as they are.
 */
export async function serviceFromParts(parts: ServiceParts): Promise<ComposedService> {
  const { vectors, graph, embedding } = parts;
  // The vectors in memory join any store; others lie in one.
  if (parts.store === undefined && ((vectors.joinsStore && vectors.kind !== 'memory') || graph.joinsStore)) {
    throw new SvcError('invalid_input', 'store is missing; pass the one that the graph or the vector index lies in.', {
      member: 'store',
    });
  }
  const store = parts.store ?? (await openSqlite(':memory:'));
  const text = new PostingsTextIndex(store);
  await Promise.all([vectors.connect(), text.connect(), graph.connect()]);
  const config = loadConfig({ environment: {} });
  const service = await serviceOn({ store, vectors, graph, embedding, text }, config, createLogger('warn'));
  return {
    ...service,
    close: async () => {
      await service.stop();
      await text.disconnect();
      if (parts.store === undefined) await store.close();
    },
  };
}

interface Engines {
  readonly store: Store;
  readonly vectors: VectorBackend;
  readonly graph: GraphBackend;
  readonly text: TextIndex;
  readonly embedding: EmbeddingModel | null;
}

async function openEngines(store: Store, config: Config, log: Logger): Promise<Engines> {
  const embedding = await openEmbedding(config, store, log);
  const vectors = openVectors(config.vectors.kind, config, store);
  const text = config.text.kind === 'memory' ? new MemoryTextIndex() : new PostingsTextIndex(store);
  const graph = openGraph(config, store);
  await Promise.all([vectors.connect(), text.connect(), graph.connect()]);
  return { store, vectors, graph, text, embedding };
}

/** Everything above the engines; `stop` ends what works in the background. */
async function serviceOn(
  engines: Engines,
  config: Config,
  log: Logger,
): Promise<Service & { readonly stop: () => Promise<void> }> {
  const clock = systemClock;
  const { store, vectors, graph, text, embedding } = engines;
  const indexName = conceptIndex(embedding);
  if (embedding !== null) await vectors.createIndex(indexName, { dimension: embedding.dimension, metric: 'cosine' });
  const ports: LoadPorts = { store, graph, text, vectors, embedding, indexName, clock };

  const settings = config.interoception;
  const retention = { maxAgeDays: config.learning.retention_days, maxRows: config.learning.retention_rows };
  const learning = new Learning(store, {
    clock,
    outcomes: config.learning.outcomes,
    learners: config.learners as never,
    retention,
    openStore: openSqlite,
  });
  const feedback = new Feedback(store, {
    clock,
    interoception: settings,
    credit: config.credit.enabled ? new Credit(graph) : null,
    retention,
  });
  const interoception = new Interoception(store, {
    clock,
    interoception: settings,
    model: embedding?.name ?? null,
    creditWeight: config.credit.enabled ? config.credit.weight : 0,
    conceptsOf: (sourceId) => graph.sourceConcepts(sourceId),
  });
  const retrieval = new Retrieval({
    graph,
    text,
    vectors,
    indexName,
    embedding,
    sentences: (ids) =>
      embedding === null ? Promise.resolve(new Map()) : readSentences(store.db, embedding.name, ids),
    adjustments: interoception,
    querylog: feedback,
    ranker: parseRanker(configFile('ranker.yaml')),
  });
  const sources = new Sources({
    ports,
    conventions: parseConventions(configFile('sources.yaml', config.sources.conventions)),
    holder: randomUUID(),
    registry: new SourceRegistry({
      store,
      credentials: new Credentials(config.sources.secret_key ?? undefined, environmentVariable),
      open: openRelational,
      hosts: config.sources.hosts,
      fileRoots: (file) => resolveInRoots(file, config.ingest.roots),
    }),
  });
  const jobs = new Jobs(store, {
    clock,
    onError: (job, error) => log.error({ job, err: describeError(error) }, 'a background job failed'),
  });
  const pairPorts = {
    store,
    clock,
    graph,
    settings,
    vectorsOf: (ids: readonly string[]) => vectors.fetch(indexName, ids),
    load: (manifest: Manifest) => load(ports, manifest),
  };
  const unfinished = await drainOutbox(ports);
  if (unfinished > 0) log.info({ unfinished }, 'finished writes that an earlier run left undone');
  jobs.start([
    { name: 'outbox', every: 10_000, run: () => drainOutbox(ports, 30_000) },
    { name: 'promotion', every: 15_000, run: () => collectPairs(pairPorts).then(() => promotePairs(pairPorts)) },
    { name: 'retention', every: 3_600_000, run: () => Promise.all([learning.prune(), feedback.prune()]) },
  ]);
  return {
    clock,
    store,
    graph,
    vectors,
    text,
    embedding,
    retrieval,
    ingest: new Ingest(ports, { roots: config.ingest.roots, maxBytes: config.http.max_upload_bytes }),
    checkpoints: new GraphCheckpoints(ports),
    learning,
    feedback,
    interoception,
    vectorIndexes: new NamedIndexes(vectors, RESERVED),
    vectorMigrations: new VectorMigrations({
      store,
      current: vectors,
      open: async (kind) => {
        const other = openVectors(kind, config, store);
        await other.connect();
        return other;
      },
    }),
    sources,
    stop: async () => {
      await jobs.stop();
      await Promise.all([learning.close(), feedback.close()]);
    },
  };
}

/** Names of the service's own indexes begin so; the vector tools neither see nor touch them. */
const RESERVED = 'svc_';

/** The concept index of a model: vectors of another model or dimension are never mixed in. */
export function conceptIndex(embedding: Pick<EmbeddingModel, 'name' | 'dimension'> | null): string {
  if (embedding === null) return `${RESERVED}concepts_none`;
  return `${RESERVED}concepts_${embedding.name}_${embedding.dimension}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64);
}
