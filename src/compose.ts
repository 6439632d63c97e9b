import { givenModel } from './backends/embedding/given.js';
import { isInVocabulary } from './backends/embedding/model-files.js';
import type { EmbeddingModel } from './backends/embedding/port.js';
import { sharedStatic } from './backends/embedding/static/shared-static.js';
import type { GraphBackend } from './backends/graph/port.js';
import { openSqlite } from './backends/store/engine/sqlite.js';
import type { Store } from './backends/store/scope.js';
import { isPostgres } from './backends/store/sql.js';
import { PostingsTextIndex } from './backends/text/postings.js';
import type { HnswVectors } from './backends/vector/hnsw.js';
import { VectorMigrations } from './backends/vector/migrate.js';
import { NamedIndexes } from './backends/vector/named-indexes.js';
import type { VectorBackend } from './backends/vector/port.js';
import { RESERVED, searched } from './compose/concept-index.js';
import { openConcepts } from './compose/concepts.js';
import { openOtherVectors, openStore } from './compose/engines.js';
import { composeGateway } from './compose/gateway/gateway.js';
import { followedPorts } from './compose/index-followers.js';
import { openIngestJobs } from './compose/ingest-jobs.js';
import { startJobs } from './compose/jobs.js';
import { openLearning } from './compose/learning.js';
import { type Engines, openEngines } from './compose/open-engines.js';
import { openConfiguredLlm, openExtraction, rulesOut } from './compose/rules-out.js';
import { openSources } from './compose/sources.js';
import { tracedEngines } from './compose/traced-engines.js';
import { configFile } from './config/files.js';
import { type Config, loadConfig } from './config.js';
import { atOneMoment } from './core/async/one-moment.js';
import { systemClock } from './core/clock.js';
import { SvcError, wrongMember } from './core/errors.js';
import { makeDirectory } from './data-directory.js';
import { Edits } from './ingest/edits/edits.js';
import { Entities } from './ingest/entities/entities.js';
import { Reindex } from './ingest/index/rebuild.js';
import { Ingest } from './ingest/ingest.js';
import { Records } from './ingest/records.js';
import { Repair } from './ingest/repair/repair.js';
import { GraphCheckpoints } from './ingest/write/checkpoints.js';
import { drainOutbox } from './ingest/write/outbox.js';
import { forgetNodes } from './learning/feedback/forget-nodes.js';
import { Followers } from './ledger/followers/followers.js';
import { latestMessage } from './ledger/read/latest-message.js';
import { Retrieval } from './retrieval/retrieval.js';
import { parseRanker } from './retrieval/score/ranker.js';
import type { Service } from './service.js';
import { createLogger, describeError, type Logger } from './telemetry/logger.js';
import { RepeatedFailures } from './telemetry/repeated-failures.js';
import { traced } from './telemetry/traced.js';
import { tracedStore } from './telemetry/traced-store.js';

/** A running service: every member of `Service`, and how to end it. */
export interface ComposedService extends Service {
  close(): Promise<void>;
}

/**
 * Builds the service that a configuration describes: opens every engine, finishes what a crash left undone. The caller
 * holds the lock of the data directory.
 */
export async function compose(config: Config): Promise<ComposedService> {
  const log = createLogger(config.log.level, config.name);
  makeDirectory(config.data.dir);
  const store = tracedStore(await openStore(config, log), { spans: config.tracing.enabled });
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
  /** Where everything else is stored; without it, the store of the graph. */
  readonly store?: Store;
}

/**
 * Builds a service over engines that are given; learning, text index and query log live in the store, by default in
 * memory. Closing it leaves the engines as they are.
 */
