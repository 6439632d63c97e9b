import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import type { GraphBudget } from './graph/graph-budget.js';

const MEGABYTE = 2 ** 20;

/** Returns the megabytes that graphs may take unless a setting says: a quarter of the memory, and 1,000 on a small machine. */
export function defaultGraphMegabytes(): number {
  // Of a container, where there is one.
  const memory = Math.min(totalmem(), constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(1000, Math.floor(memory / 4 / MEGABYTE));
}

/** Returns where the limit of the graphs is, and how near. */
export function graphLimit({ used, megabytes }: Pick<GraphBudget, 'used' | 'megabytes'>): string {
  return `The graphs of vector indexes take ${inWords(used / MEGABYTE)} of ${inWords(megabytes)} MB (SVC_VECTOR_GRAPH_MB); vectors beyond that are scanned.`;
}

/** Returns a sentence for each limit of memory that an index has passed, with the remedy. */
export function passedLimits(
  name: string,
  index: {
    readonly live: number;
    /** Vectors for which the graphs had no room. */
    readonly beyond: number;
    readonly exceedsKernels: boolean;
  },
): string[] {
  const passed: string[] = [];
  if (index.beyond > 0) {
    passed.push(
      `vector index ${name}: for ${inWords(index.beyond)} of its ${inWords(index.live)} vectors the graphs have no room, so each query scans these; raise SVC_VECTOR_GRAPH_MB, or use pgvector or qdrant.`,
    );
  }
  if (index.exceedsKernels) {
    passed.push(
      `vector index ${name}: the fast scan could not reserve memory for all of its vectors, the rest is scanned several times slower; use pgvector or qdrant.`,
    );
  }
  return passed;
}

function inWords(value: number): string {
  return Math.ceil(value).toLocaleString('en-US');
}
