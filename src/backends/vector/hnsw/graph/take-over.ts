import { slicer } from '../../../../core/async/slices.js';
import type { Arena } from '../scan/arena.js';
import type { Graph } from './graph.js';
import type { Segments } from './segments.js';

const SAMPLE = 16;

/** Adds to `removed` the labels whose rows are gone, in slices. */
export async function noteRemoved(arena: Arena, labels: readonly number[], removed: Set<number>): Promise<void> {
  const pause = slicer();
  for (let i = 0; i < labels.length; i += 1) {
    if (arena.slotOf(labels[i]!) < 0) removed.add(labels[i]!);
    if (i % 4096 === 0) await pause();
  }
}

/**
 * Takes over a graph that was read from a file and hides the rows that were removed since it was written; false when it
 * does not hold exactly the rows that follow those of the graphs before it.
 */
export function takeOver(
  arena: Arena,
  segments: Segments,
  read: { readonly graph: Graph; readonly labels: readonly number[]; readonly removed: ReadonlySet<number> },
): boolean {
  const { graph, labels, removed } = read;
  for (const ref of removed) if (ref > segments.lastRef && ref <= graph.lastRef) graph.remove(ref);
  let expected = 0;
  for (let slot = arena.slotAfter(segments.lastRef); slot < arena.slotAfter(graph.lastRef); slot += 1) {
    expected += arena.alive[slot]!;
  }
  if (expected !== graph.live || !sampleIsEqual(arena, graph, labels)) return false;
  segments.push(graph);
  return true;
}

function sampleIsEqual(arena: Arena, graph: Graph, labels: readonly number[]): boolean {
  for (let i = 0; i < labels.length; i += Math.max(1, Math.floor(labels.length / SAMPLE))) {
    const slot = arena.slotOf(labels[i]!);
    if (slot < 0) continue;
    const stored = graph.vectorOf(labels[i]!);
    if (arena.vectorAt(slot).some((component, at) => component !== stored[at])) return false;
  }
  return true;
}