export async function serviceFromParts(parts: ServiceParts): Promise<ComposedService> {
  const { vectors, graph } = parts;
  // Callers without types may leave a part out.
  const embedding = parts.embedding == null ? null : givenModel(parts.embedding);
  for (const part of ['vectors', 'graph'] as const) if (parts[part] == null) wrongMember(part, 'is missing; pass one');
  // The vectors in memory join any store; others lie in one.
  const given = parts.store ?? graph.store;
  if (given === undefined && vectors.joinsStore && vectors.kind !== 'memory') {
    throw new SvcError('invalid_input', 'store is missing; pass the one that the vector index lies in.', {
      member: 'store',
    });
  }
  if (given !== undefined && isHnsw(vectors) && vectors.store !== given) {
    const sentence = `vectors lies in another store than the ${parts.store === undefined ? 'graph' : 'one that is passed'}; open one store with openSqlite, and make the vectors and the graph with it.`;
    throw new SvcError('invalid_input', sentence, { member: 'vectors' });
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
    // A graph that is passed in follows the ledger by itself.
    followers: new Followers(store, []),
  };
  engines.followers.start();
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

/** Tells the vectors whose rows are written within transactions of their own store: no other one sees them. */
function isHnsw(vectors: VectorBackend): vectors is HnswVectors {
  return vectors.kind === 'hnsw';
}

/** Builds everything above the engines; `stop` ends what works in the background. */
async function serviceOn(
  opened: Engines,
  config: Config,
  log: Logger,
): Promise<Service & { readonly stop: () => Promise<void> }> {
  const clock = systemClock;
  const engines = tracedEngines(opened);
  const { store, vectors, graph, text, followers } = engines;
  const concepts = await openConcepts(engines, clock, log);
  const ports = followedPorts(
    {
      ...{ store, graph, text, vectors, ...concepts.serving, concepts, clock },
      onRemoved: (db, ids) => forgetNodes(db, ids, { settings: config.interoception, now: clock() }),
    },
    followers,
  );
  const reindex = new Reindex(ports, concepts);

  const model = openConfiguredLlm(config, store);
  const llm = model === null ? null : traced('llm', model);
  const ranker = parseRanker(configFile('ranker.yaml'));
  const { learning, feedback, interoception, rankers } = openLearning({ ...ports, concepts, ranker }, config);
  const retrieval = new Retrieval({
    graph,
    text,
    vectors,
    ...searched(store, concepts.serving),
    current: async () => searched(store, await concepts.current()),
    table: sharedStatic,
    vocabulary: isInVocabulary,
    ...(isPostgres(store.db) ? { atOneMoment } : {}),
    adjustments: interoception,
    querylog: feedback,
    ranker,
    latestMessage: (domains) => latestMessage(store.db, domains),
    clock,
  });
  const sources = openSources(ports, config);
  const gateway = composeGateway({ store, config, clock, log });
  const unfinished = await drainOutbox(ports, {
    // Other replicas may be writing: what is young may be theirs.
    minAge: isPostgres(store.db) ? 30_000 : 0,
    onError: (error) => log.error({ err: describeError(error) }, 'a write of an earlier run is not finished yet'),
  });
  if (unfinished > 0) log.info({ unfinished }, 'finished writes that an earlier run left undone');
  // A model elsewhere may hang: what it has to do waits for the periodic job.
  const isOwnModel = ['minilm', 'static'].includes(config.embedding.kind);
  if (isOwnModel && !isPostgres(store.db)) await reindex.catchUpAtStart();
  const ingest = new Ingest(ports, {
    roots: config.ingest.roots,
    maxBytes: config.http.max_upload_bytes,
    dataDirectory: config.data.dir,
    extraction: openExtraction(config, llm, store),
  });
  const failures = new RepeatedFailures(log, clock);
  const jobs = openIngestJobs({ store, ingest, clock }, config, failures);
  const periodic = startJobs(ports, {
    config,
    failures,
    concepts,
    reindex,
    learning,
    feedback,
    rankers,
    gateway,
    jobs,
  });
  return {
    clock,
    store,
    graph,
    vectors,
    text,
    concepts,
    reindex,
    repair: new Repair(ports, { reindex, followers }),
    retrieval,
    queryTimeoutMs: config.query.timeout_ms,
    ingest,
    jobs,
    entities: new Entities(ports, config.entities),
    edits: new Edits(ports),
    records: new Records(ports),
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
    leftOut: [],
    ...rulesOut(ports, { config, llm, templates: configFile('edge-templates.yaml', config.graph.edge_templates) }),
    stop: async () => {
      await jobs.stop();
      await reindex.stop();
      await periodic.stop();
      await followers.stop();
      await Promise.all([learning, feedback, concepts, gateway.intake, llm].map((part) => part?.close()));
    },
  };
}
