import { availableParallelism } from 'node:os';
import { SvcError } from '../../../core/errors.js';
import { type EncodeJob, MinilmThread } from './minilm-thread.js';

/** Ids with special tokens, and [from, to) pairs of token positions. */
export interface PoolText {
  readonly ids: Int32Array;
  readonly ranges: Int32Array;
}

interface QueuedText extends PoolText {
  readonly urgent: boolean;
  readonly resolve: (vectors: Float32Array) => void;
  readonly reject: (error: unknown) => void;
  readonly cancelled: () => boolean;
}

export interface EncoderPoolOptions {
  readonly modelFile: string;
  readonly dimension: number;
  /** Default: the processor's cores, at most 4. */
  readonly threads?: number;
}

export interface EncodeOptions {
  readonly urgent: boolean;
  readonly signal?: AbortSignal | undefined;
  /** False for what is no reason to start another thread. */
  readonly grows?: boolean;
}

/** Tokens that wait inside a thread, so that it has work while this thread is busy. */
const AHEAD = 512;
/** Tokens under way on every thread from which on another one starts: what chains of one question have encoded at once. */
const BUSY = 128;

/**
 * Encodes texts on worker threads, one text per run: a text's vector never depends on its neighbours, which it would in
 * a batch, since dynamic quantisation takes its scale from the whole batch. Urgent texts overtake all others. The first
 * thread starts at the first text, further ones while all have much to do.
 */
export class MinilmPool {
  private threads: MinilmThread[] = [];
  private size: number;
  private readonly queues: { urgent: QueuedText[]; bulk: QueuedText[] } = { urgent: [], bulk: [] };
  private readonly under = new Map<number, QueuedText>();
  private next = 0;
  private closed = false;

  constructor(private readonly options: EncoderPoolOptions) {
    this.size = options.threads ?? Math.min(4, availableParallelism());
  }

  /** Loads the model on one thread. Throws `unavailable` when that fails. */
  async start(): Promise<void> {
    if (this.closed) throw closedError();
    await (this.living()[0] ?? this.spawn()).ready;
  }

  /** Returns one result for each text, in order: its vector and its ranges' vectors, one after the other. */
  async encode(texts: readonly PoolText[], options: EncodeOptions) {
    await this.start();
    if (this.closed) throw closedError();
    options.signal?.throwIfAborted();
    let over = false;
    const lane = options.urgent ? this.queues.urgent : this.queues.bulk;
    const answers = texts.map(
      (text) =>
        new Promise<Float32Array>((resolve, reject) => {
          lane.push({ ...text, urgent: options.urgent, resolve, reject, cancelled: () => over });
        }),
    );
    this.dispatch();
    const ready = this.living().filter((thread) => thread.state === 'ready');
    if (options.grows !== false && ready.length > 0 && idlest(ready).load >= BUSY) this.spawnAnother();
    const aborted = abortion(options.signal);
    try {
      return await Promise.race([Promise.all(answers), aborted.promise]);
    } finally {
      over = true;
      aborted.forget();
    }
  }

  /** Returns true where a thread is ready and none has anything to do. */
  idle(): boolean {
    return this.under.size === 0 && this.living().some((thread) => thread.state === 'ready');
  }

  async close(): Promise<void> {
    this.closed = true;
    const threads = this.living();
    this.threads = [];
    this.failWaiting(closedError());
    for (const text of this.under.values()) text.reject(closedError());
    this.under.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  private spawn(): MinilmThread {
    const thread = new MinilmThread(this.options.modelFile, this.options.dimension, {
      done: (id, vectors) => this.finish(id, (text) => text.resolve(vectors)),
      failed: (id, error) => this.finish(id, (text) => text.reject(error)),
    });
    this.threads.push(thread);
    thread.ready.then(
      () => this.dispatch(),
      (error: unknown) => {
        this.threads = this.threads.filter((other) => other !== thread);
        if (this.threads.length === 0) this.failWaiting(error);
        else this.size = this.threads.length;
      },
    );
    return thread;
  }

  private finish(id: number, action: (text: QueuedText) => void): void {
    const text = this.under.get(id);
    this.under.delete(id);
    if (text !== undefined) action(text);
    this.dispatch();
  }

  /** Hands queued texts to threads: urgent ones at once, others as far as a thread's load allows. */
  private dispatch(): void {
    const { urgent, bulk } = this.queues;
    if (urgent.length === 0 && bulk.length === 0) return;
    const ready = this.living().filter((thread) => thread.state === 'ready');
    if (ready.length === 0) {
      if (this.threads.length === 0) this.spawn();
      return;
    }
    for (let text = take(urgent); text !== undefined; text = take(urgent)) this.hand(text, idlest(ready));
    while (bulk.length > 0) {
      const thread = idlest(ready);
      if (thread.load >= AHEAD) break;
      const text = take(bulk);
      if (text !== undefined) this.hand(text, thread);
    }
    for (const thread of ready) thread.send();
    if (bulk.length > 0) this.spawnAnother();
  }

  private spawnAnother(): void {
    if (this.threads.length < this.size) this.spawn();
  }

  private living(): MinilmThread[] {
    this.threads = this.threads.filter((thread) => thread.state !== 'ended');
    return this.threads;
  }

  private hand(text: QueuedText, thread: MinilmThread): void {
    const job: EncodeJob = { id: this.next++, urgent: text.urgent, ids: text.ids, ranges: text.ranges };
    this.under.set(job.id, text);
    thread.add(job);
  }

  private failWaiting(error: unknown): void {
    for (const lane of [this.queues.urgent, this.queues.bulk]) {
      for (const text of lane.splice(0)) text.reject(error);
    }
  }
}

function idlest(threads: readonly MinilmThread[]): MinilmThread {
  return threads.reduce((best, thread) => (thread.load < best.load ? thread : best));
}

function closedError(): SvcError {
  return new SvcError('unavailable', 'The embedding model was closed.');
}

/** Takes the first text whose call is not over. */
function take(lane: QueuedText[]): QueuedText | undefined {
  let text = lane.shift();
  while (text?.cancelled()) text = lane.shift();
  return text;
}

function abortion(signal: AbortSignal | undefined): { promise: Promise<never>; forget: () => void } {
  let forget = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    if (signal === undefined) return;
    const listener = (): void => reject(signal.reason);
    signal.addEventListener('abort', listener, { once: true });
    forget = () => signal.removeEventListener('abort', listener);
  });
  promise.catch(() => {});
  return { promise, forget };
}
