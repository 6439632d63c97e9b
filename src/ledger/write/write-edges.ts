import { sql } from 'kysely';
import { forRows, forValues, GIVEN, insertRows, rowOf, type ValueRow } from '../../backends/store/rows.js';
import { push } from '../../core/group-by.js';
import { edgeName } from '../change.js';
import { TABLES } from '../checkpoint/table-columns.js';
import type { EdgeParts } from '../edits/edit-types.js';
import { byEditAndRank, type EditableAssertion, visibleOf } from '../edits/outrank.js';
import { type AssertedEdge, compare, edgeKey, isStronger } from '../manifest/asserted.js';
import { replacedRefs, type SourceChange } from '../manifest/source-change.js';
import type { Row, Writer } from '../tables.js';
import { endpointHash, type Resolver, resolverFor } from './endpoints.js';

/** `ref` is 0 for a row still to be written. */
interface EdgeAssertionRow extends EditableAssertion, Omit<Row<'edge'>, 'src_hash' | 'dst_hash' | 'shown'> {
  shown: number;
}

const EDGE = sql`e.ref, e.source, s.id as source_id, e.src_end, e.dst_end, e.relation, e.properties,
  e.confidence, e.version, e.src, e.dst, e.shown, e.edit`;

/**
 * Writes what sources assert about edges, resolves endpoints of other assertions again to nodes that were added or
 * removed, and decides which assertion of each edge is visible. `reresolved`: hashes of endpoints that may stand for
 * such a node. An assertion whose endpoints change is written anew, so a row never changes its endpoints.
 */
export async function writeEdges(
  w: Writer,
  changes: readonly SourceChange[],
  reresolved: ReadonlySet<number>,
): Promise<void> {
  const leaving = await leavingRows(w, changes);
  const asserted = await assertedRows(w, changes, leaving);
  const obsolete = new Set(leaving.map((row) => row.ref));
  const candidates = (await assertionsAt(w, reresolved)).filter((row) => !obsolete.has(row.ref));
  const unresolved = [...asserted, ...candidates];
  if (unresolved.length + leaving.length === 0) return;
  const endpoints = unresolved.flatMap((row) => [row.src_end, row.dst_end]);
  const resolve = await resolverFor(w, endpoints);
  const fresh = asserted.map((row) => resolved(row, resolve));
  for (const row of candidates) {
    const resolvedRow = resolved(row, resolve);
    if (resolvedRow.src === row.src && resolvedRow.dst === row.dst) continue;
    leaving.push(row);
    obsolete.add(row.ref);
    fresh.push(resolvedRow);
  }
  const staying = (await sameEndpoints(w, [...leaving, ...fresh])).filter((row) => !obsolete.has(row.ref));
  const flipped = decideVisible(w, { leaving, fresh, staying, obsolete });
  await forValues(w.db, obsolete)`delete from edge where ref in (select v from ${GIVEN})`;
  const visibility = flipped.map((row) => [row.ref, row.shown]);
  await forRows(w.db, { ref: 'int', shown: 'int' }, visibility)`
    update edge set shown = given.shown from ${GIVEN} where edge.ref = given.ref`;
  await insertEdges(w, fresh);
}

async function leavingRows(w: Writer, changes: readonly SourceChange[]): Promise<EdgeAssertionRow[]> {
  const replaced = await forValues(w.db, replacedRefs(changes))<EdgeAssertionRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.source = given.v join source s on s.ref = e.source`;
  const refs = changes.flatMap((change) => change.retracted?.edges ?? []);
  const retracted = await forValues(w.db, refs)<EdgeAssertionRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.ref = given.v join source s on s.ref = e.source`;
  return [...replaced, ...retracted];
}

/** Returns rows to be written; what a source that is added to asserted weaker or otherwise joins `leaving`. */
export async function assertedRows(
  w: Writer,
  changes: readonly SourceChange[],
  leaving: EdgeAssertionRow[],
): Promise<EdgeAssertionRow[]> {
  const rows: EdgeAssertionRow[] = [];
  for (const change of changes) {
    const edges = change.next?.edges ?? new Map<string, AssertedEdge>();
    const isAdded = change.existed && change.append;
    const known = isAdded ? await sameAssertions(w, change.ref, edges) : new Map<string, EdgeAssertionRow>();
    for (const [key, edge] of edges) {
      const properties = JSON.stringify(edge.properties);
      const old = known.get(key);
      if (old !== undefined) {
        if (change.retracted === undefined && !isStronger(edge, old, old.properties === properties)) continue;
        leaving.push(old);
      }
      const { source: src_end, target: dst_end, relation, confidence, edit = null } = edge;
      // Written out: an object that begins with a spread takes V8 five microseconds.
      rows.push({
        ref: 0,
        source: change.ref,
        source_id: change.id,
        src_end,
        dst_end,
        relation,
        properties,
        confidence,
        version: w.state.version,
        src: 0,
        dst: 0,
        shown: 0,
        edit,
      });
    }
  }
  return rows;
}

async function sameAssertions(
  w: Writer,
  source: number,
  edges: ReadonlyMap<string, AssertedEdge>,
): Promise<Map<string, EdgeAssertionRow>> {
  const hashes = [...edges.values()].map((edge) => endpointHash(w.domain, edge.source));
  const rows = await forValues(w.db, hashes)<EdgeAssertionRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.src_hash = given.v join source s on s.ref = e.source
    where +e.source = ${source}`;
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Returns the assertions of any source with an endpoint of such a hash. */
async function assertionsAt(w: Writer, hashes: ReadonlySet<number>): Promise<EdgeAssertionRow[]> {
  const rows = await forValues(w.db, hashes)<EdgeAssertionRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.src_hash = given.v join source s on s.ref = e.source
    union select ${EDGE} from ${GIVEN} join edge e on e.dst_hash = given.v join source s on s.ref = e.source`;
  return [...new Map(rows.map((row) => [row.ref, row])).values()];
}

