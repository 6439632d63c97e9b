import type { GraphBackend } from '../backends/graph/port.js';
import { contradictions } from '../core/contradictions/edges.js';
import type { GraphEdge, GraphNode } from '../core/model.js';
import { type Excerpt, shownDescription } from './present/content.js';
import { type RuleItem, ruleItem } from './present/surface-rules.js';

export interface NodeItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly domain: string;
  readonly confidence: number;
  readonly properties: Record<string, unknown>;
  /** Of a neighbour with a long description: which part of it is shown. */
  readonly excerpt?: Excerpt;
}

export interface EdgeItem {
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: Record<string, unknown>;
}

export interface ExploreResult {
  readonly node: NodeItem;
  readonly edges: EdgeItem[];
  readonly neighbors: NodeItem[];
  readonly rules: RuleItem[];
  /** Set where further neighbours or rules were left out. */
  readonly truncated?: true;
}

const DEEPEST = 3;
/** Links shown around a passage or a mentioned name in each direction, and names that it mentions, at most. */
const LINKED = 50;
/** Rules shown, at most: the first page of `rules` for the node. */
const RULES = 100;

interface Extent {
  /** Hops along typed edges, clamped to 1..3. */
  readonly depth: number;
  /** Nodes within these hops at most; the graph's own default without. */
  readonly limit?: number | undefined;
}

/**
 * Returns what lies around a node: typed edges and their endpoints within `depth` hops, at most `limit` nodes, and, one
 * hop around passages and names found in text, the passages that mention it and what it mentions (`MENTIONS`,
 * `LINKS_TO`), and the first 100 rules that touch it, by id. `truncated` where there are more of these. Null if absent.
 * The node itself has all of its description, however long.
 */
export async function explore(
  graph: GraphBackend,
  id: string,
  { depth, limit }: Extent,
): Promise<ExploreResult | null> {
  const hops = Math.min(DEEPEST, Math.max(1, Math.trunc(depth) || 1));
  const { nodes, edges, truncated } = await graph.neighbourhood(id, hops, limit);
  const node = nodes.find((one) => one.id === id);
  if (node === undefined) return null;
  const derived = await derivedEdges(graph, node);
  const known = new Set(nodes.map((one) => one.id));
  const missing = [...new Set(derived.edges.flatMap((edge) => [edge.source_id, edge.target_id]))].filter(
    (end) => !known.has(end),
  );
  const linked = missing.length === 0 ? [] : await graph.getNodes(missing);
  // One more than is shown tells whether there are more.
  const touching = { domains: [node.domain], concept_ids: [id], include_derived: true, limit: RULES + 1 };
  const rules = await graph.getRules(touching);
  const shown = await graph.markContradictions(rules.slice(0, RULES));
  return {
    node: nodeItem(node),
    edges: [...markedEdges(edges, nodes), ...derived.edges],
    neighbors: [...nodes.filter((one) => one.id !== id), ...linked].map(neighbourItem),
    rules: shown.map((rule) => ruleItem(rule, rule.confidence)),
    ...(truncated === true || derived.truncated || rules.length > RULES ? { truncated: true } : {}),
  };
}

/** Links are derived from text, not asserted: shown as edges of two types that no source can give. */
async function derivedEdges(
  graph: GraphBackend,
  node: GraphNode,
): Promise<{ readonly edges: EdgeItem[]; readonly truncated: boolean }> {
  // One more than is shown tells whether there are more.
  const around = await graph.expand([node.id], { domains: [node.domain], linkLimit: LINKED + 1, incoming: true });
  const { out, in: into, entities } = around;
  const targets = [...new Set(out.map(({ to }) => to))];
  const sources = [...new Set(into.map(({ from }) => from))];
  const shown = new Set([...targets.slice(0, LINKED), ...sources.slice(0, LINKED)]);
  const edges = new Map<string, EdgeItem>();
  const add = (source_id: string, target_id: string, { relation, weight }: { relation: string; weight: number }) => {
    const key = `${source_id}|${relation}|${target_id}`;
    if (edges.has(key)) return;
    edges.set(key, {
      source_id,
      target_id,
      relation_type: relation,
      confidence: weight,
      properties: { derived: true },
    });
  };
  for (const { from, to, weight } of [...out, ...into])
    if (shown.has(from === node.id ? to : from)) add(from, to, { relation: 'LINKS_TO', weight });
  const mentioned = [...new Set(entities.map(({ entity }) => entity))].filter((entity) => entity !== node.id);
  for (const entity of mentioned.slice(0, LINKED)) add(node.id, entity, { relation: 'MENTIONS', weight: 1 });
  const truncated = [targets, sources, mentioned].some((list) => list.length > LINKED);
  return { edges: [...edges.values()], truncated };
}

function nodeItem(node: GraphNode): NodeItem {
  const { id, name, description, domain, confidence, properties, passage } = node;
  const message = passage?.message === undefined ? {} : { message: passage.message };
  const place = passage === undefined ? {} : { source_id: passage.source_id, order: passage.order, ...message };
  return { id, name, description, domain, confidence, properties: { kind: node.kind, ...place, ...properties } };
}

/** Two hundred neighbours may have descriptions of 100,000 characters each: of a long one the beginning is shown. */
function neighbourItem(node: GraphNode): NodeItem {
  return { ...nodeItem(node), ...shownDescription(node.description) };
}

/** Marks the edges that contradict others shown here, of whatever sources, by naming those under `contradicts`. */
function markedEdges(edges: readonly GraphEdge[], nodes: readonly GraphNode[]): EdgeItem[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const statements = edges.map(({ source_id, relation_type, target_id }) => ({
    source: source_id,
    relation: relation_type,
    target: target_id,
    targetName: nameOf(target_id),
  }));
  const found = contradictions(statements);
  return edges.map((edge, i) => {
    const against = found.get(i);
    if (against === undefined) return edgeItem(edge);
    const contradicts = against.map((other) => {
      const { source, relation, targetName } = statements[other]!;
      return `${nameOf(source)} ${relation} ${targetName}`;
    });
    return edgeItem({ ...edge, properties: { ...edge.properties, contradicts } });
  });
}

function edgeItem({ source_id, target_id, relation_type, confidence, properties }: GraphEdge): EdgeItem {
  return { source_id, target_id, relation_type, confidence, properties: { ...properties } };
}
