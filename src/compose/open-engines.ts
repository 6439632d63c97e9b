import type { EmbeddingModel } from '../backends/embedding/port.js';
import { LedgerGraph } from '../backends/graph/ledger-graph.js';
import type { GraphBackend } from '../backends/graph/port.js';
import type { ModelRecord } from '../backends/store/concept-index.js';
import type { Store } from '../backends/store/scope.js';
import type { TextIndex } from '../backends/text/port.js';
import type { VectorBackend } from '../backends/vector/port.js';
import type { Config } from '../config.js';
import { isUnavailable } from '../core/errors.js';
import { Followers } from '../ledger/followers/followers.js';
import type { Logger } from '../telemetry/logger.js';
import { openRecorded, recordOf } from './concept-index.js';
import { neo4jOf, openEmbedding, openGraph, openText, openVectors } from './engines.js';

/** What a service stands on, opened and connected. */
export interface Engines {
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

/** Opens and connects the engines that a configuration names. */
export async function openEngines(store: Store, config: Config, log: Logger): Promise<Engines> {
  const embedding = await openEmbedding(config, store, log);
  const vectors = await openVectors(config.vectors.kind, config, store);
  const neo4j = neo4jOf(config, log);
  const text = await openText(config, store, neo4j);
  const warn = (message: string): void => log.warn(message);
  const graph = await openGraph(config.graph.kind, config, { store, neo4j, followed: true, log: warn });
  await Promise.all([unlessDown(vectors, warn), unlessDown(text, warn), graph.connect()]);
  const followers = await startFollowers(store, graph, { timeout: config.graph.follow_timeout_ms, log });
  const open = (record: ModelRecord) => openRecorded(record, { config, store, log });
  return { store, vectors, graph, text, embedding, record: recordOf(embedding, config), open, followers };
}

/**
 * Starts what keeps engines outside the store up to date with the ledger, and waits a while for one that answers to
 * catch up.
 */
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
  if (graph.isConnected()) await followers.appliedIfUp(await graph.version());
  return followers;
}

/** Connects an index; one outside the store may be down: it is followed as soon as it answers. */
async function unlessDown(index: VectorBackend | TextIndex, warn: (message: string) => void): Promise<void> {
  try {
    await index.connect();
  } catch (error) {
    if (index.joinsStore || !isUnavailable(error)) throw error;
    warn(`${error.message} The service starts without it.`);
  }
}
