import type { GraphBackend } from '../port.js';

/** A graph at a moment: two equal stamps say that nothing was written between them. */
export interface Stamp {
  readonly version: number;
  /** Of the graph, where another may take its place under the same address; null where it lies in the store. */
  readonly identity: string | null;
}

export async function stampOf(graph: GraphBackend): Promise<Stamp> {
  const identity = (await graph.identity?.()) ?? null;
  return { version: await graph.version(), identity };
}

/** Whether `later` is `earlier` with that many writes more. False for a stamp that was never kept. */
export function isAfter(earlier: Stamp | undefined, later: Stamp, writes: number): boolean {
  return earlier?.identity === later.identity && earlier.version + writes === later.version;
}
