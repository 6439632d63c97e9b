import type { GraphBackend } from '../backends/graph/port.js';
import { forEachInSlices } from '../core/async/slices.js';
import { normaliseName } from '../core/ids.js';
import type { GraphNode } from '../core/model.js';
import { editDistance, mostChanges } from '../core/text/edit-distance.js';

export type NamedNode = Pick<GraphNode, 'id' | 'name' | 'domain' | 'kind'>;

export interface NamedNodes {
  /** Nodes of this name, by id. */
  readonly nodes: NamedNode[];
  /** Set where there are more of them. */
  readonly truncated?: true;
  /** Where no node has the name: those whose names are the nearest. */
  readonly nearest: NamedNode[];
}

/** Nodes of one name that are listed at most. */
const MOST = 50;
/** Nodes whose names hold a name, of which the shortest are the nearest, at most. */
const MOST_HOLDING = 2000;
/** A longer text is no part of a name, and databases refuse long patterns. */
const LONGEST_HELD = 500;
/** Nearest names at most. */
const MOST_NEAREST = 5;
/** Nodes whose names are compared with a misspelt one, at most, and how many are read at once. */
const MOST_COMPARED = 20_000;
const AT_ONCE = 1000;
/** A longer name is pasted rather than typed. */
const LONGEST = 100;

/**
 * Returns the nodes of a name in some domains, whatever its capitals and white space; without one the nodes whose names hold it,
 * the shortest first, and without these the nodes whose names are a few letters from it.
 */
export async function nodesNamed(
  graph: Pick<GraphBackend, 'findNodes'>,
  { name, domains }: { readonly name: string; readonly domains: readonly string[] },
): Promise<NamedNodes> {
  const wanted = normaliseName(name);
  const equal = await nodesWith(graph, { norm: wanted }, { domains, most: MOST + 1 });
  if (equal.length > MOST) return { nodes: equal.slice(0, MOST), nearest: [], truncated: true };
  if (equal.length > 0 || wanted === '') return { nodes: equal, nearest: [] };
  const holding =
    wanted.length > LONGEST_HELD
      ? []
      : await nodesWith(graph, { pattern: literal(wanted) }, { domains, most: MOST_HOLDING });
  const nearest = holding.length > 0 ? shortest(holding) : await nearestOf(graph, wanted, domains);
  return { nodes: [], nearest: nearest.slice(0, MOST_NEAREST) };
}

/** Returns the nodes of some domains that a filter lets through. */
async function nodesWith(
  graph: Pick<GraphBackend, 'findNodes'>,
  filter: { readonly norm: string } | { readonly pattern: string },
  { domains, most }: { readonly domains: readonly string[]; readonly most: number },
): Promise<NamedNode[]> {
  const found: NamedNode[] = [];
  for (const domain of domains) {
    if (found.length >= most) break;
    const nodes = await graph.findNodes({ ...filter, domain, limit: most - found.length });
    found.push(...nodes.map(named));
  }
  return found;
}

/** Returns a pattern of names that hold a text; `?` stands for any character, also for those that have a meaning in patterns. */
function literal(text: string): string {
  return `*${text.replace(/[*?]/gu, '?')}*`;
}

function named({ id, name, domain, kind }: GraphNode): NamedNode {
  return { id, name, domain, kind };
}

function shortest(nodes: readonly NamedNode[]): NamedNode[] {
  return nodes.toSorted((a, b) => a.name.length - b.name.length);
}

/** Returns nodes whose names are a few letters from a misspelt one, the nearest first, each name once. */
async function nearestOf(
  graph: Pick<GraphBackend, 'findNodes'>,
  wanted: string,
  domains: readonly string[],
): Promise<NamedNode[]> {
  if (wanted.length > LONGEST) return [];
  const most = mostChanges(wanted.length);
  const near = new Map<string, { readonly node: NamedNode; readonly distance: number }>();
  let compared = 0;
  for (const domain of domains) {
    let after: string | undefined;
    while (compared < MOST_COMPARED) {
      const page = await graph.findNodes({ domain, limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
      await forEachInSlices(page, (node) => {
        const norm = normaliseName(node.name);
        if (near.has(norm) || Math.abs(norm.length - wanted.length) > most) return;
        const distance = editDistance(wanted, norm);
        if (distance <= most) near.set(norm, { node: named(node), distance });
      });
      compared += page.length;
      if (page.length < AT_ONCE) break;
      after = page.at(-1)!.id;
    }
  }
  return [...near.values()].sort((a, b) => a.distance - b.distance).map(({ node }) => node);
}
