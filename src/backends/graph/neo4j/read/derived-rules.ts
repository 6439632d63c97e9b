import { deriveRule, type EdgeTemplate } from '../../../../core/derive-rules.js';
import type { GraphRule } from '../../../../core/model.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { int } from '../../../neo4j-connection.js';
import { ALL_IDS, idRange } from '../checkpoint/id-range.js';
import { relationshipType } from '../relations.js';
import { EDGE, type EdgeRow, edgeOf } from './read-edges.js';
import type { Reader, Statement } from './reader.js';

interface NamedEdge extends EdgeRow {
  readonly domain: string;
  readonly source: string;
  readonly target: string;
}

/** Which edges read as rules. */
export interface DerivedFilter {
  /** Templates of relations (upper case), only those asked for. */
  readonly templates: ReadonlyMap<string, EdgeTemplate>;
  readonly confidence: number;
  /** At most so many rules, the first by id; null for all. */
  readonly limit: number | null;
}

/** Nodes whose edges the first round trip reads; each one after it reads twice as many, up to the second figure. */
const FIRST_NODES = 250;
const MOST_NODES = 4000;
/** Longer than any list. */
const WHOLE = 2_000_000_000;

/** Rules of edges in these domains (all for null), by id: read in the order of source nodes, a page at a time, until there are enough. */
export async function derivedIn(
  reader: Reader,
  domains: readonly string[] | null,
  { templates, confidence, limit }: DerivedFilter,
): Promise<GraphRule[]> {
  const statements = statementsOf(templates);
  const params = { ...matching(templates, confidence), limit: int(limit ?? WHOLE) };
  const rules: GraphRule[] = [];
  const ranges = domains === null ? [ALL_IDS] : [...new Set(domains)].map(idRange);
  for (const { after, below } of ranges.sort((a, b) => compare(a.after, b.after))) {
    let nodes = FIRST_NODES;
    for (let last = after; ; nodes = Math.min(2 * nodes, MOST_NODES)) {
      if (limit !== null && isComplete(rules, limit, last)) return rules.slice(0, limit);
      const [page] = await reader.ask<Page>(statements.page, { ...params, after: last, below, nodes: int(nodes) });
      rules.push(...(page?.edges ?? []).flatMap((row) => rulesOf(row, templates)));
      rules.sort((a, b) => compare(a.id, b.id));
      if (page === undefined || page.nodes < nodes) break;
      last = page.last;
    }
  }
  return rules.slice(0, limit ?? undefined);
}

/** Rules of edges at these nodes, at either end. */
export async function derivedAt(
  reader: Reader,
  nodes: readonly string[],
  { templates, confidence, domains }: Omit<DerivedFilter, 'limit'> & { readonly domains: readonly string[] | null },
): Promise<GraphRule[]> {
  const params = { ...matching(templates, confidence), nodes, domains };
  const rows = await reader.ask<NamedEdge>(statementsOf(templates).at, params);
  return rows.flatMap((row) => rulesOf(row, templates));
}

/** Nodes that may be the sources of rules with these ids: an id may hold the arrow itself. */
export function sourcesOf(ids: readonly string[]): string[] {
  const sources = new Set<string>();
  for (const id of ids) {
    if (!id.startsWith(DERIVED)) continue;
    for (let at = id.indexOf('->'); at >= 0; at = id.indexOf('->', at + 1)) sources.add(id.slice(DERIVED.length, at));
  }
  return [...sources];
}

const DERIVED = 'derived:';

interface Page {
  readonly last: string;
  readonly nodes: number;
  readonly edges: readonly NamedEdge[];
}

/**
 * Whether no node after `last` can have a rule before the last of the wanted ones. Rules are in the order of
 * `source->target`, nodes in that of their ids: the two differ only where one source's id begins the other's.
 */
function isComplete(rules: readonly GraphRule[], limit: number, last: string): boolean {
  const final = rules[limit - 1];
  return limit === 0 || (final !== undefined && !last.startsWith(final.source_concepts[0]!));
}

function rulesOf(row: NamedEdge, templates: ReadonlyMap<string, EdgeTemplate>): GraphRule[] {
  const rule = deriveRule(edgeOf(row), row, templates.get(row.relation_type)!);
  return rule === null ? [] : [rule];
}

function matching(templates: ReadonlyMap<string, EdgeTemplate>, confidence: number) {
  const ids = Object.fromEntries([...templates].map(([relation, template]) => [relation, template.id]));
  return { types: [...templates.keys()], ids, confidence };
}

interface Statements {
  readonly page: Statement;
  readonly at: Statement;
}

const known = new Map<string, Statements>();

/** The types stand in the text, so that other relationships of a node are passed over; a few texts, planned once each. */
function statementsOf(templates: ReadonlyMap<string, EdgeTemplate>): Statements {
  const types = [...templates.keys()].map(relationshipType).sort().join('|');
  let statements = known.get(types);
  if (statements === undefined) {
    statements = { page: pageOf(types), at: atOf(types) };
    known.set(types, statements);
  }
  return statements;
}

const WITH_NAMES = EDGE.replace(/\}$/, ', domain: a.domain, source: a.name, target: b.name}');

/** Before any limit: an end without a name yields no rule. */
const NAMED = `trim(a.name) <> '' AND trim(b.name) <> ''`;

const pageOf = (types: string): Statement => `
  MATCH (a:Node) USING INDEX SEEK a:Node(id) WHERE a.id > $p.after AND a.id < $p.below
  WITH a ORDER BY a.id LIMIT $p.nodes WITH collect(a) AS nodes WHERE size(nodes) > 0
  CALL (nodes) {
    UNWIND nodes AS a
    CALL (a) {
      MATCH (a)-[r:${types}]->(b:Node) WHERE r.confidence >= $p.confidence AND ${NAMED}
      WITH a, r, b ORDER BY b.id + ':' + $p.ids[type(r)] LIMIT $p.limit
      RETURN ${WITH_NAMES} AS edge
    }
    RETURN collect(edge) AS edges
  }
  RETURN {last: nodes[-1].id, nodes: size(nodes), edges: edges} AS row`;

const atOf = (types: string): Statement => `
  UNWIND $p.nodes AS id MATCH (n:Node {id: id}) USING INDEX SEEK n:Node(id)
  MATCH (n)-[r:${types}]-(:Node) WHERE r.confidence >= $p.confidence
  WITH DISTINCT r WITH r, startNode(r) AS a, endNode(r) AS b WHERE $p.domains IS NULL OR a.domain IN $p.domains
  RETURN ${WITH_NAMES} AS row`;
