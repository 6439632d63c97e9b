import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { LIMITS } from '../limits.js';
import type { Part } from '../parts.js';

/** What a parser works on. */
export type ParseJob =
  | { readonly type: 'pdf' | 'docx'; readonly bytes: Uint8Array }
  | { readonly type: 'html' | 'markdown' | 'text'; readonly text: string };

/** Why a parser ended without a result: a limit of `LIMITS`, or an error of the parsing library. */
export interface ParseFailure {
  readonly name: string;
  readonly message: string;
  readonly limit?: string;
}

export class ParserFailed extends Error {
  constructor(readonly failure: ParseFailure) {
    super(failure.message);
  }
}

type WorkerMessage =
  | { readonly title?: string; readonly parts: Part[] }
  | { readonly done: true }
  | { readonly failed: ParseFailure };

/** Parsers that run side by side; further documents queue. */
const MOST = Math.max(2, Math.min(4, availableParallelism() - 1));
/** An unused worker ends after this time, ms. */
const IDLE_MS = 5000;
/** How often the limits of time are checked, ms. */
const CHECK_MS = 100;

const idle: Array<{ readonly worker: Worker; end: NodeJS.Timeout }> = [];
const queue: Array<() => void> = [];
let running = 0;

/** Returns the number of workers that exist now, busy or idle. */
export function parserCount(): number {
  return running + idle.length;
}

/**
 * Runs a job in a worker and returns the parts. Throws `ParserFailed` for input that the parser refuses or that exceeds a
 * limit of time or memory, and the signal's reason when it aborts; in both cases the worker has ended.
 */
export async function runParser(job: ParseJob, signal?: AbortSignal): Promise<{ title?: string; parts: Part[] }> {
  await slot(signal);
  let worker: Worker | undefined;
  try {
    worker = idle.length > 0 ? reuse() : start();
    const parsed = await new Conversation(worker, signal).run(job);
    keep(worker);
    return parsed;
  } catch (error) {
    await worker?.terminate();
    throw error;
  } finally {
    running -= 1;
    queue.shift()?.();
  }
}

/** Waits until fewer than `MOST` parsers run, and counts one more. */
async function slot(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  while (running >= MOST) {
    await new Promise<void>((resolve) => queue.push(resolve));
    if (signal?.aborted) {
      // The slot that became free belongs to the next in the queue.
      queue.shift()?.();
      throw signal.reason;
    }
  }
  running += 1;
}

function start(): Worker {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.heapMib },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  // A worker that fails while it is ended must not end the process.
  return worker.on('error', () => {});
}

function reuse(): Worker {
  const { worker, end } = idle.pop()!;
  clearTimeout(end);
  worker.ref();
  return worker;
}

function keep(worker: Worker): void {
  worker.unref();
  const entry: (typeof idle)[number] = { worker, end: setTimeout(() => endIdle(entry), IDLE_MS) };
  entry.end.unref();
  idle.push(entry);
}

function endIdle(entry: (typeof idle)[number]): void {
  idle.splice(idle.indexOf(entry), 1);
  void entry.worker.terminate();
}

/** One job in one worker: requests batch after batch under the limits of time. */
class Conversation {
  private readonly started = performance.now();
  private readonly load;

  constructor(
    private readonly worker: Worker,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.load = worker.performance.eventLoopUtilization();
  }

  run(job: ParseJob): Promise<{ title?: string; parts: Part[] }> {
    const { worker, signal } = this;
    const parts: Part[] = [];
    let title: string | undefined;
    let finish = (): void => {};
    const result = new Promise<{ title?: string; parts: Part[] }>((resolve, reject) => {
      const fail = (failure: ParseFailure): void => reject(new ParserFailed(failure));
      const onMessage = (answer: WorkerMessage): void => {
        if ('failed' in answer) fail(answer.failed);
        else if ('done' in answer) resolve({ ...(title === undefined ? {} : { title }), parts });
        else {
          title ??= answer.title;
          for (const part of answer.parts) parts.push(part);
          worker.postMessage({});
        }
      };
      const onError = (error: Error): void => fail(crash(error));
      const onExit = (): void => fail({ name: 'Exit', message: 'could not be read' });
      const onAbort = (): void => reject(signal?.reason);
      const timer = setInterval(() => {
        const exceeded = this.exceeded();
        if (exceeded !== undefined) fail(exceeded);
      }, CHECK_MS);
      worker.on('message', onMessage).once('error', onError).once('exit', onExit);
      signal?.addEventListener('abort', onAbort, { once: true });
      finish = () => {
        clearInterval(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        signal?.removeEventListener('abort', onAbort);
      };
      worker.postMessage({ job });
    });
    return result.finally(() => finish());
  }

  /** Returns the limit of time that is exceeded now. Time in which the worker computes counts as processor time. */
  private exceeded(): ParseFailure | undefined {
    const { active } = this.worker.performance.eventLoopUtilization(this.load);
    if (active > LIMITS.processorSeconds * 1000) {
      return timeLimit('processorSeconds', `${LIMITS.processorSeconds} s of processor time`);
    }
    if (performance.now() - this.started > LIMITS.seconds * 1000) return timeLimit('seconds', `${LIMITS.seconds} s`);
    return undefined;
  }
}

function timeLimit(limit: keyof typeof LIMITS, time: string): ParseFailure {
  return { name: 'LimitExceeded', limit, message: `takes more than ${time} to parse; split it or convert it to text` };
}

function crash(error: Error & { code?: string }): ParseFailure {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return { name: error.name, message: error.message };
  return {
    name: 'LimitExceeded',
    limit: 'heapMib',
    message: `needs more than ${LIMITS.heapMib} MiB of memory to parse; split it or convert it to text`,
  };
}
