import type { EmbeddingModel } from '../backends/embedding/port.js';
import type { ModelRecord } from '../backends/store/concept-index.js';
import type { Store } from '../backends/store/scope.js';
import { readSentences } from '../backends/store/sentences.js';
import type { Config } from '../config.js';
import type { ServingIndex } from '../ingest/index/concept-indexes.js';
import type { RetrievalParts, SentenceReader } from '../retrieval/collaborators.js';
import type { Logger } from '../telemetry/logger.js';
import { openEmbedding } from './engines.js';

/** Names of the service's own indexes begin so; the vector tools neither see nor touch them. */
export const RESERVED = 'svc_';
/** What the names of concept indexes start with. */
export const CONCEPTS = `${RESERVED}concepts_`;

/** Returns a concept index's name: it carries model and dimension, and a number where a model is indexed once more. */
export function conceptIndex(model: Pick<EmbeddingModel, 'name' | 'dimension'> | null, generation: number): string {
  const suffix = generation === 1 ? '' : `_${generation}`;
  const name = model === null ? 'none' : `${model.name}_${model.dimension}`;
  return `${CONCEPTS}${name}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64 - suffix.length) + suffix;
}

/** Returns how a configured model is remembered beside its index. */
export function recordOf(embedding: EmbeddingModel | null, config: Config): ModelRecord | null {
  if (embedding === null) return null;
  const { name, dimension } = embedding;
  const { kind, url, model } = config.embedding;
  // A built-in model may stand in for another one: what counts is the one that runs.
  if (kind === 'openai' || kind === 'ollama') return { name, dimension, kind, url, model };
  return { name, dimension, kind: name, url: null, model: null };
}

/** Opens the model of an index that another configuration made; null where its kind cannot run here. */
export async function openRecorded(
  record: ModelRecord,
  { config, store, log }: { config: Config; store: Store; log: Logger },
): Promise<EmbeddingModel | null> {
  const kinds: ReadonlyArray<Config['embedding']['kind']> = ['minilm', 'static', 'openai', 'ollama'];
  const kind = kinds.find((known) => known === record.kind);
  if (kind === undefined) return null;
  // A key is never remembered; the configured one is for its own kind of server only.
  const key = kind === config.embedding.kind ? config.embedding.key : null;
  const embedding = { kind, url: record.url, model: record.model, key };
  try {
    return await openEmbedding({ ...config, embedding }, store, log);
  } catch (error) {
    log.warn({ model: record.name, err: error }, 'the model of the concept index cannot be opened');
    return null;
  }
}

/** Returns the parts of retrieval that depend on the index that serves. */
export function searched(
  store: Store,
  { indexName, embedding }: ServingIndex,
): Pick<RetrievalParts, 'indexName' | 'embedding' | 'sentences'> {
  const sentences: SentenceReader = (ids) =>
    embedding === null ? Promise.resolve(new Map()) : readSentences(store.db, embedding.name, ids);
  return { indexName, embedding, sentences };
}
