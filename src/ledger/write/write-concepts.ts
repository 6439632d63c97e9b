import { sql } from 'kysely';
import { columnTypes, forRows, forValues, GIVEN, insertRows, rowOf, type ValueRow } from '../../backends/store/rows.js';
import { slicer } from '../../core/async/slices.js';
import { push } from '../../core/group-by.js';
import { fnv1a } from '../../core/random.js';
import { TABLES } from '../checkpoint/table-columns.js';
import { addedRow, type ConceptRow, conceptEdits, planConceptEdits } from '../edits/concept-edits.js';
import { linksByName } from '../edits/new-names.js';
import { byConceptRank, isNamedById, resolveConflict } from '../manifest/asserted.js';
import {
  type ConceptChange,
  hasVectorBy,
  sameConcept,
  seenAs,
  type VisibleConcept,
} from '../manifest/concept-change.js';
import { replacedRefs, type SourceChange, taken } from '../manifest/source-change.js';
import { mergesAround } from '../merge/merged-nodes.js';
import { type MergePlan, planMerges } from '../merge/plan-merges.js';
import { writeMerges } from '../merge/write-merges.js';
import {
  BY_ID,
  CONCEPT,
  ENTITY,
  insertNodes,
  NAMED,
  type NodeRow,
  nodesById,
  nodesByRef,
  PASSAGE,
  RENAMED,
  type Writer,
} from '../tables.js';

/** A concept before and after a write, with its number. */
export interface StoredConceptChange extends ConceptChange {
  ref: number;
  /** Whether texts that mention its name may lead to it now and not before, or the other way round. */
  reowned: boolean;
}

interface ConceptAssertionRow extends ConceptRow {
  readonly node: number;
}

interface PlannedConcept extends StoredConceptChange {
  readonly node: NodeRow | undefined;
  readonly best: ConceptRow | null;
  /** Whether an edit gave it its name. */
  readonly renamed: boolean;
}

export interface ConceptPlan {
  /** `ref` of a new node is 0 until it is written. */
  readonly changes: readonly PlannedConcept[];
  /** Assertions to write, by node id. */
  readonly rows: ReadonlyArray<readonly [string, ConceptRow]>;
  readonly replaced: readonly number[];
  readonly merges: MergePlan;
  /** Single assertions that go: numbers of node and source. */
  readonly retracted: ReadonlyArray<readonly [number, number]>;
}

