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

/** Writes to standard output, as fast as its reader takes it. */
export async function written(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Writes a JSON list without holding it. */
export async function writtenList(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  await written('[');
  for await (const item of items) {
    await written(`${count === 0 ? '' : ','}\n${JSON.stringify(item)}`);
    count += 1;
  }
  await written(count === 0 ? ']' : '\n]');
  return count;
}
