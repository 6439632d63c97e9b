import type { GraphEdge, GraphNode, Neighbourhood } from '../types.js';

/** Most nodes on the canvas. */
export const MOST_NODES = 2000;

/** The part of the graph that is on the canvas. */
export interface GraphState {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** By `edgeKey`; both endpoints are nodes of the state. */
  readonly edges: ReadonlyMap<string, GraphEdge>;
  /** Neighbours that found no room. */
  readonly leftOut: number;
}

export const NOTHING: GraphState = { nodes: new Map(), edges: new Map(), leftOut: 0 };

export function edgeKey({ source_id: from, relation_type: relation, target_id: to }: GraphEdge): string {
  return JSON.stringify([from, relation, to]);
}

export function kindOf({ properties }: GraphNode): string {
  return typeof properties.kind === 'string' ? properties.kind : 'concept';
}

/** What a node is called; a message, which has no title, by its first words. */
export function nameOf({ nodes }: Pick<GraphState, 'nodes'>, id: string): string {
  const node = nodes.get(id);
  return node?.name || node?.description.slice(0, 60) || id;
}

/** Where a node's text comes from; empty where it does not say. */
export function sourceOf({ properties }: GraphNode): string {
  return typeof properties.source_id === 'string' ? properties.source_id : '';
}

/** The state with a node and its neighbours; nodes beyond the limit are counted and left out, with their edges. */
export function withNeighbourhood(state: GraphState, { node, neighbors = [], edges = [] }: Neighbourhood): GraphState {
  if (node === null) return state;
  const nodes = new Map(state.nodes);
  let leftOut = 0;
  for (const one of [node, ...neighbors]) {
    if (nodes.has(one.id) || nodes.size < MOST_NODES) nodes.set(one.id, one);
    else leftOut += 1;
  }
  const known = new Map(state.edges);
  for (const edge of edges) {
    if (nodes.has(edge.source_id) && nodes.has(edge.target_id)) known.set(edgeKey(edge), edge);
  }
  return { nodes, edges: known, leftOut };
}

/** The state without some nodes, and without the edges at one that is read anew. */
export function without({ nodes, edges, leftOut }: GraphState, removed: ReadonlySet<string>, anew: string): GraphState {
  const stays = (id: string): boolean => !removed.has(id) && id !== anew;
  return {
    nodes: new Map([...nodes].filter(([id]) => !removed.has(id))),
    edges: new Map([...edges].filter(([, edge]) => stays(edge.source_id) && stays(edge.target_id))),
    leftOut,
  };
}

/** What of the state is shown. */
export interface GraphFilter {
  readonly hiddenKinds: ReadonlySet<string>;
  readonly hiddenRelations: ReadonlySet<string>;
  readonly hiddenDomains: ReadonlySet<string>;
  /** Only passages of this source and what they lead to; empty for all. */
  readonly source: string;
  /** Nodes and edges below it are hidden, 0 to 1. */
  readonly confidence: number;
}

export const EVERYTHING: GraphFilter = { hiddenKinds: new Set(), hiddenRelations: new Set(), hiddenDomains: new Set(), source: '', confidence: 0 };

export function shown({ nodes, edges }: Pick<GraphState, 'nodes' | 'edges'>, filter: GraphFilter): { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] } {
  const ofSource = filter.source === '' ? undefined : reachedFrom({ nodes, edges }, filter.source);
  const kept = [...nodes.values()].filter(
    (node) =>
      !filter.hiddenKinds.has(kindOf(node)) &&
      !filter.hiddenDomains.has(node.domain) &&
      (ofSource === undefined || ofSource.has(node.id)) &&
      node.confidence >= filter.confidence,
  );
  const ids = new Set(kept.map(({ id }) => id));
  return {
    nodes: kept,
    edges: [...edges.values()].filter(
      (edge) =>
        ids.has(edge.source_id) &&
        ids.has(edge.target_id) &&
        !filter.hiddenRelations.has(edge.relation_type) &&
        edge.confidence >= filter.confidence,
    ),
  };
}

/** Ids of the passages of a source, and of the concepts and names that an edge joins to one of them. */
function reachedFrom({ nodes, edges }: Pick<GraphState, 'nodes' | 'edges'>, source: string): Set<string> {
  const passages = new Set([...nodes.values()].filter((node) => sourceOf(node) === source).map(({ id }) => id));
  const reached = new Set(passages);
  for (const { source_id: a, target_id: b } of edges.values()) {
    for (const [from, to] of [[a, b], [b, a]] as const) {
      const other = nodes.get(to);
      if (passages.has(from) && other !== undefined && sourceOf(other) === '') reached.add(to);
    }
  }
  return reached;
}

/** Ids of the nodes on the shortest path between two, both included, whatever way the edges point; undefined without one. */
export function shortestPath(edges: Iterable<GraphEdge>, from: string, to: string): string[] | undefined {
  const neighbours = new Map<string, string[]>();
  const join = (a: string, b: string): void => {
    const known = neighbours.get(a);
    if (known === undefined) neighbours.set(a, [b]);
    else known.push(b);
  };
  for (const { source_id: a, target_id: b } of edges) {
    join(a, b);
    join(b, a);
  }
  const before = new Map<string, string>([[from, '']]);
  const queue = [from];
  for (let at = 0; at < queue.length && !before.has(to); at += 1) {
    for (const next of neighbours.get(queue[at]!) ?? []) {
      if (before.has(next)) continue;
      before.set(next, queue[at]!);
      queue.push(next);
    }
  }
  if (!before.has(to)) return undefined;
  const path: string[] = [];
  for (let at = to; at !== ''; at = before.get(at)!) path.unshift(at);
  return path;
}