/** Reads what the change touches and decides what will be visible. `conflict` where an id is a passage's. */
export async function planConcepts(
  w: Writer,
  changes: readonly SourceChange[],
  reviewed: readonly string[] = [],
): Promise<ConceptPlan> {
  const replaced = replacedRefs(changes);
  const old = await forValues(w.db, replaced)<{ node: number }>`
    select distinct c.node from ${GIVEN} join concept c on c.source = given.v`;
  const nodes = new Map<string, NodeRow>();
  const keep = (rows: readonly NodeRow[]): void => {
    for (const node of rows) nodes.set(node.id, node);
  };
  const unread = (ids: readonly string[]): string[] => ids.filter((id) => !nodes.has(id));
  const asserting = old.map((row) => row.node);
  keep(await nodesByRef(w.db, asserting));
  const asserted = new Set(changes.flatMap((change) => [...(change.next?.concepts.keys() ?? [])]));
  const leaving = new Set(
    changes.flatMap(({ ref, retracted }) => (retracted?.concepts ?? []).map((id) => `${ref} ${id}`)),
  );
  const withdrawing = changes.flatMap((change) => change.retracted?.concepts ?? []);
  keep(await nodesById(w.db, unread([...asserted, ...reviewed, ...withdrawing])));
  const around = await mergesAround(w, [...nodes.keys(), ...asserted, ...reviewed], replaced);
  keep(await nodesById(w.db, unread([...around.ids])));
  for (const node of nodes.values()) if (node.kind === PASSAGE) throw taken(node.id);

  const edits = await conceptEdits(w, [...nodes.keys(), ...asserted, ...around.ids, ...reviewed]);
  const obsolete = new Set(replaced);
  const known = new Map<string, ConceptRow[]>();
  const shown = new Map<string, ConceptRow>();
  const edited = new Map<string, ConceptRow>();
  const retracted: Array<readonly [number, number]> = [];
  const byRef = new Map([...nodes.values()].map((node) => [node.ref, node]));
  for (const row of await assertionsOf(w, byRef.keys())) {
    const node = byRef.get(row.node)!;
    if (node.kind === CONCEPT && node.shown === row.source) shown.set(node.id, row);
    if (edits !== null && row.source === edits.source.ref) edited.set(node.id, row);
    else if (leaving.has(`${row.source} ${node.id}`)) retracted.push([node.ref, row.source]);
    else if (!obsolete.has(row.source)) push(known, node.id, row);
  }
  for (const { id, ...row } of around.assertions) if (!obsolete.has(row.source)) push(known, id, row);
  const pause = slicer();
  const rows: Array<readonly [string, ConceptRow]> = [];
  for (const change of changes) {
    const { ref: source, id: source_id } = change;
    const { version } = w.state;
    for (const concept of change.next?.concepts.values() ?? []) {
      const { id, name, description, confidence } = concept;
      const properties = JSON.stringify(concept.properties);
      const row = { id, name, description, properties, confidence, source, source_id, version };
      if (!resolveConflict(known.get(id), row, sameConcept, change.retracted !== undefined)) continue;
      push(known, id, row);
      rows.push([id, row]);
      await pause();
    }
  }
  for (const id of edits?.folds.keys() ?? []) {
    const row = addedRow(w, edits!, id);
    if (row !== null) push(known, id, row);
  }
  const isAsserted = (id: string): boolean => (known.get(id)?.length ?? 0) > 0;
  const links = edits === null ? around.links : linksByName(w.domain.name, around, { folds: edits.folds, isAsserted });
  const plain = planMerges({ ...around, links }, known);
  const { visible, withdrawn, merges } =
    edits === null
      ? { visible: new Map<string, ConceptRow>(), withdrawn: [], merges: plain }
      : planConceptEdits(w, edits, { known, written: edited, merges: plain });
  // What moves between seen and merged is written anew.
  const added = new Set(rows.map(([, row]) => row));
  for (const id of [...merges.hiding, ...merges.showing]) {
    for (const row of known.get(id) ?? []) {
      if (!added.has(row) && row.source !== edits?.source.ref) rows.push([id, row]);
    }
  }
  for (const [id, row] of visible) if (row !== edited.get(id)) rows.push([id, row]);
  for (const id of withdrawn) retracted.push([nodes.get(id)!.ref, edited.get(id)!.source]);
  const plans: PlannedConcept[] = [];
  for (const id of new Set([...nodes.keys(), ...asserted, ...around.ids, ...visible.keys()])) {
    const node = nodes.get(id);
    const best = visible.get(id) ?? known.get(id)?.sort(byConceptRank)[0] ?? null;
    const before = node?.kind === CONCEPT ? asShown(node, shown.get(id)) : null;
    const after = best === null || merges.hidden.has(id) ? null : seenAs(best);
    // A merged concept that stays merged has no node, and no change.
    if (node === undefined && after === null) continue;
    const renamed = visible.has(id) && edits?.folds.get(id)?.name !== undefined;
    plans.push({ ref: node?.ref ?? 0, id, node, before, after, best, renamed, reowned: false });
    await pause();
  }
  return { changes: plans, rows, replaced, retracted, merges };
}

