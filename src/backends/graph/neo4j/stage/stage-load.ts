import { normaliseName } from '../../../../core/ids.js';
import { edgeId } from '../../../../core/model.js';
import { fnv1a } from '../../../../core/random.js';
import { nameKey } from '../../../../core/text/keys.js';
import { push } from '../../../../ledger/groups.js';
import {
  type Asserted,
  type AssertedConcept,
  type AssertedEdge,
  byRank,
  compare,
  isNamedById,
} from '../../../../ledger/manifest/asserted.js';
import { endOf, resolveEnd, shortNorm } from '../../../../ledger/manifest/ends.js';
import { chunks } from '../../../store/sql.js';
import type { Reads } from '../read/read-keys.js';
import { relationshipType } from '../relations.js';
import { resolverFor } from '../write/ends.js';
import type { Stage } from './stage.js';

const BATCH = 10_000;

/** What is staged of a load: the transaction that makes it seen leaves it out. */
export interface Staged {
  readonly token: string;
  /** Ids of concepts that lie there under the label `Staged`. */
  readonly concepts: ReadonlySet<string>;
  /** Edges to be seen among them. */
  readonly edges: number;
  /** The rest of what the source asserts. */
  readonly rest: Asserted;
}

interface Load {
  readonly domain: string;
  readonly source: string;
  readonly asserted: Asserted;
  /** Version that the load will make. */
  readonly version: number;
}

/** Stages the new concepts of a source that was not there before, and the edges among them. */
export async function stageLoad(stage: Stage, load: Load): Promise<Staged> {
  const fresh = await freshConcepts(stage, load.asserted);
  await stage.batch((tx) => tx.run('CREATE (:StagedSource {id: $id})', { id: load.source }));
  for (const part of chunks([...fresh.values()], BATCH)) {
    const rows = part.map((concept) => rowOf(load.domain, concept));
    await stage.batch((tx) => tx.run(CONCEPTS, { rows, source: load.source, version: load.version }));
  }
  const { lines, rest } = await linesOf(stage, load, fresh);
  let edges = 0;
  for (const [type, all] of lines) {
    for (const part of chunks(all, BATCH)) {
      const seen = part.filter((line) => line.seen);
      edges += seen.length;
      await stage.batch(async (tx) => {
        const common = { source: load.source, domain: load.domain, version: load.version };
        await tx.run(drawn(type), { ...common, rows: seen });
        if (seen.length < part.length) await tx.run(ASSERTED, { ...common, rows: part.filter((line) => !line.seen) });
      });
    }
  }
  const concepts = new Set(fresh.keys());
  return { token: stage.token, concepts, edges, rest: { ...load.asserted, edges: rest } };
}

const CONCEPTS = `MATCH (s:StagedSource {id: $source}) UNWIND $rows AS row
  CREATE (n:Staged) SET n = row.fields, n.hash = toInteger(row.hash)
  CREATE (s)-[:ASSERTS {name: row.fields.name, description: row.fields.description,
    properties: row.fields.properties, confidence: row.fields.confidence, version: toInteger($version)}]->(n)`;

const ASSERTION = `CREATE (:Assertion {edge_id: row.id, source_id: $source, domain: $domain, from: row.from, to: row.to,
  relation: row.relation, confidence: row.confidence, properties: row.properties, version: toInteger($version),
  source: row.source, target: row.target, seen: row.seen, ord: toInteger(row.ord)})`;

/** Edges of one type with their assertions: rows travel once. */
const drawn = (type: string): string => `UNWIND $rows AS row
  MATCH (a:Staged {id: row.source}) MATCH (b:Staged {id: row.target})
  CREATE (a)-[:${type} {id: row.id, confidence: row.confidence, properties: row.properties}]->(b)
  ${ASSERTION}`;

const ASSERTED = `UNWIND $rows AS row ${ASSERTION}`;

async function freshConcepts(reads: Reads, asserted: Asserted): Promise<Map<string, AssertedConcept>> {
  const known = await reads.each<{ id: string }>(
    'UNWIND $rows AS id MATCH (n:Node {id: id}) RETURN id',
    asserted.concepts.keys(),
  );
  const fresh = new Map(asserted.concepts);
  for (const { id } of known) fresh.delete(id);
  return fresh;
}

function rowOf(domain: string, concept: AssertedConcept) {
  const { id, name, description, confidence } = concept;
  const named = isNamedById(domain, concept);
  const fields = {
    id,
    domain,
    name,
    description,
    confidence,
    properties: JSON.stringify(concept.properties),
    key: nameKey(name),
    norm: normaliseName(name),
    own: !named,
    ...(named ? {} : { short: shortNorm(domain, id) }),
  };
  return { fields, hash: fnv1a(id) };
}

interface Line {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly confidence: number;
  readonly properties: string;
  readonly ord: number;
  seen: boolean;
}

/** Edges whose ends are new concepts for sure, by relationship type; all others are left to the last transaction. */
async function linesOf(
  reads: Reads,
  { domain, source, asserted, version }: Load,
  fresh: ReadonlyMap<string, AssertedConcept>,
): Promise<{ lines: Map<string, Line[]>; rest: Map<string, AssertedEdge> }> {
  const named = new Map<string, string[]>();
  for (const { id, name } of fresh.values()) push(named, normaliseName(name), id);
  // Concepts that were there and are asserted anew may change their names: ends of these names are not sure.
  const unsure = new Set(
    [...asserted.concepts.values()].filter(({ id }) => !fresh.has(id)).map(({ name }) => normaliseName(name)),
  );
  const ends = new Set([...asserted.edges.values()].flatMap((edge) => [edge.source, edge.target]));
  const known = await resolverFor({ state: reads, domain }, ends);
  const resolved = new Map<string, string>();
  for (const given of ends) {
    const end = endOf(domain, given);
    if (known(given) !== null || unsure.has(end.norm)) continue;
    const id = resolveEnd(end, { named: (norm) => named.get(norm) ?? [], has: (one) => fresh.has(one) });
    if (id !== null) resolved.set(given, id);
  }
  const rest = new Map<string, AssertedEdge>();
  const byId = new Map<string, Line[]>();
  let ord = 0;
  for (const [key, edge] of asserted.edges) {
    const [from, to] = [resolved.get(edge.source), resolved.get(edge.target)];
    if (from === undefined || to === undefined) {
      rest.set(key, edge);
      continue;
    }
    const id = edgeId(from, edge.relation, to);
    const { relation, confidence } = edge;
    const given = { from: edge.source, to: edge.target, source: from, target: to, relation, confidence };
    push(byId, id, { ...given, id, properties: JSON.stringify(edge.properties), ord, seen: false });
    ord += 1;
  }
  const lines = new Map<string, Line[]>();
  const rank = (line: Line) => ({ confidence: line.confidence, version, source_id: source });
  for (const group of byId.values()) {
    group.sort((a, b) => byRank(rank(a), rank(b)) || compare(`${a.from}\0${a.to}`, `${b.from}\0${b.to}`));
    group[0]!.seen = true;
    for (const line of group) push(lines, relationshipType(line.relation), line);
  }
  return { lines, rest };
}
