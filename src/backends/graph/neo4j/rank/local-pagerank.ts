import { compare } from '../../../../ledger/manifest/asserted.js';
import { int } from '../../../neo4j-connection.js';
import type { PprOptions, PprSeed } from '../../port.js';
import { bestScored, exactPagerank, PushScratch, pushPagerank, type Scored, type Seeds } from '../../ppr.js';
import { bySample } from '../../sample.js';
import {
  DEFAULT_DAMPING,
  DEFAULT_EPSILON,
  DEFAULT_ITERATIONS,
  DEFAULT_LIMIT,
  DEFAULT_TOLERANCE,
} from '../../weights.js';
import type { Reader } from '../read/reader.js';
import { Part } from '../write/part.js';

/** Longest list of a node or key that is read for a quick answer. */
const CAP = 200;
/** Nodes that the second round trip opens: those at which most of the mass has arrived. */
const SECOND = 120;
/** Share of the mass below which a node is not opened. */
const LEAST = 1e-4;
/** Nodes of the domains up to which a quick answer opens all of them. */
const SMALL = 400;
/** Longer than any list. */
const WHOLE = 2_000_000_000;
/** Nodes that one round trip opens for an exact answer. */
const PAGE = 1000;

/** All nodes of domains that hold few. */
const ALL_OF_FEW = `MATCH (d:Domain) WHERE $p.domains IS NULL OR d.name IN $p.domains
  WITH sum(d.concepts + d.passages) AS nodes, collect(d.name) AS names WHERE nodes <= $p.most
  UNWIND names AS name MATCH (n:Node {domain: name}) RETURN {id: n.id} AS row`;

interface Options {
  readonly seeds: readonly PprSeed[];
  readonly options: PprOptions;
  readonly factors: ReadonlyMap<string, number>;
}

/**
 * Push on the neighbourhood of the seeds: two round trips open the seeds and then the nodes that matter most to them
 * (in a small domain all of its nodes); what arrives at others stays there.
 */
export async function localPagerank(reader: Reader, asked: Options): Promise<Map<string, number>> {
  const finish = await startLocal(reader, asked);
  return finish();
}

/** The first round trip; what it answers makes the second one. */
export async function startLocal(
  reader: Reader,
  { seeds, options, factors }: Options,
): Promise<() => Promise<Map<string, number>>> {
  const part = new Part(reader, CAP, factors);
  const domains = options.domains === undefined || options.domains.length === 0 ? null : options.domains;
  const [start, few] = await Promise.all([
    openSeeds(part, seeds),
    reader.ask<{ readonly id: string }>(ALL_OF_FEW, { domains, most: int(SMALL) }),
  ]);
  return async () => {
    if (start === null) return new Map();
    return finishLocal(part, { start, few: few.map(({ id }) => id), options });
  };
}

async function finishLocal(
  part: Part,
  { start, few, options }: { readonly start: Seeds; readonly few: readonly string[]; readonly options: PprOptions },
): Promise<Map<string, number>> {
  const damping = options.damping ?? DEFAULT_DAMPING;
  const epsilon = options.epsilon ?? DEFAULT_EPSILON;
  const push = (): Scored => {
    return pushPagerank(part, start, { damping, epsilon, scratch: new PushScratch(part.size) });
  };
  const rest = few.filter((id) => !part.isOpen(part.number(id)));
  if (few.length > 0) {
    if (rest.length > 0) await part.open(rest);
    return scoresOf(part, push(), options);
  }
  const { nodes, scores } = push();
  // What a closed node shows is the share that stays; the whole is more.
  const closed = [...nodes.keys()].filter((at) => !part.isOpen(nodes[at]!) && scores[at]! > LEAST * (1 - damping));
  closed.sort((a, b) => scores[b]! - scores[a]! || bySample(part.ids[nodes[a]!]!, part.ids[nodes[b]!]!));
  const next = closed.slice(0, SECOND).map((at) => part.ids[nodes[at]!]!);
  if (next.length > 0) await part.open(next);
  return scoresOf(part, push(), options);
}

/** The whole part that the seeds reach, opened page by page, and power iteration on it. For servers without GDS. */
export async function exactLocal(reader: Reader, { seeds, options, factors }: Options): Promise<Map<string, number>> {
  const part = new Part(reader, WHOLE, factors);
  const start = await openSeeds(part, seeds);
  if (start === null) return new Map();
  for (let closed = part.closed(); closed.length > 0; closed = part.closed()) {
    for (let at = 0; at < closed.length; at += PAGE) await part.open(closed.slice(at, at + PAGE));
  }
  const found = await exactPagerank(part, start, {
    damping: options.damping ?? DEFAULT_DAMPING,
    tolerance: options.tolerance ?? DEFAULT_TOLERANCE,
    maxIterations: options.maxIterations ?? DEFAULT_ITERATIONS,
  });
  return scoresOf(part, found, options);
}

async function openSeeds(part: Part, seeds: readonly PprSeed[]): Promise<Seeds | null> {
  const weights = new Map<string, number>();
  for (const { id, weight } of seeds) weights.set(id, (weights.get(id) ?? 0) + weight);
  const known = await part.open([...weights.keys()]);
  if (known.length === 0) return null;
  const total = known.reduce((sum, id) => sum + weights.get(id)!, 0);
  return {
    nodes: known.map((id) => part.number(id)),
    weights: known.map((id) => weights.get(id)! / total),
  };
}

function scoresOf(part: Part, scored: Scored, options: PprOptions): Map<string, number> {
  const order = sampleOrder(part.ids);
  const best = bestScored(scored, options.limit ?? DEFAULT_LIMIT, (node) => order(node));
  const named = best.map(([node, score]) => [part.ids[node]!, score] as const);
  return new Map(named.sort((a, b) => b[1] - a[1] || compare(a[0], b[0])));
}

/** Place of a node in the sample order, worked out when it is first asked for. */
function sampleOrder(ids: readonly string[]): (node: number) => number {
  let places: Map<number, number> | null = null;
  return (node) => {
    places ??= new Map([...ids.keys()].sort((a, b) => bySample(ids[a]!, ids[b]!)).map((at, place) => [at, place]));
    return places.get(node)!;
  };
}
