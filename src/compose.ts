import { mkdirSync } from 'node:fs';
import type { EmbeddingModel } from './backends/embedding/port.js';
import { LedgerGraph } from './backends/graph/ledger-graph.js';
import type { GraphBackend } from './backends/graph/port.js';
import type { ModelRecord } from './backends/store/concept-index.js';
import { openSqlite } from './backends/store/engine/sqlite.js';
import type { Store } from './backends/store/scope.js';
import type { TextIndex } from './backends/text/port.js';
import { PostingsTextIndex } from './backends/text/postings.js';
import { VectorMigrations } from './backends/vector/migrate.js';
import { NamedIndexes } from './backends/vector/named-indexes.js';
import type { VectorBackend } from './backends/vector/port.js';
import { CONCEPTS, conceptIndex, openRecorded, RESERVED, recordOf, searched } from './compose/concept-index.js';
import {
  neo4jOf,
  openEmbedding,
  openGraph,
  openOtherVectors,
  openStore,
  openText,
  openVectors,
} from './compose/engines.js';
import { composeGateway } from './compose/gateway.js';
import { openConfiguredLlm, rulesOut } from './compose/rules-out.js';
import { openSources } from './compose/sources.js';
import { configFile } from './config/files.js';
import { type Config, loadConfig } from './config.js';
import { systemClock } from './core/clock.js';
import { SvcError } from './core/errors.js';
import { textHash } from './core/ids.js';
import type { Manifest } from './core/model.js';
import { ConceptIndexes } from './ingest/index/concept-indexes.js';
import { Reindex } from './ingest/index/rebuild.js';
import { removeLeftovers, removeRetired } from './ingest/index/retired-indexes.js';
import { Ingest } from './ingest/ingest.js';
import { GraphCheckpoints } from './ingest/write/checkpoints.js';
import { type LoadPorts, load } from './ingest/write/load.js';
import { drainOutbox } from './ingest/write/outbox.js';
import { unlessReplacing } from './ingest/write/replace-graph.js';
import { Jobs } from './jobs.js';
import { Credit } from './learning/credit/credit.js';
import { Feedback } from './learning/feedback/feedback.js';
import { forgetNodes } from './learning/feedback/forget-nodes.js';
import { Interoception } from './learning/feedback/interoception.js';
import { collectPairs, promotePairs } from './learning/feedback/pairs.js';
import { Learning } from './learning/learning.js';
import { Followers } from './ledger/followers/followers.js';
import { Retrieval } from './retrieval/retrieval.js';
import { parseRanker } from './retrieval/score/ranker.js';
import type { Service } from './service.js';
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
  /** Where everything else lies; without it, the store of the graph. */
  readonly store?: Store;
}

/**
 * A service over engines that are given; learning, text index and query log live in the store, by default in memory.
 * Closing it leaves the engines as they are.
 */
export async function serviceFromParts(parts: ServiceParts): Promise<ComposedService> {
  const { vectors, graph, embedding } = parts;
  // The vectors in memory join any store; others lie in one.
  const given = parts.store ?? graph.store;
  if (given === undefined && vectors.joinsStore && vectors.kind !== 'memory') {
    throw new SvcError('invalid_input', 'store is missing; pass the one that the vector index lies in.', {
      member: 'store',
    });
  }
  await graph.connect();
  const store = given ?? (await openSqlite(':memory:'));
  const text = new PostingsTextIndex(store);
  await Promise.all([vectors.connect(), text.connect()]);
  const config = loadConfig({ environment: {} });
  const record =
    embedding === null
      ? null
      : { name: embedding.name, dimension: embedding.dimension, kind: 'given', url: null, model: null };
  const engines: Engines = {
    store,
    vectors,
    graph,
    embedding,
    text,
    record,
    open: () => Promise.resolve(null),
    // Whoever brings a graph brings one that follows by itself.
    followers: new Followers(store, []),
  };
  const service = await serviceOn(engines, config, createLogger('warn'));
  return {
    ...service,
    close: async () => {
      await service.stop();
      await text.disconnect();
      if (given === undefined) await store.close();
    },
  };
}

interface Engines {
  readonly store: Store;
  readonly vectors: VectorBackend;
  readonly graph: GraphBackend;
  readonly text: TextIndex;
  readonly embedding: EmbeddingModel | null;
  /** How the model is remembered. */
  readonly record: ModelRecord | null;
  /** Opens a model that was remembered. */
  readonly open: (record: ModelRecord) => Promise<EmbeddingModel | null>;
  /** Engines outside the store; they follow from the start of the service on. */
  readonly followers: Followers;
}

async function openEngines(store: Store, config: Config, log: Logger): Promise<Engines> {
  const embedding = await openEmbedding(config, store, log);
  const vectors = await openVectors(config.vectors.kind, config, store);
  const neo4j = neo4jOf(config, log);
  const text = await openText(config, store, neo4j);
  const warn = (message: string): void => log.warn(message);
  const graph = await openGraph(config.graph.kind, config, { store, neo4j, followed: true, log: warn });
  await Promise.all([vectors.connect(), text.connect(), graph.connect()]);
  const followers = await startFollowers(store, graph, { timeout: config.graph.follow_timeout_ms, log });
  const open = (record: ModelRecord) => openRecorded(record, { config, store, log });
  return { store, vectors, graph, text, embedding, record: recordOf(embedding, config), open, followers };
}

