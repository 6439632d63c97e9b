import { normaliseName } from '../../../../core/ids.js';
import { edgeId } from '../../../../core/model.js';
import { push } from '../../../../ledger/groups.js';
import { type AssertedEdge, byRank, compare, edgeKey, type Ranked } from '../../../../ledger/manifest/asserted.js';
import type { NodeChanges } from '../../../../ledger/manifest/node-changes.js';
import { replacedIds, type SourceChange } from '../../../../ledger/manifest/source-change.js';
import { succeeds } from '../../../../ledger/manifest/succession.js';
import { relationshipType } from '../relations.js';
import { madeHere, type Turning } from './edges-at.js';
import { type Resolver, resolverFor } from './ends.js';
import type { ConceptChange } from './write-concepts.js';
import type { Writer } from './writer.js';

/** What one source asserts about one edge. */
interface Assertion extends Ranked {
  /** Neo4j's own id; null for one still to be written. */
  readonly ref: string | null;
  /** Ends as given. */
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly properties: string;
  /** Nodes that the ends stand for; null while there is none. */
  readonly source: string | null;
  readonly target: string | null;
  seen: boolean;
  readonly ord: number;
  readonly [column: string]: unknown;
}

const ASSERTION = `elementId(a) AS ref, a.source_id AS source_id, a.from AS from, a.to AS to, a.relation AS relation,
  a.confidence AS confidence, a.properties AS properties, a.version AS version, a.source AS source,
  a.target AS target, a.seen AS seen, a.ord AS ord`;

/**
 * Writes what sources assert about edges, turns ends of other assertions to nodes that came or went, and settles which
 * assertion of each edge is seen.
 */
export async function writeEdges(
  w: Writer,
  changes: readonly SourceChange[],
  { nodes, turning }: { readonly nodes: NodeChanges<ConceptChange>; readonly turning: Turning },
): Promise<void> {
  const { state } = w;
  const leaving = await state.each<Assertion>(
    `UNWIND $rows AS id MATCH (a:Assertion {source_id: id}) RETURN ${ASSERTION}`,
    replacedIds(changes),
  );
  const asserted = await assertedRows(w, changes, leaving);
  const gone = new Set(leaving.map((row) => row.ref));
  const candidates = (await turningRows(w, turning)).filter((row) => !gone.has(row.ref));
  const resolve = await resolverFor(
    w,
    [...asserted, ...candidates].flatMap((row) => [row.from, row.to]),
  );
  const fresh = asserted.map((row) => resolved(row, resolve));
  for (const row of candidates) {
    const turned = resolved(row, resolve);
    if (turned.source === row.source && turned.target === row.target) continue;
    leaving.push(row);
    gone.add(row.ref);
    fresh.push(turned);
  }
  if (leaving.length + fresh.length === 0) return;
  // What was staged has assertions already, though its nodes came with this write.
  const made = state.staged === null ? madeHere(nodes, changes) : new Set<string>();
  const staying = (await sameEdges(w, [...leaving, ...fresh], made)).filter((row) => !gone.has(row.ref));
  const flipped = await settle(w, { leaving, fresh, staying });
  await state.each(
    'UNWIND $rows AS ref MATCH (a:Assertion) WHERE elementId(a) = ref DELETE a',
    leaving.map((row) => row.ref),
  );
  await state.each(
    'UNWIND $rows AS row MATCH (a:Assertion) WHERE elementId(a) = row.ref SET a.seen = row.seen',
    flipped.map(({ ref, seen }) => ({ ref, seen })),
  );
  await insert(w, fresh);
}

/** Rows to be written; of a source that is added to, those it asserted weaker or otherwise before join `leaving`. */
export async function assertedRows(
  w: Writer,
  changes: readonly SourceChange[],
  leaving: Assertion[],
): Promise<Assertion[]> {
  const rows: Assertion[] = [];
  for (const change of changes) {
    const edges = change.next?.edges ?? new Map<string, AssertedEdge>();
    const known = change.existed && change.append && edges.size > 0 ? await assertionsOf(w, change.id) : new Map();
    let ord = 0;
    for (const [key, edge] of edges) {
      const properties = JSON.stringify(edge.properties);
      const old = known.get(key) as Assertion | undefined;
      if (old !== undefined) {
        if (!succeeds(edge, old, old.properties === properties)) continue;
        leaving.push(old);
      }
      const { source: from, target: to, relation, confidence } = edge;
      const ends = { from, to, source: null, target: null };
      const ranked = { source_id: change.id, confidence, version: w.state.version };
      rows.push({ ref: null, ...ends, ...ranked, relation, properties, seen: false, ord });
      ord += 1;
    }
  }
  return rows;
}

