import { int } from '../../../neo4j-connection.js';
import type { EnginePprOptions, NumberedSeed } from '../../engine.js';
import { bestScored, exactPagerank, PushScratch, pushPagerank, type Scored, type SeedWeights } from '../../ppr.js';
import { ints } from '../follow/rows.js';
import type { Reader } from '../query/reader.js';
import { Part } from './part.js';

type Scores = Array<readonly [ref: number, score: number]>;

/** Longest list of a node or key that is read for a quick answer. */
const CAP = 200;
/** Nodes that the second round trip opens, at least and for each seed: those at which most of the mass has arrived. */
const SECOND = 120;
const SECOND_PER_SEED = 4;
/** Share of the mass below which a node is not opened. */
const LEAST = 1e-4;
/**
 * Residual to which a part is pushed. A part is small, so a finer one than the whole graph's costs little, and what is
 * left lies far below the digits that an answer shows: these do not depend on the order in which nodes were read.
 */
const FINE = 1e-9;
/** Nodes of the domains up to which a quick answer opens all of them. */
const SMALL = 400;
/** Longer than any list. */
const WHOLE = 2_000_000_000;
/** Nodes that one round trip opens for an exact answer. */
const PAGE = 1000;

/** All nodes of domains that hold few; none of others. */
const ALL_OF_FEW = `CALL () {
    WITH $p.domains AS domains WHERE domains IS NULL
    MATCH (n:Node) RETURN n.ref AS ref LIMIT $p.most
    UNION
    WITH $p.domains AS domains WHERE domains IS NOT NULL
    MATCH (d:Domain) WHERE d.ref IN domains
    MATCH (n:Node) WHERE n.id STARTS WITH d.name + ':' AND n.domain_ref = d.ref RETURN n.ref AS ref LIMIT $p.most
  }
  WITH collect(ref) AS refs WHERE size(refs) < $p.most RETURN refs AS row`;

/** Pushes around the seeds: two round trips open them, then the nodes that matter most (all of a small domain). */
export async function localPagerank(
  reader: Reader,
  seeds: readonly NumberedSeed[],
  options: EnginePprOptions,
): Promise<Scores> {
  const part = new Part(reader, CAP, options.factors);
  const { domains, damping } = options;
  const [start, few] = await Promise.all([
    openSeeds(part, seeds),
    reader.ask<readonly number[]>(ALL_OF_FEW, {
      domains: domains === null ? null : ints(domains),
      most: int(SMALL + 1),
    }),
  ]);
  if (start === null) return [];
  const epsilon = Math.min(options.epsilon, FINE);
  const push = (): Promise<Scored> => {
    return pushPagerank(part, start, { damping, epsilon, scratch: new PushScratch(part.size) });
  };
  const all = few[0] ?? [];
  const rest =
    all.length > 0
      ? all.filter((ref) => !part.isOpen(part.number(ref)))
      : heaviestClosed(part, await push(), { damping, most: SECOND + SECOND_PER_SEED * seeds.length });
  if (rest.length > 0) await part.open(rest);
  return scoresOf(part, await push(), options.limit);
}

/** Opens the whole part that the seeds reach, page by page, and runs power iteration on it. For servers without GDS. */
export async function exactLocal(
  reader: Reader,
  seeds: readonly NumberedSeed[],
  options: EnginePprOptions,
): Promise<Scores> {
  const part = new Part(reader, WHOLE, options.factors);
  const start = await openSeeds(part, seeds);
  if (start === null) return [];
  for (let closed = part.closed(); closed.length > 0; closed = part.closed()) {
    for (let at = 0; at < closed.length; at += PAGE) await part.open(closed.slice(at, at + PAGE));
  }
  return scoresOf(part, await exactPagerank(part, start, options), options.limit);
}

/** Returns the nodes that were not opened and at which most of the mass has arrived. */
function heaviestClosed(
  part: Part,
  { nodes, scores }: Scored,
  { damping, most }: { readonly damping: number; readonly most: number },
): number[] {
  const closed = [...nodes.keys()].filter((at) => !part.isOpen(nodes[at]!) && scores[at]! > LEAST * (1 - damping));
  closed.sort((a, b) => scores[b]! - scores[a]! || part.order(nodes[a]!) - part.order(nodes[b]!));
  return closed.slice(0, most).map((at) => part.refs[nodes[at]!]!);
}

async function openSeeds(part: Part, seeds: readonly NumberedSeed[]): Promise<SeedWeights | null> {
  const weights = new Map(seeds.map(({ ref, weight }) => [ref, weight]));
  const known = await part.open([...weights.keys()]);
  if (known.length === 0) return null;
  const total = known.reduce((sum, ref) => sum + weights.get(ref)!, 0);
  return { nodes: known.map((ref) => part.number(ref)), weights: known.map((ref) => weights.get(ref)! / total) };
}

function scoresOf(part: Part, scored: Scored, limit: number): Scores {
  const best = bestScored(scored, limit, (node) => part.order(node));
  return best.map(([node, score]) => [part.refs[node]!, score] as const).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}
