import { wrongMember } from '../../core/errors.js';
import { conceptId, contentHash, qualifiedId, ruleId } from '../../core/ids.js';
import type {
  ConceptAssertion,
  EdgeAssertion,
  GraphNode,
  GraphRule,
  Manifest,
  RuleAssertion,
  SourceRef,
} from '../../core/model.js';
import type { EdgeInput, GraphBackend, NodeInput, RuleInput } from './port.js';

type Single = Partial<Pick<Manifest, 'concepts' | 'edges' | 'rules'>>;
type Writer = Pick<GraphBackend, 'ingestManifest' | 'getNode' | 'getRules'>;

/** Returns what one `addNode`, `addEdge` or `addRule` asserts, under a `client` source of its own. */
function singleManifest(domain: string, single: Single): Manifest {
  const content_hash = contentHash(JSON.stringify(single));
  const source: SourceRef = { domain, kind: 'client', key: content_hash, label: 'client' };
  return { domain, source, content_hash, concepts: [], edges: [], rules: [], passages: [], warnings: [], ...single };
}

/** Members of a concept, and those that `getNode` returns beside them. */
const NODE_MEMBERS: readonly string[] = ['id', 'domain', 'name', 'description', 'confidence', 'properties', 'kind'];

export async function addNode(graph: Writer, node: NodeInput): Promise<GraphNode> {
  const { kind, ...given } = membersOf(node, { members: NODE_MEMBERS, what: 'node' });
  if (kind !== undefined && kind !== 'concept') wrongMember('kind', 'must be concept; documents make the other nodes');
  const { domain, ...concept } = given as unknown as ConceptAssertion & { readonly domain: string };
  await graph.ingestManifest(singleManifest(domain, { concepts: [concept] }));
  const id = concept.id === undefined ? conceptId(domain, concept.name) : qualifiedId(domain, concept.id);
  return (await graph.getNode(id))!;
}

export async function addEdge(graph: Writer, edge: EdgeInput): Promise<void> {
  const { domain, ...assertion } = edgeAssertion(edge);
  await graph.ingestManifest(singleManifest(domain, { edges: [assertion] }));
}

/** Names of an edge's members as the specification's EdgeItem has them, with ours. */
const OURS = { source_id: 'source', target_id: 'target', relation_type: 'relation' } as const;
const EDGE_MEMBERS: readonly string[] = ['id', 'domain', 'confidence', 'properties', ...Object.entries(OURS).flat()];

/** Returns an edge under our names; the ids of its endpoints name the domain where `domain` is left out. */
function edgeAssertion(edge: EdgeInput): EdgeAssertion & { readonly domain: string } {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(membersOf(edge, { members: EDGE_MEMBERS, what: 'edge' }))) {
    const ours = Object.hasOwn(OURS, name) ? OURS[name as keyof typeof OURS] : name;
    if (ours in members) wrongMember(name, 'is given under both of its names; leave one of them out');
    members[ours] = value;
  }
  const { id: _, ...assertion } = members;
  const { source_id, target_id } = edge as { readonly source_id?: unknown; readonly target_id?: unknown };
  assertion.domain ??= domainOf(source_id ?? target_id);
  if (assertion.domain === undefined) wrongMember('domain', 'is missing; give it, or source_id as <domain>:<id>');
  for (const [name, endpoint] of Object.entries({ source_id, target_id })) {
    const domain = domainOf(endpoint);
    if (domain !== undefined && domain !== assertion.domain)
      wrongMember(name, `is of another domain than the edge, which is of ${String(assertion.domain)}`);
  }
  return assertion as unknown as EdgeAssertion & { readonly domain: string };
}

/** Returns the domain that a node id names; names of domains have no colon. */
function domainOf(id: unknown): string | undefined {
  return typeof id === 'string' && id.includes(':') ? id.slice(0, id.indexOf(':')) : undefined;
}

/** Members of a rule as a source asserts it; those that `getRules` and queries return are the others. */
const ASSERTED = ['text', 'name', 'category', 'confidence', 'concepts', 'metadata'] as const;
const RULE_MEMBERS: readonly string[] = [
  ...ASSERTED,
  ...['id', 'domain', 'source_concepts', 'derivation', 'passages', 'relevance'],
];
const EXPLICIT = 'rule:';

export async function addRule(graph: Writer, rule: RuleInput): Promise<GraphRule> {
  const given = membersOf(rule, { members: RULE_MEMBERS, what: 'rule' });
  const domain = given.domain as string;
  const assertion = ruleAssertion(given, domain);
  await graph.ingestManifest(singleManifest(domain, { rules: [assertion] }));
  const [found] = await graph.getRules({ domains: [domain], ids: [ruleId(domain, assertion)], include_derived: false });
  return found!;
}

/** Returns a rule under our names: an id `rule:<name>` is its name, unless it is the one that the text alone makes. */
function ruleAssertion(given: Members, domain: string): RuleAssertion {
  const { id, source_concepts, derivation = 'explicit' } = given;
  if (derivation !== 'explicit') wrongMember('derivation', 'must be explicit; edges derive the other rules');
  for (const [alias, ours] of [
    ['id', 'name'],
    ['source_concepts', 'concepts'],
  ] as const) {
    if (given[alias] !== undefined && given[ours] !== undefined)
      wrongMember(ours, `is given as ${alias} too; leave one of them out`);
  }
  const asserted: Members = Object.fromEntries(ASSERTED.map((name) => [name, given[name]]));
  if (source_concepts !== undefined) asserted.concepts = source_concepts;
  if (id !== undefined) asserted.name = nameOf(id, ruleId(domain, { text: given.text as string }));
  return present(asserted) as unknown as RuleAssertion;
}

/** Returns the name that the id of an explicit rule holds; undefined where it is `unnamed`, the id of a rule without one. */
function nameOf(id: unknown, unnamed: string): string | undefined {
  if (id === unnamed) return undefined;
  if (typeof id !== 'string' || !id.startsWith(EXPLICIT) || id === EXPLICIT)
    wrongMember('id', 'must be rule:<name>, the id of an explicit rule');
  return id.slice(EXPLICIT.length);
}

type Members = Record<string, unknown>;

/** Returns the members that are given; throws `invalid_input` for what is no record, and for a member that such a record does not have. */
function membersOf(record: object, { members, what }: { readonly members: readonly string[]; readonly what: string }) {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    wrongMember(what, `must be an object with some of the members ${members.join(', ')}`);
  const given = present(record);
  const unknown = Object.keys(given).find((name) => !members.includes(name));
  if (unknown !== undefined) wrongMember(unknown, `is not a member of ${what}s; they have ${members.join(', ')}`);
  return given;
}

/** Returns a record without the members that are null or undefined, which count as absent. */
function present(record: object): Members {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));
}
