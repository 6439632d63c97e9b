import type { Arena } from './scan/arena.js';

/**
 * Returns a sentence for each limit of memory that an index has passed, with the remedy. `graphMegabytes`: what a graph
 * may take, where its rows need more.
 */
export function passedLimits(
  name: string,
  arena: Pick<Arena, 'live' | 'exceedsKernels'>,
  graphMegabytes: number | undefined,
): string[] {
  const passed: string[] = [];
  if (graphMegabytes !== undefined) {
    passed.push(
      `vector index ${name}: its ${arena.live} vectors need a graph of more than ${graphMegabytes} MB, so each query scans them all; use pgvector or qdrant, or more memory.`,
    );
  }
  if (arena.exceedsKernels) {
    passed.push(
      `vector index ${name}: its vectors exceed the 4 GB that the fast scan reaches, the rest is scanned several times slower; use pgvector or qdrant.`,
    );
  }
  return passed;
}