async function assertionsOf(w: Writer, source: string): Promise<Map<string, Assertion>> {
  const rows = await w.state.tx.run<Assertion>(`MATCH (a:Assertion {source_id: $source}) RETURN ${ASSERTION}`, {
    source,
  });
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Assertions whose ends, as given, may stand for another node now. */
async function turningRows({ state, domain }: Writer, { edges, norms }: Turning): Promise<Assertion[]> {
  const at = await state.each<Assertion>(
    `UNWIND $rows AS id MATCH (a:Assertion {edge_id: id}) RETURN ${ASSERTION}`,
    edges,
  );
  const from = await state.each<Assertion>(
    `MATCH (a:Waiting) USING INDEX SEEK a:Waiting(domain, from_norm)
     WHERE a.domain = $domain AND a.from_norm IN $rows RETURN ${ASSERTION}`,
    norms,
    { domain },
  );
  const to = await state.each<Assertion>(
    `MATCH (a:Waiting) USING INDEX SEEK a:Waiting(domain, to_norm)
     WHERE a.domain = $domain AND a.to_norm IN $rows RETURN ${ASSERTION}`,
    norms,
    { domain },
  );
  return [...new Map([...at, ...from, ...to].map((row) => [row.ref, row])).values()];
}

function resolved(row: Assertion, resolve: Resolver): Assertion {
  return { ...row, ref: null, source: resolve(row.from), target: resolve(row.to), seen: false };
}

/** Every assertion of the same edges as these. Between nodes that came with this write there is no other. */
async function sameEdges(w: Writer, rows: readonly Assertion[], made: ReadonlySet<string>): Promise<Assertion[]> {
  const ids = new Set<string>();
  for (const row of rows) {
    const id = idOf(row);
    if (id !== null && !made.has(row.source!) && !made.has(row.target!)) ids.add(id);
  }
  return w.state.each<Assertion>(`UNWIND $rows AS id MATCH (a:Assertion {edge_id: id}) RETURN ${ASSERTION}`, ids);
}

/** Decides which assertion of each touched edge is seen and draws it; answers staying rows whose turn came or ended. */
async function settle(
  w: Writer,
  { leaving, fresh, staying }: Readonly<Record<'leaving' | 'fresh' | 'staying', readonly Assertion[]>>,
): Promise<Assertion[]> {
  const drawn = new Map<string, Assertion>();
  const groups = new Map<string, Assertion[]>();
  const touched = new Map<string, Assertion>();
  for (const row of [...leaving, ...fresh]) {
    const id = idOf(row);
    if (id !== null) touched.set(id, row);
  }
  for (const row of [...leaving, ...staying]) if (row.seen) drawn.set(idOf(row)!, row);
  for (const row of [...fresh, ...staying]) {
    const id = idOf(row);
    if (id !== null && touched.has(id)) push(groups, id, row);
  }
  const flipped: Assertion[] = [];
  const lines: Line[] = [];
  for (const [id, any] of touched) {
    const best = groups.get(id)?.sort((a, b) => byRank(a, b) || compare(keyOf(a), keyOf(b)))[0];
    const old = drawn.get(id);
    const { source, target, relation } = any;
    const line = { id, source: source!, target: target!, relation, was: old !== undefined };
    if (best === undefined) {
      if (old !== undefined) lines.push({ ...line, confidence: null, properties: null });
    } else lines.push({ ...line, confidence: best.confidence, properties: best.properties });
    for (const row of groups.get(id) ?? []) {
      const seen = row === best;
      if (row.seen === seen) continue;
      row.seen = seen;
      if (row.ref !== null) flipped.push(row);
    }
  }
  await draw(w, lines);
  return flipped;
}

/** A typed edge as it is to be seen; without confidence it goes. */
interface Line {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly was: boolean;
  readonly confidence: number | null;
  readonly properties: string | null;
}

async function draw({ state, domain }: Writer, lines: readonly Line[]): Promise<void> {
  const byType = new Map<string, Line[]>();
  for (const line of lines) push(byType, relationshipType(line.relation), line);
  const counts = state.count(domain);
  for (const [type, rows] of byType) {
    const ends = 'UNWIND $rows AS row MATCH (a:Node {id: row.source}) MATCH (b:Node {id: row.target})';
    const fresh = rows.filter((row) => !row.was && row.confidence !== null);
    const gone = rows.filter((row) => row.was && row.confidence === null);
    counts.edges += fresh.length - gone.length;
    await state.each(
      `${ends} CREATE (a)-[:${type} {id: row.id, confidence: row.confidence, properties: row.properties}]->(b)`,
      fresh,
    );
    await state.each(
      `${ends} MATCH (a)-[r:${type} {id: row.id}]->(b) SET r.confidence = row.confidence, r.properties = row.properties`,
      rows.filter((row) => row.was && row.confidence !== null),
    );
    await state.each(`${ends} MATCH (a)-[r:${type} {id: row.id}]->(b) DELETE r`, gone);
  }
}

async function insert({ state, domain }: Writer, rows: readonly Assertion[]): Promise<void> {
  const fields = rows.map(({ ref: _, seen, version, ord, ...row }) => {
    const id = idOf({ source: row.source, target: row.target, relation: row.relation });
    const norms = id === null ? { from_norm: normaliseName(row.from), to_norm: normaliseName(row.to) } : {};
    return { fields: { ...row, domain, seen, ...(id === null ? norms : { edge_id: id }) }, version, ord };
  });
  const numbers = 'a.version = toInteger(row.version), a.ord = toInteger(row.ord)';
  await state.each(
    `UNWIND $rows AS row CREATE (a:Assertion) SET a = row.fields, ${numbers}`,
    fields.filter((row) => 'edge_id' in row.fields),
  );
  await state.each(
    `UNWIND $rows AS row CREATE (a:Assertion:Waiting) SET a = row.fields, ${numbers}`,
    fields.filter((row) => !('edge_id' in row.fields)),
  );
}

function idOf({ source, target, relation }: Pick<Assertion, 'source' | 'target' | 'relation'>): string | null {
  return source === null || target === null ? null : edgeId(source, relation, target);
}

function keyOf(row: Assertion): string {
  return edgeKey({ source: row.from, target: row.to, relation: row.relation });
}
