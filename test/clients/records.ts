/**
 * Records as public clients of this protocol build them: from exactly the members that the specification lists. A member
 * that is missing, or that no record knows, is a TypeError, as it is for a dataclass.
 */
type Kind = 'text' | 'number' | 'integer' | 'flag' | 'object' | 'texts' | Shape | readonly [Shape];
export interface Shape {
  readonly name: string;
  readonly members: Readonly<Record<string, Kind>>;
  /** Members that may be left out. */
  readonly optional?: readonly string[];
}

/** Builds a record; throws a TypeError where it is not of exactly this shape. */
export function record<T = Record<string, unknown>>(shape: Shape, value: unknown, at = shape.name): Readonly<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${at} is no object.`);
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape.members, name));
  if (unknown.length > 0) throw new TypeError(`${at} got the unexpected member ${unknown.join(', ')}.`);
  const built: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(shape.members)) {
    if (!Object.hasOwn(given, name)) {
      if (shape.optional?.includes(name) === true) continue;
      throw new TypeError(`${at} lacks the member ${name}.`);
    }
    built[name] = member(kind, given[name], `${at}.${name}`);
  }
  return Object.freeze(built) as Readonly<T>;
}

/** Builds a record of each element. */
export function records<T = Record<string, unknown>>(
  shape: Shape,
  values: unknown,
  at = shape.name,
): Array<Readonly<T>> {
  if (!Array.isArray(values)) throw new TypeError(`${at} is no list.`);
  return values.map((value, i) => record<T>(shape, value, `${at}.${i}`));
}

function member(kind: Kind, value: unknown, at: string): unknown {
  if (Array.isArray(kind)) return records((kind as readonly [Shape])[0], value, at);
  if (typeof kind === 'object') return record(kind as Shape, value, at);
  if (!fits(kind as string, value)) throw new TypeError(`${at} is ${JSON.stringify(value)}, no ${String(kind)}.`);
  return value;
}

function fits(kind: string, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'number') return typeof value === 'number';
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'texts') return Array.isArray(value) && value.every((one) => typeof one === 'string');
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const DomainInfo: Shape = {
  name: 'DomainInfo',
  members: {
    name: 'text',
    description: 'text',
    concept_count: 'integer',
    edge_count: 'integer',
    rule_count: 'integer',
  },
};
export const NodeItem: Shape = {
  name: 'NodeItem',
  members: {
    id: 'text',
    name: 'text',
    description: 'text',
    domain: 'text',
    confidence: 'number',
    properties: 'object',
  },
};
export const EdgeItem: Shape = {
  name: 'EdgeItem',
  members: { source_id: 'text', target_id: 'text', relation_type: 'text', confidence: 'number', properties: 'object' },
};
/** An item of a query; variant A and the others alike. */
export const QueryItem: Shape = {
  name: 'QueryItem',
  members: { id: 'text', content: 'text', score: 'number', domain: 'text', node_id: 'text', metadata: 'object' },
};
/** A rule as the rules tool returns it. */
export const DerivedRuleItem: Shape = {
  name: 'RuleItem',
  members: {
    id: 'text',
    text: 'text',
    domain: 'text',
    category: 'text',
    confidence: 'number',
    relevance: 'number',
    derivation: 'text',
    source_concepts: 'texts',
    metadata: 'object',
  },
};
/** An arm as its posterior stands in an answer; our interval and totals are beyond the least. */
export const ArmState: Shape = {
  name: 'ArmState',
  members: {
    alpha: 'number',
    beta: 'number',
    pulls: 'integer',
    mean: 'number',
    total_reward: 'number',
    last_updated: 'text',
    credible_interval: { name: 'Interval', members: { lower: 'number', upper: 'number' } },
  },
};
const Factors: Shape = {
  name: 'Factors',
  members: { count: 'integer', mean: 'number', min: 'number', max: 'number' },
};
const Buffer: Shape = { name: 'Buffer', members: { buffered_edges: 'integer', total_promoted: 'integer' } };
export const Interoception: Shape = {
  name: 'Interoception',
  members: { factors: Factors, buffer: Buffer, backend: 'text' },
};
