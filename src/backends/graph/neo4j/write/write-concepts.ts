import { SvcError } from '../../../../core/errors.js';
import { fnv1a } from '../../../../core/random.js';
import { push } from '../../../../ledger/groups.js';
import { type AssertedConcept, byRank, isNamedById } from '../../../../ledger/manifest/asserted.js';
import {
  type ConceptChange as Change,
  type HeldConcept,
  type Seen,
  sameConcept,
  seenAs,
} from '../../../../ledger/manifest/concept-change.js';
import { shortNorm } from '../../../../ledger/manifest/ends.js';
import { replacedIds, type SourceChange, taken } from '../../../../ledger/manifest/source-change.js';
import { makeWay } from '../../../../ledger/manifest/succession.js';
import type { Writer } from './writer.js';

/** A concept before and after a write. */
export interface ConceptChange extends Change {
  /** True where no node of this id existed, not even a bare entity. */
  readonly fresh: boolean;
}

interface NodeRow extends Seen {
  readonly id: string;
  readonly kind: string;
  readonly held: readonly HeldConcept[];
  readonly [column: string]: unknown;
}

interface Plan extends ConceptChange {
  readonly best: HeldConcept | null;
}

export interface ConceptPlan {
  readonly changes: readonly Plan[];
  /** Assertions to write. */
  readonly rows: ReadonlyArray<HeldConcept & { readonly id: string }>;
  /** Sources of which all former assertions go first. */
  readonly replaced: readonly string[];
}

/** Reads what the change touches and decides what will be seen; writes nothing. `conflict` where an id is a passage's. */
export async function planConcepts(w: Writer, changes: readonly SourceChange[]): Promise<ConceptPlan> {
  const replaced = replacedIds(changes);
  const old = await w.state.each<{ id: string }>(
    'UNWIND $rows AS id MATCH (:Source {id: id})-[:ASSERTS]->(n:Concept) RETURN DISTINCT n.id AS id',
    replaced,
  );
  const ids = new Set(old.map((row) => row.id));
  for (const change of changes) for (const id of change.next?.concepts.keys() ?? []) ids.add(id);
  const nodes = new Map<string, NodeRow>();
  for (const node of await nodesToChange(w, ids)) nodes.set(node.id, node);
  for (const node of nodes.values()) if (node.kind === 'passage') throw taken(node.id);
  const gone = new Set(replaced);
  const held = new Map<string, HeldConcept[]>();
  for (const node of nodes.values()) {
    for (const row of node.held) if (!gone.has(row.source_id)) push(held, node.id, row);
  }
  const rows: Array<HeldConcept & { readonly id: string }> = [];
  for (const change of changes) {
    for (const concept of change.next?.concepts.values() ?? []) {
      const row = heldAs(concept, change.id, w.state.version);
      if (!makeWay(held.get(concept.id), row, sameConcept)) continue;
      push(held, concept.id, row);
      rows.push({ ...row, id: concept.id });
    }
  }
  const plans = [...ids].map((id): Plan => {
    const node = nodes.get(id);
    const best = held.get(id)?.sort(byRank)[0] ?? null;
    const before = node?.kind === 'concept' ? node : null;
    return { id, before, after: best === null ? null : seenAs(best), best, fresh: node === undefined };
  });
  return { changes: plans, rows, replaced };
}

function nodesToChange(w: Writer, ids: Iterable<string>): Promise<NodeRow[]> {
  return w.state.each<NodeRow>(
    `UNWIND $rows AS id MATCH (n:Node {id: id})
     RETURN n.id AS id, n.name AS name, coalesce(n.description, '') AS description, n.key AS key, n.norm AS norm,
       CASE WHEN n:Concept THEN 'concept' WHEN n:Passage THEN 'passage' ELSE 'entity' END AS kind,
       [(s:Source)-[a:ASSERTS]->(n) | {source_id: s.id, name: a.name, description: a.description,
         properties: a.properties, confidence: a.confidence, version: a.version}] AS held`,
    ids,
  );
}

