import type { EdgeFilter, NodeFilter, RuleFilter } from './backends/graph/port.js';
import { SvcError } from './core/errors.js';
import type { GraphEdge, GraphNode, GraphRule } from './core/model.js';

type None = null | undefined;

/** The methods that take the specification's parameters by position, or one filter with members of these names. */
export interface PositionalMethods {
  findNodes(filter?: NodeFilter | null): Promise<GraphNode[]>;
  findNodes(domain: string | None, pattern?: string | None): Promise<GraphNode[]>;
  getEdges(filter?: EdgeFilter | null): Promise<GraphEdge[]>;
  getEdges(source_id: string | None, target_id?: string | None): Promise<GraphEdge[]>;
  getRules(filter?: (RuleFilter & { readonly domain?: string | None }) | null): Promise<GraphRule[]>;
  getRules(domain: string | None): Promise<GraphRule[]>;
}

/** Names of the parameters, in the specification's order. */
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  find_nodes: ['domain', 'pattern'],
  get_edges: ['source_id', 'target_id'],
  get_rules: ['domain'],
};

/** Returns whether the parameters of this alias are read by `filterOf`. */
export function isPositional(alias: string): boolean {
  return Object.hasOwn(POSITIONS, alias);
}

/**
 * Returns the filter that the parameters of `find_nodes`, `get_edges` or `get_rules` stand for. Throws `invalid_input`
 * for parameters that are neither the specification's nor one filter.
 */
export function filterOf(alias: string, parameters: readonly unknown[]): Record<string, unknown> {
  const names = POSITIONS[alias]!;
  const [first] = parameters;
  const given = isFilter(first) && parameters.length === 1 ? first : byPosition(alias, names, parameters);
  return alias === 'get_rules' ? withDomains(given) : given;
}

function byPosition(alias: string, names: readonly string[], parameters: readonly unknown[]): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  for (const [i, value] of parameters.entries()) {
    if (value === undefined || value === null) continue;
    const name = names[i];
    if (name === undefined || typeof value !== 'string') {
      const member = name ?? `parameter ${i + 1}`;
      const sentence = `${member} of ${alias} is not understood; give ${names.join(', ')} as texts, or one filter.`;
      throw new SvcError('invalid_input', sentence, { member });
    }
    filter[name] = value;
  }
  return filter;
}

/** Returns a filter of rules with its one `domain` as `domains`. */
function withDomains(filter: Record<string, unknown>): Record<string, unknown> {
  const { domain, ...others } = filter;
  if (domain === undefined || domain === null) return others;
  if (typeof domain !== 'string')
    throw new SvcError('invalid_input', 'domain must be the name of a domain.', { member: 'domain' });
  if (others.domains !== undefined && others.domains !== null)
    throw new SvcError('invalid_input', 'domain and domains exclude each other; give one of them.', {
      member: 'domain',
    });
  return { ...others, domains: [domain] };
}

function isFilter(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
