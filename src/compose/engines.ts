import { join } from 'node:path';
import { openBuiltin } from '../backends/embedding/builtin.js';
import { openCached, openCachedHttp } from '../backends/embedding/cached.js';
import type { EmbeddingModel } from '../backends/embedding/port.js';
import { EmbeddedBackend } from '../backends/graph/embedded.js';
import { InMemoryBackend } from '../backends/graph/memory.js';
import type { GraphBackend } from '../backends/graph/port.js';
import type { Neo4jConnection } from '../backends/neo4j-connection.js';
import type { PostgresStore } from '../backends/store/engine/postgres.js';
import { openSqlite } from '../backends/store/engine/sqlite.js';
import { translated } from '../backends/store/engine/storage-problem.js';
import { clearClaims } from '../backends/store/jobs/claims.js';
import { clearLeases } from '../backends/store/leases.js';
import type { Store } from '../backends/store/scope.js';
import { MemoryTextIndex } from '../backends/text/memory.js';
import type { TextIndex } from '../backends/text/port.js';
import { PostingsTextIndex } from '../backends/text/postings.js';
import { type HnswOptions, HnswVectors } from '../backends/vector/hnsw.js';
import { MemoryVectors } from '../backends/vector/memory.js';
import type { VectorBackend } from '../backends/vector/port.js';
import { configFile } from '../config/files.js';
import type { Config } from '../config.js';
import { readTemplates } from '../core/derive-rules.js';
import { SvcError } from '../core/errors.js';
import { identityOf } from '../ledger/changes.js';
import type { Logger } from '../telemetry/logger.js';
import { finishRestore } from './finish-restore.js';
import { ownCalls } from './gateway/own-calls.js';
import { markStore, requireStoreFile, storeLeftBehind } from './store-marker.js';

// The drivers of servers are loaded by those who use one: each costs a start that does not some fifty milliseconds.

export async function openStore(config: Config, log: Logger): Promise<Store> {
  if (config.store.kind === 'postgres') {
    const leftBehind = storeLeftBehind(config.data.dir);
    if (leftBehind !== undefined) log.warn(leftBehind);
    const { openPostgres } = await import('../backends/store/engine/postgres.js');
    return openPostgres(config.store.database_url ?? '', { log: (message) => log.warn(message) });
  }
  finishRestore(config.data.dir);
  requireStoreFile(config.data.dir);
  const store = await openSqlite(join(config.data.dir, 'svc.sqlite'));
  translated(() => markStore(config.data.dir));
  // One process uses a SQLite store: a lease or claim that is there is of a process that died.
  await clearLeases(store);
  await store.write(({ db }) => clearClaims(db));
  return store;
}

/** Opens the configured model, cached; returns null for `none`. */
export async function openEmbedding(config: Config, store: Store, log: Logger): Promise<EmbeddingModel | null> {
  const { kind, url, model, key } = config.embedding;
  const options = { log: (message: string): void => log.warn(message) };
  if (kind === 'none') return null;
  if (kind === 'minilm' || kind === 'static') return openCached(openBuiltin(kind, options.log), store, options);
  if (url === null || model === null) {
    throw new SvcError('invalid_input', `SVC_EMBEDDING=${kind} needs SVC_EMBEDDING_URL and SVC_EMBEDDING_MODEL.`);
  }
  const calls = ownCalls(store);
  const onTokens = (inputTokens: number) => calls.report({ provider: kind, model, inputTokens, outputTokens: 0 });
  return openCachedHttp({ kind, url, model, onTokens, ...(key === null ? {} : { key }) }, store, options);
}

