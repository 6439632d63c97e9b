import { Worker } from 'node:worker_threads';
import { SvcError } from '../../../core/errors.js';
import type { Table, TokenBatch } from './static-sums.js';

interface PendingCall {
  readonly resolve: (vectors: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker thread that sums. It starts with the first batch and keeps the process alive only while it has some. */
export class StaticThread {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingCall>();
  private next = 0;

  /** The table lies in shared memory: the thread has no copy. */
  constructor(private readonly table: Table) {}

  /**
   * Sums token rows as `vectorsOf`; takes the batch's buffers with it. Throws `unavailable` when the thread ends
   * meanwhile.
   */
  sum(batch: TokenBatch): Promise<Float32Array> {
    this.worker ??= this.start();
    const { worker } = this;
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      worker.ref();
      const { ids, ends, counts, ranges } = batch;
      worker.postMessage({ id, batch }, [ids.buffer, ends.buffer, counts.buffer, ranges.buffer] as ArrayBuffer[]);
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./static-worker.js', import.meta.url), {
      workerData: { table: this.table },
      execArgv: [],
    });
    worker.on('message', ({ id, vectors }: { id: number; vectors: Float32Array }) => {
      this.pending.get(id)?.resolve(vectors);
      this.pending.delete(id);
      if (this.pending.size === 0) worker.unref();
    });
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.once('exit', () => {
      this.worker = undefined;
      for (const [id, { reject }] of this.pending) {
        this.pending.delete(id);
        reject(
          new SvcError('unavailable', 'The thread of the static model ended unexpectedly; try again.', undefined, {
            retriable: true,
            cause,
          }),
        );
      }
    });
    return worker;
  }
}
