import { type RawBuilder, sql } from 'kysely';
import { forValues, GIVEN, valuesAs } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { chunks } from '../../backends/store/sql.js';
import { FirstInOrder } from '../../core/async/first-in-order.js';
import { slicer } from '../../core/async/slices.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import { deriveRule, type EdgeTemplate, yieldsRules } from '../../core/derive-rules.js';
import { groupBy } from '../../core/group-by.js';
import type { GraphEdge, GraphRule, JsonObject } from '../../core/model.js';
import { PAGE, pagesAfter, refsOf, rowPages } from '../groups.js';
import { compare } from '../manifest/asserted.js';
import { PASSAGE } from '../tables.js';
import type { RuleFilter } from './filters.js';
import { edgePages, edgePagesAt } from './read-edges.js';
import type { DomainRow } from './read-nodes.js';
import type { RecentRows } from './recent-rows.js';

export interface RuleReader {
  readonly db: Db;
  /** Default template of each relation, upper case. */
  readonly templates: ReadonlyMap<string, EdgeTemplate>;
  /** The requested domains. */
  readonly domains: readonly DomainRow[];
  readonly recent: RecentRows;
}

/** Returns the explicit and derived rules that a filter lets through, ordered by id, then domain. */
export async function findRules(reader: RuleReader, filter: RuleFilter): Promise<GraphRule[]> {
  const { domains } = reader;
  const explicit = domains.some((domain) => domain.rule_count > 0) ? await explicitRules(reader, filter) : [];
  const yields = filter.include_derived !== false && domains.some((domain) => domain.edge_count > 0);
  const derived = yields ? await derivedRules(reader, filter) : [];
  return (await sortInSlices([...derived, ...explicit], inOrder)).slice(0, filter.limit);
}

function inOrder(a: Pick<GraphRule, 'id' | 'domain'>, b: Pick<GraphRule, 'id' | 'domain'>): number {
  return compare(a.id, b.id) || compare(a.domain, b.domain);
}

interface RuleInfoRow {
  readonly ref: number;
  readonly id: string;
  readonly domain: string;
  readonly text: string;
  readonly category: string;
  readonly confidence: number;
  readonly metadata: string;
}

/** Returns the conditions on explicit rules `r`. */
export function explicitWhere({ db, domains }: RuleReader, filter: RuleFilter): RawBuilder<unknown> {
  const where: RawBuilder<unknown>[] = [
    sql`r.shown = 1`,
    sql`r.domain in (${sql.join([0, ...domains.map((d) => d.ref)])})`,
  ];
  const among = (values: readonly string[]): RawBuilder<unknown> => sql`(select v from ${valuesAs(db, values)})`;
  if (filter.ids !== undefined) where.push(sql`r.id in ${among(filter.ids)}`);
  if (filter.categories !== undefined && filter.categories.length > 0)
    where.push(sql`r.category in ${among(filter.categories)}`);
  if (filter.min_confidence !== undefined) where.push(sql`r.confidence >= ${filter.min_confidence}`);
  if (filter.concept_ids !== undefined) {
    where.push(sql`r.ref in (select rc.rule from node n join rule_concept rc on rc.node = n.ref
      where n.id in ${among(filter.concept_ids)})`);
  }
  return sql.join(where, sql` and `);
}

/** Returns explicit rules, ordered by id, then domain; from the `offset`-th on where a limit is given. */
export async function explicitRules(reader: RuleReader, filter: RuleFilter, offset = 0): Promise<GraphRule[]> {
  const rules: GraphRule[] = [];
  for (const part of chunks(await explicitRefs(reader, filter, offset), PAGE)) {
    for (const rule of await rulesByRef(reader.db, part)) rules.push(rule);
  }
  return rules;
}

