import { slicer } from '../../core/async/slices.js';
import { kthLargest, smallest } from '../../core/select.js';
import { grown } from './topology/adjacency.js';

/** Neighbours of one node with the weights of the arcs to them; a node may occur more than once. */
export class Arcs {
  targets: Int32Array;
  weights: Float64Array;
  length = 0;

  constructor(size = 256) {
    this.targets = new Int32Array(size);
    this.weights = new Float64Array(size);
  }

  push(target: number, weight: number): void {
    if (this.length === this.targets.length) {
      this.targets = grown(this.targets, this.length * 2);
      this.weights = grown(this.weights, this.length * 2);
    }
    this.targets[this.length] = target;
    this.weights[this.length] = weight;
    this.length += 1;
  }
}

/** An undirected weighted graph over nodes 0 ≤ u < size: w(u,v) = w(v,u), no self-loops. */
export interface WeightedGraph {
  readonly size: number;
  /** Returns the sum of the weights at a node. */
  degree(node: number): number;
  /** Adds the arcs of a node to `into`, which is empty. */
  arcs(node: number, into: Arcs): void;
}

export interface SeedWeights {
  readonly nodes: readonly number[];
  /** Positive, sum 1. */
  readonly weights: readonly number[];
}

/** Nodes with a score above 0, in no order. */
export interface Scored {
  readonly nodes: Int32Array;
  readonly scores: Float64Array;
}

/** Arrays as long as the graph that calls share, so that a query allocates nothing of its size. */
export class PushScratch {
  readonly estimate: Float64Array;
  readonly residual: Float64Array;
  readonly queued: Uint8Array;

  constructor(readonly size: number) {
    this.estimate = new Float64Array(size);
    this.residual = new Float64Array(size);
    this.queued = new Uint8Array(size);
  }
}

/** Arcs between two looks at the clock. */
const STEP = 2048;
/** Arcs along which mass is pushed, at least, before no further round begins. */
const ARCS = 50_000;

/**
 * Computes a personalized PageRank by forward push (Andersen, Chung, Lang 2006): a node is pushed while its residual is
 * above epsilon × its degree; 1 − damping of it stays, the rest moves along its arcs in proportion to their weights.
 * The mass of a node without arcs goes back to the seeds. What remains as residual counts with the share that would
 * stay. Pushes in rounds: what a node receives in a round it passes on in the next, so the scores do not depend on the
 * order in which nodes and arcs are stored. A node at which very many hang makes all of them push back to it, over and over,
 * for mass that moves none of them ahead of another: once 1 / 2·epsilon arcs (or 50,000) are walked, or would be, no further
 * round begins. In slices; `scratch` belongs to the call until it ends.
 */
export async function pushPagerank(
  graph: WeightedGraph,
  seeds: SeedWeights,
  { damping, epsilon, scratch }: { readonly damping: number; readonly epsilon: number; readonly scratch: PushScratch },
): Promise<Scored> {
  const pause = slicer('urgent');
  const most = Math.max(ARCS, 0.5 / epsilon);
  let walked = 0;
  const { estimate, residual, queued } = scratch;
  const touched: number[] = [];
  let next: number[] = [];
  let round: number[] = [];
  const masses: number[] = [];
  const arcs = new Arcs();
  const receive = (node: number, mass: number): void => {
    if (residual[node] === 0 && estimate[node] === 0) touched.push(node);
    const now = residual[node]! + mass;
    residual[node] = now;
    if (queued[node] === 0 && now > epsilon * graph.degree(node)) {
      queued[node] = 1;
      next.push(node);
    }
  };
  const restart = (mass: number): void => {
    for (let i = 0; i < seeds.nodes.length; i += 1) receive(seeds.nodes[i]!, mass * seeds.weights[i]!);
  };
  restart(1);
  while (next.length > 0 && walked + next.length <= most) {
    [round, next] = [next, round];
    next.length = 0;
    for (let at = 0; at < round.length; at += 1) {
      const node = round[at]!;
      const mass = residual[node]!;
      masses[at] = mass;
      queued[node] = 0;
      residual[node] = 0;
      estimate[node]! += (1 - damping) * mass;
    }
    for (let at = 0; at < round.length; at += 1) {
      const node = round[at]!;
      const mass = masses[at]!;
      const degree = graph.degree(node);
      if (degree === 0) {
        // What a seed without arcs sends back to itself over and over adds up to this at once.
        if (mass > epsilon) restart(damping * mass);
        else residual[node]! += mass * damping;
        continue;
      }
      arcs.length = 0;
      graph.arcs(node, arcs);
      const share = (damping * mass) / degree;
      for (let i = 0; i < arcs.length; i += 1) {
        receive(arcs.targets[i]!, share * arcs.weights[i]!);
        walked += 1;
        if (walked % STEP === 0) await pause();
      }
    }
  }
  for (const node of next) queued[node] = 0;
  const nodes = Int32Array.from(touched);
  const scores = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i += 1) {
    const node = nodes[i]!;
    scores[i] = estimate[node]! + (1 - damping) * residual[node]!;
    estimate[node] = 0;
    residual[node] = 0;
  }
  return { nodes, scores };
}

