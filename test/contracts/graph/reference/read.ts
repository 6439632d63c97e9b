import type {
  EdgeFilter,
  KeyInfo,
  Neighbourhood,
  NodeFilter,
  RuleFilter,
} from '../../../../src/backends/graph/port.js';
import { bySample } from '../../../../src/backends/graph/sample.js';
import { defaultTemplates, deriveRule, type EdgeTemplate } from '../../../../src/core/derive-rules.js';
import { normaliseName } from '../../../../src/core/ids.js';
import { type GraphEdge, type GraphNode, type GraphRule, touchedBy } from '../../../../src/core/model.js';
import { normalise } from '../../../../src/core/text/fold.js';
import { compare } from '../../../../src/ledger/manifest/asserted.js';
import { aboutOf, type DomainView, passagesOfKey } from './view.js';

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => compare(a.id, b.id);

/** Returns the nodes that a filter lets through, ordered by id. */
export function matchingNodes(views: readonly DomainView[], options: NodeFilter): GraphNode[] {
  const pattern = options.pattern === undefined ? null : namePattern(options.pattern);
  return views
    .flatMap((view) => [...view.nodes.values()])
    .filter((node) => options.kind === undefined || node.kind === options.kind)
    .filter((node) => options.norm === undefined || normaliseName(node.name) === options.norm)
    .filter((node) => pattern === null || pattern.test(normaliseName(node.name)))
    .filter((node) => options.after === undefined || compare(node.id, options.after) > 0)
    .sort(byId)
    .slice(0, options.limit);
}

/** Compiles a case-insensitive glob (`*`, `?`) on normalised names; without a wildcard, a substring. */
function namePattern(pattern: string): RegExp {
  const source = [...normalise(pattern, 'NFKC').toLowerCase()]
    .map((char) => (char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.|+()[\]{}]/g, '\\$&')))
    .join('');
  return new RegExp(/[*?]/.test(pattern) ? `^${source}$` : source, 'su');
}

/** Returns the edges that a filter lets through, ordered by id. */
export function matchingEdges(views: readonly DomainView[], filter: EdgeFilter): GraphEdge[] {
  const among = filter.among === undefined ? null : new Set(filter.among);
  return views
    .flatMap((view) => [...view.edges.values()])
    .filter((edge) => filter.source_id === undefined || edge.source_id === filter.source_id)
    .filter((edge) => filter.target_id === undefined || edge.target_id === filter.target_id)
    .filter((edge) => among === null || (among.has(edge.source_id) && among.has(edge.target_id)))
    .sort(byId)
    .slice(0, filter.limit);
}

/** Returns the rules of one domain that a filter lets through, in no order. */
export function rulesOf(view: DomainView, filter: RuleFilter, templates: readonly EdgeTemplate[]): GraphRule[] {
  const rules = [...view.rules.values()];
  if (filter.include_derived !== false) {
    const defaults = defaultTemplates(templates);
    for (const edge of view.edges.values()) {
      const template = defaults.get(edge.relation_type);
      const source = view.nodes.get(edge.source_id)!;
      const target = view.nodes.get(edge.target_id)!;
      if (template === undefined) continue;
      const names = { domain: source.domain, source: source.name, target: target.name };
      const rule = deriveRule(edge, names, template);
      if (rule !== null) rules.push(rule);
    }
  }
  const ids = filter.ids === undefined ? null : new Set(filter.ids);
  const touched = filter.concept_ids === undefined ? null : new Set(filter.concept_ids);
  const categories =
    filter.categories === undefined || filter.categories.length === 0 ? null : new Set(filter.categories);
  return rules.filter(
    (rule) =>
      (ids === null || ids.has(rule.id)) &&
      (touched === null || touchedBy(rule).some((id) => touched.has(id))) &&
      (categories === null || categories.has(rule.category)) &&
      rule.confidence >= (filter.min_confidence ?? 0),
  );
}

export function neighbourhoodOf(
  view: DomainView,
  id: string,
  { depth, limit }: { depth: number; limit: number },
): Neighbourhood {
  const start = view.nodes.get(id)!;
  const distance = new Map([[id, 0]]);
  const nodes: GraphNode[] = [start];
  let front = [id];
  let truncated = false;
  for (let hop = 1; hop <= depth && front.length > 0; hop += 1) {
    const next = new Set<string>();
    for (const edge of view.edges.values()) {
      for (const [here, there] of [
        [edge.source_id, edge.target_id],
        [edge.target_id, edge.source_id],
      ] as const) {
        if (front.includes(here) && !distance.has(there)) next.add(there);
      }
    }
    truncated ||= next.size > limit - nodes.length;
    front = [...next]
      .sort(bySample)
      .slice(0, limit - nodes.length)
      .sort(compare);
    for (const other of front) {
      distance.set(other, hop);
      nodes.push(view.nodes.get(other)!);
    }
  }
  const inside = (edge: GraphEdge): boolean => {
    const from = distance.get(edge.source_id);
    const to = distance.get(edge.target_id);
    return from !== undefined && to !== undefined && Math.min(from, to) < depth;
  };
  const edges = [...view.edges.values()].filter(inside).sort((a, b) => compare(a.id, b.id));
  return { nodes, edges, ...(truncated ? { truncated } : {}) };
}

export function keyInfo(view: DomainView, domain: string, key: string): KeyInfo | null {
  const state = view.keys.get(key);
  if (state === undefined) return null;
  return {
    domain,
    key,
    titles: state.titles.size,
    aliases: state.aliases.size,
    documentFrequency: passagesOfKey(view, state).size,
    about: [...aboutOf(state)].sort(compare).slice(0, 50),
  };
}