/** Opens the vector engine that serves. */
export async function openVectors(
  kind: Config['vectors']['kind'],
  config: Config,
  store: Store,
): Promise<VectorBackend> {
  const ledger = identityOf(store.db);
  switch (kind) {
    case 'memory':
      return new MemoryVectors();
    case 'hnsw':
      return new HnswVectors(store, hnswOptions(config));
    case 'pgvector': {
      const { PgVectors } = await import('../backends/vector/pgvector.js');
      if (store.dialect === 'postgres') return new PgVectors(store as PostgresStore, { joinsStore: true, ledger });
      if (config.store.database_url === null) {
        throw new SvcError('invalid_input', 'The vector engine pgvector needs DATABASE_URL.');
      }
      const { openPostgres } = await import('../backends/store/engine/postgres.js');
      return new PgVectors(await openPostgres(config.store.database_url, { migrate: false }), {
        joinsStore: false,
        ledger,
      });
    }
    case 'qdrant': {
      const { qdrant_url: url, qdrant_api_key: apiKey, qdrant_prefix: prefix } = config.vectors;
      if (url === null) throw new SvcError('invalid_input', 'SVC_VEC=qdrant needs SVC_QDRANT_URL.');
      const { QdrantVectors } = await import('../backends/vector/qdrant.js');
      return new QdrantVectors({ url, prefix, ledger, ...(apiKey === null ? {} : { apiKey }) });
    }
  }
}

/** Opens one side of a migration: also the SQLite file of the data directory where the store is on PostgreSQL. */
export async function openOtherVectors(
  kind: Config['vectors']['kind'],
  config: Config,
  store: Store,
): Promise<VectorBackend> {
  if (kind !== 'hnsw' || store.dialect === 'sqlite') return openVectors(kind, config, store);
  const own = await openSqlite(join(config.data.dir, 'svc.sqlite'));
  return new HnswVectors(own, { ...hnswOptions(config), ownsStore: true });
}

function hnswOptions({ data, vectors }: Config): HnswOptions {
  const { graph_mb } = vectors;
  return { directory: join(data.dir, 'vectors'), ...(graph_mb === null ? {} : { graphMegabytes: graph_mb }) };
}

/** One pool of connections for every adapter on Neo4j, made when the first of them needs it. */
export type Neo4jOf = () => Promise<Neo4jConnection>;

export function neo4jOf(config: Config, log: Logger): Neo4jOf {
  let made: Promise<Neo4jConnection> | undefined;
  return () => {
    made ??= connectionTo(config, log);
    return made;
  };
}

async function connectionTo(config: Config, log: Logger): Promise<Neo4jConnection> {
  const { Neo4jConnection } = await import('../backends/neo4j-connection.js');
  const { neo4j_uri: uri, neo4j_host: host, neo4j_port: port, neo4j_password: password } = config.graph;
  return new Neo4jConnection({
    ...(uri === null ? {} : { uri }),
    ...(host === null ? {} : { host }),
    port,
    username: config.graph.neo4j_user,
    ...(password === null ? {} : { password }),
    database: config.graph.neo4j_database,
    connections: config.graph.neo4j_connections,
    readTimeout: config.graph.neo4j_timeout * 1000,
    writeTimeout: config.graph.neo4j_timeout * 20_000,
    // Where all containers start at once, the database is the last to listen.
    startTimeout: 60_000,
    log: (message) => log.warn(message),
  });
}

export async function openText(config: Config, store: Store, neo4j: Neo4jOf): Promise<TextIndex> {
  switch (config.text.kind) {
    case 'memory':
      return new MemoryTextIndex();
    case 'neo4j': {
      const { Neo4jTextIndex } = await import('../backends/text/neo4j.js');
      return new Neo4jTextIndex(await neo4j());
    }
    default:
      return new PostingsTextIndex(store);
  }
}

export async function openGraph(
  kind: string,
  config: Config,
  {
    store,
    neo4j,
    followed = false,
    log = () => undefined,
  }: {
    readonly store: Store;
    readonly neo4j: Neo4jOf;
    /** True where the service keeps engines outside the store up to date with the ledger. */
    readonly followed?: boolean;
    readonly log?: (message: string) => void;
  },
): Promise<GraphBackend> {
  const templates = readTemplates(configFile('edge-templates.yaml', config.graph.edge_templates));
  switch (kind) {
    case 'memory':
      return new InMemoryBackend({ templates, store });
    case 'embedded':
      return new EmbeddedBackend(store, { templates });
    case 'neo4j': {
      const { Neo4jBackend } = await import('../backends/graph/neo4j.js');
      const ppr = config.graph.ppr === 'auto' ? {} : { ppr: config.graph.ppr };
      return new Neo4jBackend({ connection: await neo4j(), store, templates, ...ppr, followed, log });
    }
    default:
      throw new SvcError('invalid_input', `There is no graph of the kind ${kind}; name embedded or neo4j.`);
  }
}
