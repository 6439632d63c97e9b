import { sql } from 'kysely';
import { forValues, GIVEN, insertRows, type ValueRow } from '../backends/store/rows.js';
import type { Db } from '../backends/store/schema.js';
import { slicer } from '../core/async/slices.js';
import { contradictions } from '../core/contradictions/edges.js';
import { type PolarStatement, polarStatement } from '../core/contradictions/rules.js';
import { push } from '../core/group-by.js';
import { edgeId, type GraphEdge, type GraphRule } from '../core/model.js';
import { PAGE, pagesAfter } from './groups.js';
import { compare } from './manifest/asserted.js';
import { edgesBetween } from './read/read-edges.js';
import { type RuleReader, rulesOfEdges } from './read/read-rules.js';
import { lookupHash } from './tables.js';
import type { DomainRef } from './write/write-state.js';

/** Ids that one rule names, at most. */
const MOST = 20;

/** Returns the mark under which rules that say the same, negated or not, are filed; null for a rule that says nothing. */
export function statementMark(domain: DomainRef, text: string): number | null {
  const statement = polarStatement(text);
  return statement === null ? null : markOf(domain, statement);
}

function markOf(domain: DomainRef, { key }: PolarStatement): number {
  return lookupHash(domain, `\0says ${key}`);
}

/** Files every visible rule under what it says. For stores of a release that did not. */
export async function markStatements(db: Db): Promise<void> {
  const pages = pagesAfter(
    0,
    (after) =>
      sql<{ ref: number; domain: number; text: string }>`select ref, domain, text from rule
        where shown = 1 and ref > ${after} order by ref limit ${PAGE}`.execute(db),
    { placeOf: ({ ref }) => Number(ref), lane: 'patient' },
  );
  for await (const page of pages) {
    const rows = page.flatMap(({ ref, domain, text }): ValueRow[] => {
      const mark = statementMark({ ref: Number(domain), name: '' }, text);
      return mark === null ? [] : [[mark, Number(ref)]];
    });
    await insertRows(db, 'rule_mark', {
      columns: { hash: 'int', rule: 'int' },
      rows,
      tail: sql`on conflict do nothing`,
    });
  }
}

/**
 * Returns the rules; those that contradict visible others of their domain name them under `metadata.contradicts`, by id:
 * explicit rules that say the same with opposite polarity, derived rules whose edges cannot both hold. An edge without a
 * rule is named by its own id.
 */
export async function withContradictions(reader: RuleReader, rules: readonly GraphRule[]): Promise<GraphRule[]> {
  const against = new Map<GraphRule, readonly string[]>([
    ...(await opposedStatements(reader, rules)),
    ...(await opposedEdges(reader, rules)),
  ]);
  return rules.map((rule) => {
    const ids = [...new Set(against.get(rule) ?? [])].sort(compare).slice(0, MOST);
    return ids.length === 0 ? rule : { ...rule, metadata: { ...rule.metadata, contradicts: ids } };
  });
}

interface RuleStatement extends PolarStatement {
  readonly id: string;
}

async function opposedStatements({ db, domains }: RuleReader, rules: readonly GraphRule[]) {
  const refs = new Map(domains.map((domain) => [domain.name, domain]));
  const pause = slicer();
  const marked: Array<PolarStatement & { readonly rule: GraphRule; readonly mark: number }> = [];
  const read = new Map<string, PolarStatement>();
  for (const rule of rules) {
    await pause();
    const domain = refs.get(rule.domain);
    const statement = rule.derivation === 'explicit' && domain !== undefined ? polarStatement(rule.text) : null;
    if (statement === null) continue;
    read.set(rule.text, statement);
    marked.push({ rule, ...statement, mark: markOf(domain!, statement) });
  }
  const marks = marked.map(({ mark }) => mark);
  const rows = await forValues(db, marks)<{ mark: number; id: string; text: string }>`
    select m.hash as mark, r.id, r.text from ${GIVEN} join rule_mark m on m.hash = given.v
    join rule r on r.ref = m.rule where r.shown = 1`;
  const said = new Map<number, RuleStatement[]>();
  for (const { mark, id, text } of rows) {
    await pause();
    // A rule is among those of its own mark.
    const statement = read.get(text) ?? polarStatement(text);
    if (statement !== null) push(said, Number(mark), { id, ...statement });
  }
  return marked.map(({ rule, mark, key, negative }) => {
    const others = (said.get(mark) ?? []).filter((one) => one.key === key && one.negative !== negative);
    return [rule, others.map(({ id }) => id)] as const;
  });
}

/** Compares the edges of derived rules with the other edges between the same two nodes. */
async function opposedEdges(reader: RuleReader, rules: readonly GraphRule[]) {
  const derived = rules.filter((rule) => rule.derivation === 'derived' && rule.source_concepts.length === 2);
  if (derived.length === 0) return [];
  const pairs = new Map<string, readonly [string, string]>();
  for (const { source_concepts } of derived) {
    const [a, b] = source_concepts as [string, string];
    pairs.set(`${a}\0${b}`, [a, b]).set(`${b}\0${a}`, [b, a]);
  }
  const edges = await edgesBetween(reader.db, [...pairs.values()]);
  const named = await ruleIdsOf(reader, edges);
  const found = contradictions(
    edges.map(({ source_id, relation_type, target_id }) => ({
      source: source_id,
      relation: relation_type,
      target: target_id,
      targetName: target_id,
    })),
  );
  const opposed = new Map(
    [...found].map(([i, others]) => {
      const { id, source_id } = edges[i]!;
      // Domains isolate: an edge of another domain is not told.
      const within = others.filter((other) => domainOf(edges[other]!.source_id) === domainOf(source_id));
      return [id, within.map((other) => named.get(edges[other]!.id) ?? edges[other]!.id)] as const;
    }),
  );
  return derived.map((rule) => {
    const [source, target] = rule.source_concepts as [string, string];
    const relation = String(rule.metadata.relation_type).toUpperCase();
    return [rule, opposed.get(edgeId(source, relation, target)) ?? []] as const;
  });
}

/** Returns the ids of the rules of edges, by the ids of the edges. */
async function ruleIdsOf(reader: RuleReader, edges: readonly GraphEdge[]): Promise<Map<string, string>> {
  const yielding = edges.filter((edge) => reader.templates.has(edge.relation_type));
  const rules = await rulesOfEdges(reader, yielding, {});
  return new Map(
    rules.map(({ id, source_concepts: [source, target], metadata }) => [
      edgeId(source!, String(metadata.relation_type).toUpperCase(), target!),
      id,
    ]),
  );
}

function domainOf(nodeId: string): string {
  return nodeId.slice(0, nodeId.indexOf(':'));
}
