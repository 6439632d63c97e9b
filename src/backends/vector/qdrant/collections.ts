import { QdrantClient, withHeaders } from '@qdrant/js-client-rest';
import { AnswerWatch } from '../../../core/async/answer-watch.js';
import { SvcError } from '../../../core/errors.js';
import { unreachableSentence } from '../../../core/wording/unknown-host.js';
import { traceHeaders } from '../../http-request.js';
import { indexNotFound } from '../check-vector.js';
import type { Metric } from '../port.js';
import type { QdrantCondition } from './filter-conditions.js';
import { claimPrefix } from './owner.js';
import type { Payload } from './payload.js';
import { statusOf } from './status.js';

const DISTANCES = { cosine: 'Cosine', euclidean: 'Euclid', dotproduct: 'Dot' } as const;
const METRICS: Readonly<Record<string, Metric>> = { Cosine: 'cosine', Euclid: 'euclidean', Dot: 'dotproduct' };

/** Members of every payload that queries filter by. */
const FILTERED = ['terms', 'partition', 'revision'] as const;

export interface QdrantOptions {
  readonly url: string;
  readonly apiKey?: string;
  /** Begins the name of every collection of this service; default `svc-`. */
  readonly prefix?: string;
  /** Returns the id of the ledger that the vectors belong to; without it they are shared by whoever comes. */
  readonly ledger?: () => Promise<string>;
}

export interface Shape {
  readonly dimension: number;
  readonly metric: Metric;
}

export interface Selection {
  readonly must: readonly QdrantCondition[];
}

/** The service's collections on a Qdrant server: each index is one, its name behind a prefix. */
export class Collections {
  readonly client: QdrantClient;
  private readonly watch: AnswerWatch;
  private readonly shapes = new Map<string, Shape>();
  private readonly prefix: string;
  private readonly ledger: (() => Promise<string>) | undefined;
  private claimed: Promise<void> | undefined;

  constructor({ url, apiKey, prefix, ledger }: QdrantOptions) {
    this.prefix = prefix ?? 'svc-';
    this.ledger = ledger;
    const key = apiKey === undefined ? {} : { apiKey };
    const connect = (timeout: number) => new QdrantClient({ url, timeout, checkCompatibility: false, ...key });
    const probe = (ms: number) => connect(ms).getCollections();
    this.watch = new AnswerWatch({ probe, error: notAnswering });
    this.client = watched(connect(30_000), this.watch);
  }

  /** Ends the probes of a server that hangs. */
  close(): void {
    this.watch.stop();
  }

  nameOf(index: string): string {
    return `${this.prefix}${index}`;
  }

  async names(): Promise<string[]> {
    await this.claim();
    const { collections } = await this.calling(() => this.client.getCollections());
    return collections
      .filter(({ name }) => name.startsWith(this.prefix))
      .map(({ name }) => name.slice(this.prefix.length));
  }

  /**
   * Returns dimension and metric; undefined if there is no such index. Remembered until the server disagrees. The first
   * reading makes payload indexes that are missing, as a process that ended between creating a collection and indexing
   * it leaves it.
   */
  async shape(index: string): Promise<Shape | undefined> {
    const known = this.shapes.get(index);
    if (known !== undefined) return known;
    try {
      await this.claim();
      const info = await this.client.getCollection(this.nameOf(index));
      const vectors = info.config.params.vectors as { size: number; distance: string };
      const shape = { dimension: vectors.size, metric: METRICS[vectors.distance] ?? 'cosine' };
      const missing = FILTERED.filter((field) => info.payload_schema[field] === undefined);
      for (const field of missing) await this.indexField(index, field, 'keyword');
      this.shapes.set(index, shape);
      return shape;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw translated(error);
    }
  }

  /** Sees to it once that what lies behind the prefix is this service's own; `conflict` where it is not. */
  private claim(): Promise<void> {
    const { ledger } = this;
    if (ledger === undefined) return Promise.resolve();
    this.claimed ??= this.calling(async () => claimPrefix(this.client, this.prefix, await ledger())).catch((error) => {
      this.claimed = undefined;
      throw error;
    });
    return this.claimed;
  }

