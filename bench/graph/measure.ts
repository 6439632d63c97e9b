import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { GraphBackend, PprOptions } from '../../src/backends/graph/port.js';
import { asSeeds, manifests, type Network } from './data.js';

export interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** Milliseconds at the middle and near the end. */
export function timesOf(values: readonly number[]): Times {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Best twenty ids of each set of seeds, and how long each took; the first call is not counted. */
export async function rankings(
  graph: GraphBackend,
  sets: readonly (readonly number[])[],
  options: PprOptions,
): Promise<{ readonly times: Times; readonly top: string[][]; readonly method: string }> {
  const took: number[] = [];
  const top: string[][] = [];
  let method = '';
  await graph.personalizedPagerank(asSeeds(sets[0] ?? []), options);
  for (const set of sets) {
    const seeds = asSeeds(set);
    const started = performance.now();
    const result = await graph.personalizedPagerank(seeds, { ...options, limit: 200 });
    took.push(performance.now() - started);
    method = result.method;
    top.push([...result.scores.keys()].slice(0, 20));
  }
  return { times: timesOf(took), top, method };
}

/** Share of the exact answer's best twenty that the other one has, averaged over the sets of seeds. */
export function overlap(found: readonly (readonly string[])[], exact: readonly (readonly string[])[]): number {
  const shares = exact.map((best, i) => {
    const other = new Set(found[i]);
    return best.filter((id) => other.has(id)).length / Math.max(1, best.length);
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

/** Loads the network; returns edges per second. */
export async function load(graph: GraphBackend, net: Network): Promise<number> {
  const started = performance.now();
  for (const manifest of manifests(net)) {
    await graph.ingestManifest(manifest);
    // An engine that follows is brought in line by a question.
    await graph.neighbourhood('none', 1);
  }
  return net.edges.length / ((performance.now() - started) / 1000);
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MiB that objects and typed arrays take, after collecting what is unused. */
export function heapBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}