function resolved(row: EdgeAssertionRow, resolve: Resolver): EdgeAssertionRow {
  return { ...row, ref: 0, src: resolve(row.src_end), dst: resolve(row.dst_end), shown: 0 };
}

/** Returns the assertions between the same two nodes as one of these. */
async function sameEndpoints(w: Writer, rows: readonly EdgeAssertionRow[]): Promise<EdgeAssertionRow[]> {
  const pairs = new Map<string, ValueRow>();
  for (const { src, dst } of rows) if (src !== 0 && dst !== 0) pairs.set(`${src},${dst}`, [src, dst]);
  return forRows(w.db, { a: 'int', b: 'int' }, [...pairs.values()])<EdgeAssertionRow>`
    select ${EDGE} from ${GIVEN} join edge e on e.src = given.a and e.dst = given.b join source s on s.ref = e.source`;
}

/** Decides which assertion of each touched edge is visible; returns staying rows whose visibility changed. */
function decideVisible(
  w: Writer,
  step: {
    readonly leaving: readonly EdgeAssertionRow[];
    readonly staying: readonly EdgeAssertionRow[];
    /** Takes rows of edits that are written anew. */
    readonly fresh: EdgeAssertionRow[];
    readonly obsolete: Set<number>;
  },
): EdgeAssertionRow[] {
  const { leaving, fresh, staying, obsolete } = step;
  const before = new Map<string, EdgeAssertionRow>();
  const groups = new Map<string, EdgeAssertionRow[]>();
  const touched = new Set([...leaving, ...fresh].filter((row) => row.src !== 0 && row.dst !== 0).map(edgeName));
  for (const row of [...leaving, ...staying]) if (row.shown === 1) before.set(edgeName(row), row);
  for (const row of [...fresh, ...staying]) {
    const edge = edgeName(row);
    if (touched.has(edge)) push(groups, edge, row);
  }
  const counts = w.state.count(w.domain.ref);
  const flipped: EdgeAssertionRow[] = [];
  for (const edge of touched) {
    const group = groups.get(edge) ?? [];
    const sorted = [...group].sort((a, b) => byEditAndRank(a, b) || compare(keyOf(a), keyOf(b)));
    const best = visibleOf(sorted, laidOver);
    if (best !== undefined && !group.includes(best)) rewrite(best, sorted[0]!, { group, fresh, obsolete });
    const old = before.get(edge);
    if (best !== undefined && old !== undefined && best === old) w.state.change.touchEdge(best);
    counts.edges += (best === undefined ? 0 : 1) - (old === undefined ? 0 : 1);
    if (old !== undefined && old !== best)
      w.state.change.edges.set(old.ref, { src: old.src, dst: old.dst, relation: old.relation, confidence: null });
    for (const row of group) {
      const shown = row === best ? 1 : 0;
      if (row.shown === shown) continue;
      row.shown = shown;
      if (row.ref === 0) continue;
      flipped.push(row);
      if (shown === 1) {
        const { src, dst, relation, confidence } = row;
        w.state.change.edges.set(row.ref, { src, dst, relation, confidence });
      }
    }
  }
  return flipped;
}

/** Returns an edit's row with what it leaves to the others; the row itself where it has that already. */
function laidOver(edit: EdgeAssertionRow, parts: EdgeParts, base: EdgeAssertionRow): EdgeAssertionRow {
  const confidence = parts.confidence ?? base.confidence;
  const properties = parts.properties === undefined ? base.properties : JSON.stringify(parts.properties);
  if (edit.confidence === confidence && edit.properties === properties) return edit;
  return { ...edit, ref: 0, confidence, properties, shown: 0 };
}

/** Puts a row in the place of the one it is a copy of. */
function rewrite(
  next: EdgeAssertionRow,
  old: EdgeAssertionRow,
  at: { readonly group: EdgeAssertionRow[]; readonly fresh: EdgeAssertionRow[]; readonly obsolete: Set<number> },
): void {
  at.group.splice(at.group.indexOf(old), 1, next);
  if (old.ref === 0) at.fresh.splice(at.fresh.indexOf(old), 1, next);
  else {
    at.obsolete.add(old.ref);
    at.fresh.push(next);
  }
}

const { ref: _, ...EDGE_COLUMNS } = TABLES.edge.columns;
const edgeRow = rowOf(EDGE_COLUMNS);

async function insertEdges(w: Writer, rows: readonly EdgeAssertionRow[]): Promise<void> {
  const made = await insertRows(w.db, 'edge', {
    columns: EDGE_COLUMNS,
    rows: rows.map((row) => {
      const [src_hash, dst_hash] = [endpointHash(w.domain, row.src_end), endpointHash(w.domain, row.dst_end)];
      return edgeRow({ ...row, src_hash, dst_hash });
    }),
    tail: sql`returning ref, src, dst, relation, shown, confidence`,
  });
  for (const { ref, src, dst, relation, shown, confidence } of made as EdgeAssertionRow[]) {
    if (shown === 1) w.state.change.edges.set(ref, { src, dst, relation, confidence });
  }
}

function keyOf(row: EdgeAssertionRow): string {
  return edgeKey({ source: row.src_end, target: row.dst_end, relation: row.relation });
}