/** Writes the plan. A concept that nobody asserts any more is left as a bare entity, for `settleKeys` to keep or remove. */
export async function writeConcepts(w: Writer, plan: ConceptPlan): Promise<void> {
  const { state, domain } = w;
  await state.each('UNWIND $rows AS id MATCH (:Source {id: id})-[a:ASSERTS]->(:Concept) DELETE a', plan.replaced);
  const shown = plan.changes.flatMap(({ id, best, after, fresh }) => {
    if (best === null || after === null) return [];
    const named = isNamedById(domain, { id, name: best.name });
    const { name, description, confidence, properties } = best;
    const short = named ? null : shortNorm(domain, id);
    const { key, norm } = after;
    const own = !named;
    const fields = { id, domain, name, description, confidence, properties, key, norm, own, short };
    return [{ fresh, id, fields, hash: fnv1a(id) }];
  });
  const staged = state.staged?.concepts ?? new Set<string>();
  const fresh = shown.filter((row) => row.fresh && !staged.has(row.id));
  const known = shown.filter((row) => !row.fresh);
  state.count(domain).concepts += fresh.length + staged.size;
  await showStaged(w, staged);
  await state.each(
    'UNWIND $rows AS row CREATE (n:Node:Concept) SET n = row.fields, n.hash = toInteger(row.hash)',
    fresh,
  );
  await state.each(
    'UNWIND $rows AS row MATCH (n:Node {id: row.id}) SET n:Concept, n += row.fields REMOVE n:Entity',
    known,
  );
  await state.each(
    'UNWIND $rows AS id MATCH (n:Node {id: id}) SET n:Entity, n.own = null, n.short = null REMOVE n:Concept',
    plan.changes.filter(({ before, after }) => before !== null && after === null).map((change) => change.id),
  );
  const made = new Set(fresh.map((row) => row.id));
  await state.each(
    `UNWIND $rows AS row MATCH (s:Source {id: row.source_id}) MATCH (n:Node {id: row.id})
     MERGE (s)-[a:ASSERTS]->(n) SET a.name = row.name, a.description = row.description,
       a.properties = row.properties, a.confidence = row.confidence, a.version = toInteger(row.version)`,
    plan.rows.filter((row) => !made.has(row.id) && !staged.has(row.id)),
  );
  await state.each(
    `UNWIND $rows AS row MATCH (s:Source {id: row.source_id}) MATCH (n:Node {id: row.id})
     CREATE (s)-[:ASSERTS {name: row.name, description: row.description, properties: row.properties,
       confidence: row.confidence, version: toInteger(row.version)}]->(n)`,
    plan.rows.filter((row) => made.has(row.id)),
  );
  await fileNames(w, plan.changes);
}

/** Makes staged concepts seen: all of them, or `unavailable` and nothing. */
async function showStaged({ state }: Writer, staged: ReadonlySet<string>): Promise<void> {
  const shown = await state.each(
    'UNWIND $rows AS id MATCH (n:Staged {id: id}) SET n:Node:Concept REMOVE n:Staged RETURN 1',
    staged,
  );
  if (shown.length === staged.size) return;
  throw new SvcError(
    'unavailable',
    `Only ${shown.length} of ${staged.size} staged concepts were left of the load; try again.`,
    undefined,
    { retriable: true },
  );
}

/** Concepts are about their names, as far as somebody else uses the key too. */
async function fileNames({ state, domain }: Writer, changes: readonly ConceptChange[]): Promise<void> {
  const renamed = changes.filter(({ before, after }) => before?.key !== after?.key);
  await state.each(
    'UNWIND $rows AS id MATCH (:Node {id: id})-[a:ABOUT]->(:Key) DELETE a',
    renamed.filter((change) => change.before !== null).map((change) => change.id),
  );
  await state.each(
    `UNWIND $rows AS row MATCH (k:Key {domain: $domain, key: row.key}) MATCH (n:Node {id: row.id})
     CREATE (n)-[:ABOUT {alias: false}]->(k)`,
    renamed.flatMap(({ id, after }) => (after === null ? [] : [{ id, key: after.key }])),
    { domain },
  );
}

function heldAs(concept: AssertedConcept, source_id: string, version: number): HeldConcept {
  const { name, description, confidence } = concept;
  return { source_id, name, description, properties: JSON.stringify(concept.properties), confidence, version };
}