/** Returns the numbers of those rules: texts are read a page at a time. */
async function explicitRefs(reader: RuleReader, filter: RuleFilter, offset: number): Promise<number[]> {
  const { limit } = filter;
  const few = reader.domains.reduce((sum, domain) => sum + domain.rule_count, 0) <= PAGE;
  if (filter.concept_ids !== undefined && limit !== undefined && !few) {
    const first = await firstTouching(reader, filter, offset + limit);
    return first.slice(offset).map(({ ref }) => ref);
  }
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset}`;
  const { rows } = await sql<{ ref: number }>`select r.ref from rule r join domain d on d.ref = r.domain
    where ${explicitWhere(reader, filter)} order by r.id, d.name ${page}`.execute(reader.db);
  return rows.map(({ ref }) => ref);
}

interface NamedRule {
  readonly ref: number;
  readonly id: string;
  readonly domain: string;
}

/** Returns the first rules that touch the filter's nodes: nodes of few rules are read together, one of many in several pages. */
async function firstTouching(
  reader: RuleReader,
  { concept_ids = [], ...rest }: RuleFilter,
  limit: number,
): Promise<NamedRule[]> {
  const { db } = reader;
  const where = explicitWhere(reader, rest);
  const nodes = await forValues(db, concept_ids)<{ ref: number; rules: number }>`select n.ref,
    (select count(*) from rule_concept rc where rc.node = n.ref) as rules from ${GIVEN} join node n on n.id = given.v`;
  const first = new FirstInOrder<NamedRule>(inOrder, limit);
  const seen = new Set<number>();
  const columns = sql`r.ref, r.id, d.name as domain`;
  // In this order: the other way round all rules of the domains are read.
  const joined = sql`cross join rule r cross join domain d where r.ref = rc.rule and d.ref = r.domain and ${where}`;
  const page = (node: number, after: number) =>
    sql<NamedRule>`select ${columns} from rule_concept rc
      ${joined} and rc.node = ${node} and rc.rule > ${after} order by rc.rule limit ${PAGE}`.execute(db);
  const pages = rowPages(nodes, ({ rules }) => Number(rules), {
    few: (part) =>
      forValues(
        db,
        refsOf(part),
      )<NamedRule>`select ${columns} from ${GIVEN} cross join rule_concept rc ${joined} and rc.node = given.v`,
    many: ({ ref: node }) => pagesAfter(0, (after) => page(node, after), { placeOf: ({ ref }) => ref }),
  });
  for await (const rows of pages) await first.add(rows.filter(({ ref }) => !seen.has(ref) && seen.add(ref)));
  return first.sorted();
}

/** Returns the explicit rules of these numbers, in their order. */
async function rulesByRef(db: Db, refs: readonly number[]): Promise<GraphRule[]> {
  const rows = await forValues(
    db,
    refs,
  )<RuleInfoRow>`select r.ref, r.id, d.name as domain, r.text, r.category, r.confidence, r.metadata
      from ${GIVEN} join rule r on r.ref = given.v join domain d on d.ref = r.domain`;
  const links = await forValues(db, refs)<RuleLink>`select rc.rule, n.id, n.kind from ${GIVEN}
      join rule_concept rc on rc.rule = given.v join node n on n.ref = rc.node`;
  const touched = groupBy(links, ({ rule }) => rule);
  const rules = new Map(
    rows.map(({ ref, metadata, ...row }): [number, GraphRule] => {
      const about = touchedNodes(touched.get(ref) ?? []);
      return [ref, { ...row, derivation: 'explicit', ...about, metadata: JSON.parse(metadata) as JsonObject }];
    }),
  );
  return refs.flatMap((ref) => rules.get(ref) ?? []);
}

interface RuleLink {
  readonly rule: number;
  readonly id: string;
  readonly kind: number;
}

function touchedNodes(links: readonly RuleLink[]): Pick<GraphRule, 'source_concepts' | 'passages'> {
  const idsOf = (found: readonly RuleLink[]): string[] => found.map(({ id }) => id).sort(compare);
  const concepts = idsOf(links.filter(({ kind }) => kind !== PASSAGE));
  const passages = idsOf(links.filter(({ kind }) => kind === PASSAGE));
  return { source_concepts: concepts.length > 0 ? concepts : passages, ...(passages.length > 0 ? { passages } : {}) };
}

async function derivedRules(reader: RuleReader, filter: RuleFilter): Promise<GraphRule[]> {
  if (reader.templates.size === 0) return [];
  const accepts = filterOf(reader, filter);
  if (filter.concept_ids !== undefined) return rulesAt(reader, filter, accepts);
  const found: GraphRule[] = [];
  // Pages of one domain come in the order of rule ids, and so do domains.
  for (const { name } of [...reader.domains].sort((a, b) => compare(a.name, b.name))) {
    const before = found.length;
    for await (const page of edgePages(reader.db, { domain: name })) {
      for (const rule of await rulesOfEdges(reader, page.filter(accepts), filter)) found.push(rule);
      if (filter.limit !== undefined && found.length - before >= filter.limit) break;
    }
  }
  return found;
}

/** Returns whether an edge can yield a rule that the filter lets through. */
function filterOf({ templates }: RuleReader, filter: RuleFilter): (edge: GraphEdge) => boolean {
  const categories =
    filter.categories === undefined || filter.categories.length === 0 ? null : new Set(filter.categories);
  return (edge) => {
    const { relation_type, confidence } = edge;
    const template = templates.get(relation_type);
    if (!yieldsRules(edge)) return false;
    if (template === undefined || confidence < (filter.min_confidence ?? 0)) return false;
    return categories === null || categories.has(template.category);
  };
}

/** Returns the rules of the accepted edges at the filter's nodes, in the requested domains. */
async function rulesAt(
  reader: RuleReader,
  filter: RuleFilter,
  accepts: (edge: GraphEdge) => boolean,
): Promise<GraphRule[]> {
  const within = reader.domains.map(({ name }) => `${name}:`);
  const isWithin = (edge: GraphEdge): boolean => within.some((prefix) => edge.source_id.startsWith(prefix));
  const first = new FirstInOrder<GraphRule>(inOrder, filter.limit);
  for await (const page of edgePagesAt(reader.db, filter.concept_ids ?? [], [...reader.templates.keys()])) {
    const edges = page.filter((edge) => accepts(edge) && isWithin(edge));
    await first.add(await rulesOfEdges(reader, edges, filter));
  }
  return first.sorted();
}

/** Makes the rules of edges, in their order; edges that yield none are left out. */
export async function rulesOfEdges(
  reader: RuleReader,
  edges: readonly GraphEdge[],
  filter: RuleFilter,
): Promise<GraphRule[]> {
  const nodes = await reader.recent.names(edges.flatMap((edge) => [edge.source_id, edge.target_id]));
  const ids = filter.ids === undefined ? null : new Set(filter.ids);
  const pause = slicer('urgent');
  const rules: GraphRule[] = [];
  for (const edge of edges) {
    await pause();
    const source = nodes.get(edge.source_id);
    const target = nodes.get(edge.target_id);
    if (source === undefined || target === undefined) continue;
    const names = { domain: source.domain, source: source.name, target: target.name };
    const rule = deriveRule(edge, names, reader.templates.get(edge.relation_type)!);
    if (rule !== null && (ids === null || ids.has(rule.id))) rules.push(rule);
  }
  return rules;
}