  /** Creates a collection; returns false if another caller was first. */
  async create(index: string, shape: Shape): Promise<boolean> {
    const name = this.nameOf(index);
    try {
      await this.client.createCollection(name, {
        vectors: { size: shape.dimension, distance: DISTANCES[shape.metric] },
      });
    } catch (error) {
      if (statusOf(error) === 409) return false;
      throw translated(error);
    }
    for (const field of FILTERED) await this.indexField(index, field, 'keyword');
    return true;
  }

  async indexField(index: string, field: string, type: 'keyword' | 'float'): Promise<void> {
    await this.calling(() =>
      this.client.createPayloadIndex(this.nameOf(index), { field_name: field, field_schema: type, wait: true }),
    );
  }

  async drop(index: string): Promise<boolean> {
    this.shapes.delete(index);
    if ((await this.shape(index)) === undefined) return false;
    this.shapes.delete(index);
    return this.calling(() => this.client.deleteCollection(this.nameOf(index)));
  }

  /** Runs work with the index's shape; `index_not_found` also when it was deleted since its shape was remembered. */
  async with<T>(index: string, work: (name: string, shape: Shape) => Promise<T>): Promise<T> {
    const shape = await this.shape(index);
    if (shape === undefined) throw indexNotFound(index);
    try {
      return await work(this.nameOf(index), shape);
    } catch (error) {
      const status = statusOf(error);
      if (status === 404 || status === 400) this.shapes.delete(index);
      throw status === 404 ? indexNotFound(index) : translated(error);
    }
  }

  async calling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw translated(error);
    }
  }

  async count(name: string, filter: Selection | undefined): Promise<number> {
    const counted = await this.client.count(name, { exact: true, ...(filter === undefined ? {} : wire({ filter })) });
    return counted.count;
  }

  /** Yields payloads page by page, in the order of point ids. */
  async *scroll(
    name: string,
    options: { filter?: Selection; from?: string; limit: number },
  ): AsyncGenerator<Payload[]> {
    let offset: string | undefined = options.from;
    do {
      const page = await this.client.scroll(name, {
        limit: options.limit,
        with_payload: true,
        ...(options.filter === undefined ? {} : wire({ filter: options.filter })),
        ...(offset === undefined ? {} : { offset }),
      });
      yield page.points.map((point) => point.payload as unknown as Payload);
      offset = (page.next_page_offset ?? undefined) as string | undefined;
    } while (offset !== undefined);
  }
}

/** Returns a client whose requests carry the W3C trace context of what runs, and fail soon where the server hangs. */
function watched(client: QdrantClient, watch: AnswerWatch): QdrantClient {
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      // The client sends before it first waits, and so inside of `withHeaders`.
      return (...args: unknown[]): Promise<unknown> =>
        watch.answered(() => withHeaders(traceHeaders(), () => Reflect.apply(value, target, args)));
    },
  });
}

/** Returns our narrow filter type as the client's wide one. */
export function wire(part: { filter: Selection }): { filter: Record<string, unknown> } {
  return part as unknown as { filter: Record<string, unknown> };
}

function translated(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return new SvcError('unavailable', 'Qdrant refused the key; check SVC_QDRANT_API_KEY.', undefined, {
      cause: error,
    });
  }
  if (status !== undefined && status < 500 && status !== 429) return error;
  return notAnswering(error);
}

function notAnswering(cause?: unknown): SvcError {
  const sentence = unreachableSentence(cause, {
    server: 'Qdrant',
    setting: 'SVC_QDRANT_URL',
    otherwise: 'Qdrant does not answer; check that the server of SVC_QDRANT_URL runs.',
  });
  return new SvcError('unavailable', sentence, undefined, { cause, retriable: true, retryAfter: 1 });
}
