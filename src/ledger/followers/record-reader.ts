import { sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { edgeId, type JsonObject, type MessageFields } from '../../core/model.js';
import { type EdgeName, edgeName, type RuleName } from '../change.js';
import { compare } from '../manifest/asserted.js';
import { countKeys } from '../mention-blob.js';
import type {
  DomainRecord,
  EdgeRecord,
  KeyRecord,
  LedgerRecords,
  MentionRecord,
  NodeRecord,
  RecordSource,
  RuleRecord,
} from '../records.js';
import { KINDS, type NodeRow } from '../tables.js';
import { aboutArcs } from '../write/key-table.js';

/** Reads the visible records of the store as they are now. */
export function recordReader(db: Db): LedgerRecords {
  return {
    domains: (refs) =>
      forValues(db, refs)<DomainRecord>`
        select d.ref, d.name, d.description from ${GIVEN} join domain d on d.ref = given.v`,
    nodes: (refs) => nodeRecords(db, refs),
    keys: (refs) => keyRecords(db, refs),
    mentions: (passages) => mentionRecords(db, passages),
    edges: (names) => edgeRecords(db, names),
    rules: (names) => ruleRecords(db, names),
  };
}

type VisibleNodeRow = Omit<NodeRow, 'own' | 'key' | 'norm' | 'shown'> &
  Pick<NodeRecord, 'hash' | 'domain_name'> & { readonly ord: number | null } & Readonly<
    Record<'description' | 'properties' | 'text' | 'message' | 'source_id' | 'source_label', string | null>
  >;

export async function nodeRecords(db: Db, refs: Iterable<number>): Promise<NodeRecord[]> {
  const wanted = [...refs];
  const rows = await forValues(db, wanted)<VisibleNodeRow>`
    select n.ref, n.id, n.domain, d.name as domain_name, n.kind, n.hash, n.name, n.confidence,
      c.description, c.properties, p.text, p.ord, p.message, s.id as source_id, s.label as source_label
    from ${GIVEN} join node n on n.ref = given.v join domain d on d.ref = n.domain
    left join concept c on n.kind = 0 and c.node = n.ref and c.source = n.shown
    left join passage p on n.kind = 1 and p.node = n.ref left join source s on s.ref = p.source`;
  const sources = sourcesByThing(
    await forValues(db, wanted)<SourceOfThing>`
      select c.node as thing, s.id, s.label from ${GIVEN} join concept c on c.node = given.v
      join source s on s.ref = c.source`,
  );
  return rows.map(({ kind, description, properties, text, ord, message, source_id, source_label, ...row }) => ({
    ...row,
    kind: KINDS[kind]!,
    description: text ?? description ?? '',
    properties: properties === null ? {} : (JSON.parse(properties) as JsonObject),
    order: ord,
    message: message === null ? null : (JSON.parse(message) as MessageFields),
    sources: source_id === null ? (sources.get(row.ref) ?? []) : [{ id: source_id, label: source_label ?? '' }],
  }));
}

type SourceOfThing = RecordSource & { readonly thing: number };

/** Returns the sources by the number of what they assert, each list in the order of the ids. */
function sourcesByThing(rows: SourceOfThing[]): Map<number, RecordSource[]> {
  const found = new Map<number, RecordSource[]>();
  for (const { thing, id, label } of rows.sort((a, b) => compare(a.id, b.id))) {
    const list = found.get(thing) ?? [];
    found.set(thing, list);
    if (list.at(-1)?.id !== id) list.push({ id, label });
  }
  return found;
}

export async function keyRecords(db: Db, refs: Iterable<number>): Promise<KeyRecord[]> {
  const wanted = [...refs];
  const rows = await forValues(db, wanted)<Omit<KeyRecord, 'about'>>`
    select k.ref, k.domain, k.key, k.node from ${GIVEN} join key k on k.ref = given.v where k.node <> 0`;
  const about = new Map(rows.map((row) => [row.ref, new Map<number, number>()]));
  for (const { key, node, alias } of await aboutArcs(db, about.keys())) about.get(key)!.set(node, alias);
  return rows.map((row) => ({ ...row, about: about.get(row.ref)! }));
}

export async function mentionRecords(db: Db, passages: Iterable<number>): Promise<MentionRecord[]> {
  const rows = await forValues(db, passages)<{ ref: number; mentions: Uint8Array }>`
    select p.node as ref, p.mentions from ${GIVEN} join passage p on p.node = given.v`;
  return rows.map(({ ref, mentions }) => ({ ref, keys: countKeys(mentions) }));
}

interface VisibleEdgeRow extends Omit<EdgeRecord, 'id' | 'properties' | 'sources'> {
  readonly source_id: string;
  readonly target_id: string;
  readonly properties: string;
}

const EDGE = sql`e.ref, e.src, e.dst, e.relation, e.confidence, e.properties, a.id as source_id, b.id as target_id`;
const ENDPOINTS = sql`join node a on a.ref = e.src join node b on b.ref = e.dst`;

async function edgeRecords(db: Db, names: Iterable<EdgeName>): Promise<EdgeRecord[]> {
  const distinct = new Map([...names].map((name) => [edgeName(name), name]));
  const wanted = [...distinct.values()].map(({ src, dst, relation }) => [src, dst, relation]);
  const rows = await forRows(db, { src: 'int', dst: 'int', relation: 'text' }, wanted)<VisibleEdgeRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.src = given.src and e.dst = given.dst
    and e.relation = given.relation and e.shown = 1 ${ENDPOINTS}`;
  return withSources(db, rows);
}

/** Returns the visible edges of these assertion numbers. */
export async function edgeRecordsOf(db: Db, refs: Iterable<number>): Promise<EdgeRecord[]> {
  const rows = await forValues(db, refs)<VisibleEdgeRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.ref = given.v and e.shown = 1 ${ENDPOINTS}`;
  return withSources(db, rows);
}

async function withSources(db: Db, rows: readonly VisibleEdgeRow[]): Promise<EdgeRecord[]> {
  const refs = rows.map((row) => row.ref);
  const sources = sourcesByThing(
    await forValues(db, refs)<SourceOfThing>`
      select e.ref as thing, s.id, s.label from ${GIVEN} join edge e on e.ref = given.v
      join edge o on o.src = e.src and o.dst = e.dst and o.relation = e.relation join source s on s.ref = o.source`,
  );
  return rows.map(({ source_id, target_id, properties, ...row }) => ({
    ...row,
    id: edgeId(source_id, row.relation, target_id),
    properties: JSON.parse(properties) as JsonObject,
    sources: sources.get(row.ref) ?? [],
  }));
}

interface VisibleRuleRow extends Omit<RuleRecord, 'metadata' | 'concepts' | 'sources'> {
  readonly metadata: string;
}

const RULE = sql`r.ref, r.domain, d.name as domain_name, r.id, r.text, r.category, r.confidence, r.metadata`;

async function ruleRecords(db: Db, names: Iterable<RuleName>): Promise<RuleRecord[]> {
  const wanted = [...names].map(({ domain, id }) => [domain, id]);
  const rows = await forRows(db, { domain: 'int', id: 'text' }, wanted)<VisibleRuleRow>`
    select ${RULE} from ${GIVEN} join rule r on r.id = given.id and r.domain = given.domain and r.shown = 1
    join domain d on d.ref = r.domain`;
  return wholeRules(db, rows);
}

/** Returns the visible rules of these assertion numbers. */
export async function ruleRecordsOf(db: Db, refs: Iterable<number>): Promise<RuleRecord[]> {
  const rows = await forValues(db, refs)<VisibleRuleRow>`
    select ${RULE} from ${GIVEN} join rule r on r.ref = given.v and r.shown = 1 join domain d on d.ref = r.domain`;
  return wholeRules(db, rows);
}

async function wholeRules(db: Db, rows: readonly VisibleRuleRow[]): Promise<RuleRecord[]> {
  const refs = rows.map((row) => row.ref);
  const sources = sourcesByThing(
    await forValues(db, refs)<SourceOfThing>`
      select r.ref as thing, s.id, s.label from ${GIVEN} join rule r on r.ref = given.v
      join rule o on o.id = r.id and o.domain = r.domain join source s on s.ref = o.source`,
  );
  const links = await forValues(db, refs)<{ rule: number; node: number }>`
    select rc.rule, rc.node from ${GIVEN} join rule_concept rc on rc.rule = given.v`;
  const concepts = new Map(rows.map((row) => [row.ref, [] as number[]]));
  for (const { rule, node } of links) concepts.get(rule)!.push(node);
  return rows.map(({ metadata, ...row }) => ({
    ...row,
    metadata: JSON.parse(metadata) as JsonObject,
    concepts: concepts.get(row.ref)!.sort((a, b) => a - b),
    sources: sources.get(row.ref) ?? [],
  }));
}