/**
 * Computes the same by power iteration on the part of the graph that the seeds reach: x = (1 − d)·s + d·(P·x + s·(mass
 * of nodes without arcs)), P column-stochastic, until the L1 change is below the tolerance. In slices.
 */
export async function exactPagerank(
  graph: WeightedGraph,
  seeds: SeedWeights,
  {
    damping,
    tolerance,
    maxIterations,
  }: { readonly damping: number; readonly tolerance: number; readonly maxIterations: number },
): Promise<Scored> {
  const pause = slicer();
  const part = await reachable(graph, seeds.nodes, pause);
  const size = part.nodes.length;
  const restart = new Float64Array(size);
  seeds.nodes.forEach((node, i) => {
    restart[part.index.get(node)!]! += seeds.weights[i]!;
  });
  let scores = restart.slice();
  let next = new Float64Array(size);
  for (let step = 0; step < maxIterations; step += 1) {
    next.fill(0);
    let dangling = 0;
    for (let u = 0; u < size; u += 1) {
      const start = part.starts[u]!;
      const end = part.starts[u + 1]!;
      if (start === end) {
        dangling += scores[u]!;
        continue;
      }
      const share = (damping * scores[u]!) / part.degrees[u]!;
      for (let at = start; at < end; at += 1) next[part.targets[at]!]! += share * part.weights[at]!;
      if ((u & 1023) === 0) await pause();
    }
    let change = 0;
    for (let u = 0; u < size; u += 1) {
      next[u]! += (1 - damping + damping * dangling) * restart[u]!;
      change += Math.abs(next[u]! - scores[u]!);
    }
    [scores, next] = [next, scores];
    if (change < tolerance) break;
  }
  return { nodes: part.nodes, scores };
}

interface ReachedPart {
  /** Node by its number within the part, and back. */
  readonly nodes: Int32Array;
  readonly index: ReadonlyMap<number, number>;
  readonly starts: Int32Array;
  readonly degrees: Float64Array;
  readonly targets: Int32Array;
  readonly weights: Float64Array;
}

/** Returns what the seeds reach, as compressed rows of its own. */
async function reachable(
  graph: WeightedGraph,
  seeds: readonly number[],
  pause: () => Promise<void> | undefined,
): Promise<ReachedPart> {
  const index = new Map<number, number>();
  const nodes: number[] = [];
  const enter = (node: number): number => {
    const known = index.get(node);
    if (known !== undefined) return known;
    index.set(node, nodes.length);
    nodes.push(node);
    return nodes.length - 1;
  };
  for (const node of seeds) enter(node);
  const all = new Arcs();
  const arcs = new Arcs();
  const starts = [0];
  const degrees: number[] = [];
  for (let u = 0; u < nodes.length; u += 1) {
    arcs.length = 0;
    graph.arcs(nodes[u]!, arcs);
    let degree = 0;
    for (let i = 0; i < arcs.length; i += 1) {
      all.push(enter(arcs.targets[i]!), arcs.weights[i]!);
      degree += arcs.weights[i]!;
    }
    starts.push(all.length);
    degrees.push(degree);
    if ((u & 255) === 0) await pause();
  }
  return {
    nodes: Int32Array.from(nodes),
    index,
    starts: Int32Array.from(starts),
    degrees: Float64Array.from(degrees),
    targets: all.targets.subarray(0, all.length),
    weights: all.weights.subarray(0, all.length),
  };
}

/** Returns a score relative to the highest, with 12 decimals: equal ones stay equal however they were added up. */
export function scaled(score: number, highest: number): number {
  return Math.round((score / highest) * 1e12) / 1e12;
}

/** Returns the best `limit` nodes with scaled scores, in no order; of equal ones at the limit the first in `order`. */
export function bestScored(
  { nodes, scores }: Scored,
  limit: number,
  order: (node: number) => number,
): Array<readonly [node: number, score: number]> {
  let highest = 0;
  for (const score of scores) if (score > highest) highest = score;
  // Scaling may make equal what lies this close together; nothing below can come among the best.
  const least = scores.length > limit ? kthLargest(scores.slice(), limit) - 2e-12 * highest : 0;
  const near = new Int32Array(nodes.length);
  const reached = new Float64Array(nodes.length);
  let count = 0;
  for (let i = 0; i < nodes.length; i += 1) {
    const score = scores[i]! < least ? 0 : scaled(scores[i]!, highest);
    if (score <= 0) continue;
    near[count] = nodes[i]!;
    reached[count] = score;
    count += 1;
  }
  const floor = count > limit ? kthLargest(reached.slice(0, count), limit) : 0;
  const best: Array<readonly [number, number]> = [];
  const equal: number[] = [];
  for (let i = 0; i < count; i += 1) {
    if (reached[i]! > floor) best.push([near[i]!, reached[i]!]);
    else if (reached[i] === floor) equal.push(near[i]!);
  }
  for (const node of smallest(equal, limit - best.length, order)) best.push([node, floor]);
  return best;
}