/** Starts what brings engines outside the store in line with the ledger, and gives one that answers time to catch up. */
async function startFollowers(
  store: Store,
  graph: GraphBackend,
  { timeout, log }: { readonly timeout: number; readonly log: Logger },
): Promise<Followers> {
  const follower = graph instanceof LedgerGraph ? graph.engine.follower : null;
  const followers = new Followers(store, follower === null ? [] : [follower], {
    timeout,
    log: (message, engine) => log.warn({ engine }, message),
  });
  followers.start();
  if (graph.isConnected()) await followers.applied(await graph.version());
  return followers;
}

/** Everything above the engines; `stop` ends what works in the background. */
async function serviceOn(
  engines: Engines,
  config: Config,
  log: Logger,
): Promise<Service & { readonly stop: () => Promise<void> }> {
  const clock = systemClock;
  const { store, vectors, graph, text, embedding, record } = engines;
  const concepts = new ConceptIndexes({
    store,
    vectors,
    clock,
    embedding,
    record,
    open: engines.open,
    nameOf: conceptIndex,
    prefix: CONCEPTS,
  });
  await concepts.start(async () => {
    const { concepts: known, passages } = await graph.statistics();
    return known + passages === 0;
  });
  await removeLeftovers(concepts);
  void concepts.counted().then(() => {
    for (const limit of vectors.limits()) log.warn(limit);
  });
  const problem = concepts.problem();
  if (problem !== null) log.warn(problem);
  const { followers } = engines;
  const ports: LoadPorts = {
    store,
    graph,
    text,
    vectors,
    ...concepts.serving,
    concepts,
    clock,
    followers,
    onGone: forgetNodes,
  };
  const reindex = new Reindex(ports, concepts);

  const llm = openConfiguredLlm(config, store);
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
    textsOf: async (ids) => new Map((await graph.getNodes(ids)).map((node) => [node.id, textHash(node)])),
    credit: config.credit.enabled ? new Credit(graph) : null,
    retention,
  });
  const interoception = new Interoception(store, {
    clock,
    interoception: settings,
    model: () => concepts.serving.embedding?.name ?? null,
    creditWeight: config.credit.enabled ? config.credit.weight : 0,
    conceptsOf: (sourceId) => graph.sourceConcepts(sourceId),
  });
  const retrieval = new Retrieval({
    graph,
    text,
    vectors,
    ...searched(store, concepts.serving),
    current: async () => searched(store, await concepts.current()),
    adjustments: interoception,
    querylog: feedback,
    ranker: parseRanker(configFile('ranker.yaml')),
  });
  const sources = openSources(ports, config);
  const gateway = composeGateway({ store, config, clock, log });
  const jobs = new Jobs(store, {
    clock,
    onError: (job, error) => log.error({ job, err: describeError(error) }, 'a background job failed'),
  });
  const pairPorts = {
    store,
    clock,
    graph,
    settings,
    vectorsOf: async (ids: readonly string[]) => vectors.fetch((await concepts.current()).indexName, ids),
    load: (manifest: Manifest) => load(ports, manifest),
  };
  const unfinished = await drainOutbox(ports);
  if (unfinished > 0) log.info({ unfinished }, 'finished writes that an earlier run left undone');
  jobs.start([
    { name: 'outbox', every: 10_000, run: () => drainOutbox(ports, 30_000) },
    {
      name: 'promotion',
      every: 15_000,
      run: () => unlessReplacing(ports, () => collectPairs(pairPorts).then(() => promotePairs(pairPorts))),
    },
    { name: 'reindex', every: 15_000, run: () => reindex.resume() },
    { name: 'vectors', every: 30_000, run: () => reindex.catchUp().then(() => removeRetired(concepts)) },
    {
      name: 'retention',
      every: 3_600_000,
      run: () => Promise.all([learning.prune(), feedback.prune(), gateway.prune()]),
    },
    { name: 'lessons', every: 15_000, run: () => gateway.learning.flush() },
  ]);
  return {
    clock,
    store,
    graph,
    vectors,
    text,
    concepts,
    reindex,
    retrieval,
    ingest: new Ingest(ports, {
      roots: config.ingest.roots,
      maxBytes: config.http.max_upload_bytes,
      dataDirectory: config.data.dir,
    }),
    checkpoints: new GraphCheckpoints(ports),
    followers,
    learning,
    feedback,
    interoception,
    vectorIndexes: new NamedIndexes(vectors, RESERVED),
    vectorMigrations: new VectorMigrations({
      store,
      current: vectors,
      open: async (kind) => {
        const other = await openOtherVectors(kind, config, store);
        await other.connect();
        return other;
      },
    }),
    sources,
    gateway,
    ...rulesOut(ports, { config, llm, templates: configFile('edge-templates.yaml') }),
    stop: async () => {
      await reindex.stop();
      await jobs.stop();
      await followers.stop();
      await Promise.all([learning, feedback, concepts, gateway.intake, llm].map((part) => part?.close()));
    },
  };
}
