import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SvcError } from '../../../core/errors.js';

/** One text for the model: ids with special tokens, and [from, to) pairs of token positions to be averaged apart. */
export interface EncodeJob {
  readonly id: number;
  readonly urgent: boolean;
  readonly ids: Int32Array;
  readonly ranges: Int32Array;
}

type Reply =
  | { readonly ready: true }
  | { readonly failed: string }
  | { readonly id: number; readonly vectors: Float32Array }
  | { readonly id: number; readonly error: string };

export interface ThreadEvents {
  /** Receives the text's vector and one per range, one after the other. */
  done(id: number, vectors: Float32Array): void;
  failed(id: number, error: SvcError): void;
}

// Places in the gate that `minilm-worker.js` shares, and milliseconds after which an exit waits no longer.
const STOP = 0;
const INSIDE = 1;
const LONGEST_RUN = 3000;

/** A worker thread with a session of its own. It keeps the process alive only while it has texts to encode. */
export class MinilmThread {
  /** Resolves when the model is loaded; rejects with `unavailable` when it cannot be. */
  readonly ready: Promise<void>;
  /** Tokens handed over and not yet answered. */
  load = 0;
  state: 'loading' | 'ready' | 'ended' = 'loading';
  private readonly worker: Worker;
  private readonly gate = new Int32Array(new SharedArrayBuffer(8));
  private readonly under = new Map<number, number>();
  private unsent: EncodeJob[] = [];
  /** Whoever closes waits for the thread's end, also where it becomes ready meanwhile. */
  private isClosing = false;

  constructor(
    modelFile: string,
    dimension: number,
    private readonly events: ThreadEvents,
  ) {
    this.worker = new Worker(new URL('./minilm-worker.js', import.meta.url), {
      workerData: { modelFile, dimension, gate: this.gate },
    });
    process.on('exit', this.leaveRuntime);
    this.ready = new Promise((resolve, reject) => {
      this.worker.on('message', (reply: Reply) => {
        if ('ready' in reply) {
          this.state = 'ready';
          this.rest();
          resolve();
        } else if ('failed' in reply) reject(cannotLoad(reply.failed));
        else this.answer(reply);
      });
      this.worker.on('error', (error) => {
        reject(cannotLoad(error.message));
        this.end();
      });
      this.worker.on('exit', () => {
        reject(cannotLoad('its thread ended'));
        this.end();
      });
    });
    this.ready.catch(() => {});
  }

  /** Takes a text over; `send` hands it on. */
  add(job: EncodeJob): void {
    this.under.set(job.id, job.ids.length);
    this.load += job.ids.length;
    this.unsent.push(job);
  }

  /** Hands the texts that were added to the thread, in one message: each message wakes it, which costs as much as half a text. */
  send(): void {
    if (this.unsent.length === 0) return;
    this.worker.ref();
    this.worker.postMessage(this.unsent);
    this.unsent = [];
  }

  async close(): Promise<void> {
    if (this.state === 'ended') return;
    this.isClosing = true;
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('close');
    this.worker.ref();
    await ended;
  }

  /** Holds the exit of the process until the thread is out of the runtime: ended inside, it would abort the process. */
  private readonly leaveRuntime = (): void => {
    Atomics.store(this.gate, STOP, 1);
    Atomics.wait(this.gate, INSIDE, 1, LONGEST_RUN);
  };

  private answer(reply: Exclude<Reply, { ready: true } | { failed: string }>): void {
    this.load -= this.under.get(reply.id) ?? 0;
    this.under.delete(reply.id);
    this.rest();
    if ('vectors' in reply) this.events.done(reply.id, reply.vectors);
    else
      this.events.failed(reply.id, new SvcError('unavailable', `The MiniLM model failed on a text: ${reply.error}.`));
  }

  private rest(): void {
    if (this.under.size === 0 && !this.isClosing) this.worker.unref();
  }

  private end(): void {
    this.state = 'ended';
    process.off('exit', this.leaveRuntime);
    for (const id of [...this.under.keys()]) {
      this.under.delete(id);
      this.events.failed(
        id,
        new SvcError('unavailable', 'The MiniLM thread ended unexpectedly; try again.', undefined, { retriable: true }),
      );
    }
  }
}

function cannotLoad(reason: string): SvcError {
  return new SvcError(
    'unavailable',
    `The MiniLM model cannot be loaded (${reason.split('\n')[0]}); install onnxruntime-node or choose SVC_EMBEDDING=static.`,
  );
}
