import { once } from 'node:events';
import type { Connection } from '../../connection.js';

interface ExportPage<T> {
  readonly traces: readonly T[];
  readonly next: number | null;
}

/** Yields the traces of an export operation, a page at a time, at most `most` of them. */
export async function* pagedTraces<T>(
  connection: Connection,
  operation: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  let left = most;
  for (let after: number | null = 0; after !== null && left > 0; ) {
    const page = (await connection.call(operation, { after, limit: Math.min(500, left) })) as ExportPage<T>;
    yield* page.traces;
    left -= page.traces.length;
    after = page.next;
  }
}

let isUnread = false;

/** Writes to standard output, as fast as its reader takes it; false as soon as nobody reads on, as behind `| head -1`. */
export async function written(text: string): Promise<boolean> {
  if (isUnread || process.stdout.write(text)) return !isUnread;
  try {
    await once(process.stdout, 'drain');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    isUnread = true;
  }
  return !isUnread;
}

/** Characters that are gathered before they are written: one write a line would cost more than the lines. */
const CHUNK = 65_536;

/** Writes texts in chunks, and asks for no more of them once nobody reads on. */
export async function writtenLines(lines: AsyncIterable<string>): Promise<void> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK) continue;
    if (!(await written(chunk))) return;
    chunk = '';
  }
  if (chunk !== '') await written(chunk);
}

/** Writes a JSON list without holding it. */
export async function writtenList(items: AsyncIterable<unknown>): Promise<void> {
  await writtenLines(listLines(items));
}

async function* listLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const item of items) {
    yield `${before}${JSON.stringify(item)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}