/** Writes the plan. A concept that nobody asserts any more is left as a bare entity, for `resolveEntityNodes`. */
export async function writeConcepts(w: Writer, plan: ConceptPlan): Promise<void> {
  const pause = slicer();
  const refs = new Map<string, number>();
  const inserts: Array<readonly [string, ...ValueRow]> = [];
  const updates: ValueRow[] = [];
  for (const change of plan.changes) {
    const { id, node, after, best, renamed } = change;
    if (node !== undefined) refs.set(id, node.ref);
    if (best === null || after === null) {
      if (node !== undefined && node.kind === CONCEPT) {
        updates.push([node.ref, ENTITY, 0, node.key, node.norm, node.name, node.confidence, 0]);
      }
      continue;
    }
    const own = isNamedById(w.domain.name, { id, name: best.name }) ? NAMED : renamed ? RENAMED : BY_ID;
    change.reowned = node !== undefined && node.own !== own;
    const row = [own, after.key, after.norm, after.name, best.confidence, best.source] as const;
    if (node === undefined) inserts.push([id, ...row]);
    else if (!sameRow(node, [CONCEPT, ...row])) updates.push([node.ref, CONCEPT, ...row]);
    await pause();
  }
  for (const [id, ref] of await insertNodes(w, CONCEPT, inserts)) refs.set(id, ref);
  await forRows(w.db, NODE_UPDATE, updates)`
    update node set kind = given.kind, own = given.own, key = given.key, norm = given.norm, name = given.name,
    confidence = given.confidence, shown = given.shown from ${GIVEN} where node.ref = given.ref`;
  for (const change of plan.changes) {
    change.ref = refs.get(change.id)!;
    const { before, after, id } = change;
    w.state.change.records.add(change.ref);
    if ((before === null) !== (after === null)) {
      const kind = after === null ? ENTITY : CONCEPT;
      w.state.change.setNode(change.ref, { domain: w.domain.ref, kind, hash: fnv1a(id) });
    }
  }
  const refOf = (id: string) => refs.get(id) ?? 0;
  const { hiding, hidden } = plan.merges;
  const assertions = plan.rows.filter(([id]) => hidden.has(id));
  await forValues(w.db, hiding.map(refOf))`delete from concept where node in (select v from ${GIVEN})`;
  await forValues(w.db, plan.replaced)`delete from concept where source in (select v from ${GIVEN})`;
  await writeMerges(w, plan.merges, { replaced: plan.replaced, assertions, refOf });
  await forRows(w.db, { node: 'int', source: 'int' }, plan.retracted)`
    delete from concept where (node, source) in (select node, source from ${GIVEN})`;
  await insertRows(w.db, 'concept', {
    columns: TABLES.concept.columns,
    rows: plan.rows.filter(([id]) => !hidden.has(id)).map(([id, row]) => conceptRow({ ...row, node: refs.get(id)! })),
    tail: sql`on conflict (node, source) do update set name = excluded.name, description = excluded.description,
      properties = excluded.properties, confidence = excluded.confidence, version = excluded.version`,
  });
}

const conceptRow = rowOf(TABLES.concept.columns);

const NODE_UPDATE = columnTypes(
  'ref int, kind int, own int, key text, norm text, name text, confidence real, shown int',
);

function assertionsOf(w: Writer, refs: Iterable<number>): Promise<ConceptAssertionRow[]> {
  return forValues(w.db, refs)<ConceptAssertionRow>`
    select c.node, c.source, s.id as source_id, c.name, c.description, c.properties, c.confidence, c.version
    from ${GIVEN} join concept c on c.node = given.v join source s on s.ref = c.source`;
}

function asShown({ name, key, norm }: NodeRow, row: ConceptRow | undefined): VisibleConcept {
  return { name, key, norm, description: row?.description ?? '', hasVector: hasVectorBy(row?.properties ?? '') };
}

function sameRow(node: NodeRow, row: readonly [number, number, string, string, string, number, number]): boolean {
  const now = [node.kind, node.own, node.key, node.norm, node.name, node.confidence, node.shown];
  return now.every((value, i) => value === row[i]);
}
