import { type Kysely, sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import type { AboutKey, JsonObject, MessageFields, Passage, SourceKind } from '../../core/model.js';
import { push } from '../groups.js';
import type { AssertedConcept, AssertedEdge, AssertedRule } from '../manifest/asserted.js';
import type { Dated, SourceExport, SourceVersions } from '../manifest/exported.js';
import { recordsOf } from './read-nodes.js';

/** Returns sources in id order with the versions of their assertions; none where a source has passages only. */
export async function sourceVersions(
  db: Kysely<Database>,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<SourceVersions[]> {
  const sources = await sql<{ ref: number; source_id: string; domain: string; content_hash: string }>`
    select s.ref, s.id as source_id, d.name as domain, s.content_hash from source s join domain d on d.ref = s.domain
    where s.id > ${after ?? ''} order by s.id limit ${limit}`.execute(db);
  const versions = new Map<number, number[]>();
  const refs = sources.rows.map((row) => row.ref);
  const rows = await forValues(db, refs)<{ source: number; version: number }>`
    select source, version from concept where source in (select v from ${GIVEN})
    union select source, version from edge where source in (select v from ${GIVEN})
    union select source, version from rule where source in (select v from ${GIVEN})`;
  for (const { source, version } of rows) push(versions, source, version);
  return sources.rows.map(({ ref, ...source }) => ({
    ...source,
    versions: (versions.get(ref) ?? []).sort((a, b) => a - b),
  }));
}

/** Returns what these sources assert, in the order of `ids`; unknown ones are left out. */
export async function exportSources(db: Kysely<Database>, ids: readonly string[]): Promise<SourceExport[]> {
  const sources = await forValues(db, ids)<{
    ref: number;
    id: string;
    domain: string;
    kind: string;
    key: string;
    label: string;
    content_hash: string;
  }>`
    select s.ref, s.id, d.name as domain, s.kind, s.key, s.label, s.content_hash from ${GIVEN}
    join source s on s.id = given.v join domain d on d.ref = s.domain`;
  const refs = sources.map((source) => source.ref);
  const concepts = grouped(await conceptsOf(db, refs));
  const edges = grouped(await edgesOf(db, refs));
  const rules = grouped(await rulesOf(db, refs));
  const passages = grouped(await passagesOf(db, refs));
  const found = new Map(
    sources.map(({ ref, id, domain, kind, key, label, content_hash }): [string, SourceExport] => [
      id,
      {
        source_id: id,
        source: { domain, kind: kind as SourceKind, key, label },
        content_hash,
        concepts: concepts.get(ref) ?? [],
        edges: edges.get(ref) ?? [],
        rules: rules.get(ref) ?? [],
        passages: passages.get(ref) ?? [],
      },
    ]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

type OfSource<T> = readonly [source: number, item: T];

function grouped<T>(items: readonly OfSource<T>[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const [source, item] of items) push(groups, source, item);
  return groups;
}

async function conceptsOf(db: Kysely<Database>, refs: readonly number[]): Promise<OfSource<Dated<AssertedConcept>>[]> {
  const rows = await forValues(db, refs)<
    Dated<Omit<AssertedConcept, 'properties'>> & { source: number; properties: string }
  >`
    select c.source, n.id, c.name, c.description, c.properties, c.confidence, c.version from ${GIVEN}
    join concept c on c.source = given.v join node n on n.ref = c.node order by c.source, n.id`;
  return rows.map(({ source, properties, ...row }) => [source, { ...row, properties: object(properties) }]);
}

async function edgesOf(db: Kysely<Database>, refs: readonly number[]): Promise<OfSource<Dated<AssertedEdge>>[]> {
  const rows = await forValues(db, refs)<
    Dated<Omit<AssertedEdge, 'source' | 'properties'>> & { of: number; source: string; properties: string }
  >`
    select e.source as "of", e.src_end as source, e.dst_end as target, e.relation, e.confidence, e.properties,
    e.version from ${GIVEN} join edge e on e.source = given.v order by e.source, e.ref`;
  return rows.map(({ of, properties, ...row }) => [of, { ...row, properties: object(properties) }]);
}

async function rulesOf(db: Kysely<Database>, refs: readonly number[]): Promise<OfSource<Dated<AssertedRule>>[]> {
  const rows = await forValues(db, refs)<
    Dated<Omit<AssertedRule, 'concepts' | 'metadata'>> & { source: number; concepts: string | null; metadata: string }
  >`
    select r.source, r.id, r.text, r.category, r.confidence, r.concepts, r.metadata, r.version from ${GIVEN}
    join rule r on r.source = given.v order by r.source, r.ref`;
  return rows.map(({ source, concepts, metadata, ...row }) => [
    source,
    {
      ...row,
      concepts: concepts === null ? null : (JSON.parse(concepts) as string[]),
      metadata: object(metadata),
    },
  ]);
}

async function passagesOf(db: Kysely<Database>, refs: readonly number[]): Promise<OfSource<Passage>[]> {
  const rows = await forValues(db, refs)<{ source: number; id: string; ord: number; message: string | null }>`
    select p.source, n.id, p.ord, p.message from ${GIVEN} join passage p on p.source = given.v
    join node n on n.ref = p.node order by p.source, p.ord, n.id`;
  const ids = rows.map((row) => row.id);
  const records = new Map((await recordsOf(db, ids)).map((record) => [record.id, record]));
  return rows.flatMap(({ source, id, ord, message }): OfSource<Passage>[] => {
    const record = records.get(id);
    if (record === undefined) return [];
    const { title, text, sentences, mentions } = record;
    const about: readonly AboutKey[] = record.about;
    const fields = message === null ? {} : { message: JSON.parse(message) as MessageFields };
    return [[source, { id, title, text, sentences, about, order: ord, ...fields, mentions }]];
  });
}

function object(json: string): JsonObject {
  return JSON.parse(json) as JsonObject;
}
