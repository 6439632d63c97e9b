import type { GraphBackend } from '../../../../src/backends/graph/port.js';
import { contradictions } from '../../../../src/core/contradictions/edges.js';
import { polarStatement } from '../../../../src/core/contradictions/rules.js';
import { edgeId, type GraphEdge, type GraphRule } from '../../../../src/core/model.js';

type Readable = Pick<GraphBackend, 'getRules' | 'getEdges'>;

/** Marks contradictions by comparing each rule with everything its domain holds. */
export async function contradictingIn(graph: Readable, rules: readonly GraphRule[]): Promise<GraphRule[]> {
  const marked: GraphRule[] = [];
  for (const rule of rules) {
    const all = await graph.getRules({ domains: [rule.domain] });
    const found = rule.derivation === 'explicit' ? saying(rule, all) : await opposed(graph, rule, all);
    const contradicts = [...new Set(found)].sort().slice(0, 20);
    marked.push(contradicts.length === 0 ? rule : { ...rule, metadata: { ...rule.metadata, contradicts } });
  }
  return marked;
}

function saying(rule: GraphRule, all: readonly GraphRule[]): string[] {
  const own = polarStatement(rule.text);
  if (own === null) return [];
  return all
    .filter(({ derivation, text }) => {
      const other = polarStatement(text);
      return derivation === 'explicit' && other?.key === own.key && other.negative !== own.negative;
    })
    .map(({ id }) => id);
}

async function opposed(graph: Readable, rule: GraphRule, all: readonly GraphRule[]): Promise<string[]> {
  const ids = new Map(all.map((one) => [edgeOf(one), one.id]));
  const edges = (await graph.getEdges({ domain: rule.domain })).filter((edge) => edge.source_id !== edge.target_id);
  const found = contradictions(edges.map(statementOf));
  const at = edges.findIndex((edge) => edge.id === edgeOf(rule));
  return (found.get(at) ?? []).map((other) => ids.get(edges[other]!.id) ?? edges[other]!.id);
}

function edgeOf({ source_concepts: [source, target], metadata }: GraphRule): string {
  return edgeId(source ?? '', String(metadata.relation_type).toUpperCase(), target ?? '');
}

function statementOf({ source_id, relation_type, target_id }: GraphEdge) {
  return { source: source_id, relation: relation_type, target: target_id, targetName: target_id };
}
