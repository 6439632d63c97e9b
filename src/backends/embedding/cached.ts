import { slicer } from '../../core/async/slices.js';
import { contentHash } from '../../core/ids.js';
import {
  type CachedRow,
  keepCached,
  knownDimension,
  readCached,
  rememberDimension,
} from '../store/caches/embedding-cache.js';
import type { Store } from '../store/scope.js';
import { type HttpEmbeddingOptions, httpModelName, openHttp } from './http/http.js';
import { packSentences, unpackSentences } from './int8.js';
import type { EmbeddingModel, SpannedEmbedding, SpannedText } from './port.js';
import { Recent } from './recent.js';

export interface CacheOptions {
  /** Texts kept in the store; default 200,000, for a model that runs in this process 0. */
  readonly rows?: number;
  /** Questions kept in memory; default 2,000. */
  readonly questions?: number;
  /** Receives the error when vectors cannot be kept; the calls themselves continue. */
  readonly log?: (message: string) => void;
}

/** A longer list is no question: it would only push the questions out. */
const MOST_QUESTIONS = 64;

/**
 * Wraps a model so that each text is embedded once. `embed` remembers questions in memory only; `embedSpanned` (ingest)
 * looks its texts up in the store and keeps new ones there without waiting for it. Sentence vectors of kept texts come
 * back rounded to int8, the first time too. Must not be called inside `store.write`; close it before the store.
 */
export function openCached(model: EmbeddingModel, store: Store, options: CacheOptions = {}): EmbeddingModel {
  const questions = new Recent<Float32Array>(options.questions ?? 2000);
  const bound = options.rows ?? (model.runsInProcess === true ? 0 : 200_000);
  const keeping = new Set<Promise<void>>();

  const keep = (rows: readonly CachedRow[]): void => {
    const kept = store
      .write(({ db }) => keepCached(db, model.name, { rows, bound }), { durable: false })
      .catch((error: unknown) => {
        options.log?.(`Embeddings were not cached: ${error instanceof Error ? error.message : String(error)}`);
      })
      .finally(() => keeping.delete(kept));
    keeping.add(kept);
  };
  const findOrMake = async (texts: ReadonlyMap<string, SpannedText>, signal?: AbortSignal) => {
    const found = new Map<string, SpannedEmbedding>();
    const cached = await readCached(store.db, model.name, [...texts.keys()]);
    for (const row of cached) {
      const embedding = fromRow(row, model.dimension);
      if (embedding.spans.length === texts.get(row.key)!.spans.length) found.set(row.key, embedding);
    }
    const missing = [...texts].filter(([key]) => !found.has(key));
    if (missing.length === 0) return found;
    const made = await model.embedSpanned(
      missing.map(([, text]) => text),
      signal,
    );
    const rows = missing.map(([key], i) => toRow(key, made[i]!));
    for (const row of rows) found.set(row.key, fromRow(row, model.dimension));
    keep(rows);
    return found;
  };

  return {
    name: model.name,
    dimension: model.dimension,
    async embed(texts, signal) {
      signal?.throwIfAborted();
      if (texts.length > MOST_QUESTIONS) return model.embed(texts, signal);
      const known = new Map<string, Float32Array>();
      const missing = new Set<string>();
      for (const text of texts) {
        const vector = questions.get(text);
        if (vector === undefined) missing.add(text);
        else known.set(text, vector);
      }
      const made = missing.size === 0 ? [] : await model.embed([...missing], signal);
      [...missing].forEach((text, i) => {
        known.set(text, made[i]!);
        questions.set(text, made[i]!);
      });
      return texts.map((text) => known.get(text)!.slice());
    },
    async embedSpanned(texts, signal) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      if (bound === 0) return model.embedSpanned(texts, signal);
      const pause = slicer();
      const keys: string[] = [];
      const distinct = new Map<string, SpannedText>();
      for (const text of texts) {
        const key = keyOf(text);
        keys.push(key);
        distinct.set(key, text);
        await pause();
      }
      const found = await findOrMake(distinct, signal);
      return keys.map((key) => found.get(key)!);
    },
    ...(model.remote === true ? { remote: true } : {}),
    ...(model.idle === undefined ? {} : { idle: () => model.idle!() }),
    health: () => model.health(),
    async close() {
      await Promise.all(keeping);
      await model.close();
    },
  };
}

/**
 * Opens a model behind a server, cached. Its dimension is remembered in the store, so that only the first start ever
 * needs the server.
 */
export async function openCachedHttp(
  http: HttpEmbeddingOptions,
  store: Store,
  options: CacheOptions = {},
): Promise<EmbeddingModel> {
  const name = httpModelName(http);
  const known = await knownDimension(store.db, name);
  if (known !== undefined) return openCached(await openHttp({ ...http, dimension: known }), store, options);
  const model = await openHttp(http);
  await store.write(({ db }) => rememberDimension(db, name, model.dimension));
  return openCached(model, store, options);
}

function keyOf({ text, spans }: SpannedText): string {
  return contentHash(`${spans.join(';')}\0${text}`);
}

function toRow(key: string, { vector, spans }: SpannedEmbedding): CachedRow {
  return {
    key,
    vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    sentences: packSentences(spans),
  };
}

function fromRow({ vector, sentences }: CachedRow, dimension: number): SpannedEmbedding {
  return { vector: new Float32Array(Uint8Array.from(vector).buffer), spans: unpackSentences(sentences, dimension) };
}
