import { availableParallelism } from 'node:os';
import { type ParseJob, type ParserAnswer, ParserProcess } from './parser-process.js';

/** Parsers that run side by side; further documents queue. */
const MOST = Math.max(2, Math.min(4, availableParallelism() - 1));
/** An unused parser ends after this time, ms. */
const IDLE_MS = 5000;

const idle: Array<{ readonly parser: ParserProcess; end: NodeJS.Timeout }> = [];
const queue: Array<() => void> = [];
let running = 0;

/** Returns the number of parsers that exist now, busy or idle. */
export function parserCount(): number {
  return running + idle.length;
}

/**
 * Runs a job in a parser and returns the parts. Throws `ParserFailed` for input that the parser refuses or that exceeds a
 * limit of time or memory, and the signal's reason when it aborts; in both cases the parser has ended.
 */
export async function runParser(job: ParseJob, signal?: AbortSignal): Promise<ParserAnswer> {
  await slot(signal);
  let parser: ParserProcess | undefined;
  try {
    parser = reused() ?? new ParserProcess();
    const parsed = await parser.run(job, signal);
    keep(parser);
    return parsed;
  } catch (error) {
    await parser?.end();
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

function reused(): ParserProcess | undefined {
  const entry = idle.pop();
  if (entry === undefined) return undefined;
  clearTimeout(entry.end);
  // Somebody may have ended it.
  if (!entry.parser.isAlive) return reused();
  entry.parser.work();
  return entry.parser;
}

function keep(parser: ParserProcess): void {
  parser.rest();
  const entry: (typeof idle)[number] = { parser, end: setTimeout(() => endIdle(entry), IDLE_MS) };
  entry.end.unref();
  idle.push(entry);
}

function endIdle(entry: (typeof idle)[number]): void {
  idle.splice(idle.indexOf(entry), 1);
  void entry.parser.end();
}
