import { forRows, forValues, GIVEN } from '../../backends/store/rows.js';
import { forEachInSlices, mapInSlices } from '../../core/async/slices.js';
import { conceptId, normaliseName } from '../../core/ids.js';
import { refsOf } from '../groups.js';
import { ENTITY_CONFIDENCE } from '../manifest/asserted.js';
import { movedKeys } from '../manifest/concept-change.js';
import type { AboutChange } from '../manifest/passage-change.js';
import { unpackMentions, usualName } from '../mention-blob.js';
import { CONCEPT, ENTITY, insertNodes, nodesById, nodesByRef, type Writer } from '../tables.js';
import { aboutArcs, conceptCounts, type KeyRow, keysByName } from './key-table.js';
import type { StoredConceptChange } from './write-concepts.js';
import type { MentionedKeys, Namer } from './write-mentions.js';

/**
 * Resolves which node stands for each key that a write touched: the concept of its name without a caller's id, also one
 * that an edit named otherwise; else the one that an edit gave it; else a bare entity, which exists just as long as
 * something mentions the key. Then removes entities that nothing needs, and among them the concepts that nobody asserts
 * any more.
 */
export async function resolveEntityNodes(
  w: Writer,
  touched: MentionedKeys,
  concepts: readonly StoredConceptChange[],
  aliases: readonly AboutChange[] = [],
): Promise<void> {
  const keys = new Map<number, KeyRow>(touched.keys);
  const names = movedKeys(concepts);
  for (const { after, reowned } of concepts) if (reowned && after !== null) names.add(after.key);
  for (const { key } of aliases) names.add(key);
  const rows = await keysByName(w.db, w.domain.ref, names);
  for (const row of rows) if (!keys.has(row.ref)) keys.set(row.ref, row);
  const all = [...keys.values()];
  const byName = new Map(await mapInSlices(all, (row) => [row.key, row] as const));
  markConcepts(w, concepts, byName);
  // A renamed concept stays found by its former name.
  for (const { key, node, after } of aliases) {
    const row = byName.get(key);
    if (row !== undefined && after !== null) w.state.change.setAbout(row.ref, node, Number(after));
  }
  const before = new Map(await mapInSlices(all, (row) => [row.ref, row.node] as const));

  const obsolete = new Set(
    concepts.filter((change) => change.after === null && change.before !== null).map((change) => change.ref),
  );
  const mentioned = all.filter((row) => row.mentions > 0);
  const unmentioned = all.filter((row) => row.mentions === 0 && row.node !== 0);
  await forEachInSlices(unmentioned, (row) => {
    obsolete.add(row.node);
    w.state.change.keyNodes.set(row.ref, null);
    row.node = 0;
  });
  const undecided = mentioned.filter((row) => row.node === 0 || names.has(row.key));
  const named = await decide(w, undecided, { touched, obsolete });
  const others = mentioned.filter((row) => !named.has(row));
  await rename(w, others, touched);
  const isOther = ({ ref, node, mentions }: KeyRow): boolean =>
    node !== before.get(ref) || mentions !== touched.keys.get(ref)?.mentionsBefore;
  await saveKeys(w, all.filter(isOther));
  await removeBare(w, obsolete);
}

/** Marks the arcs of concepts, which are about their own names: these arcs are added and removed with them. */
function markConcepts(w: Writer, concepts: readonly StoredConceptChange[], keys: ReadonlyMap<string, KeyRow>): void {
  for (const { ref, before, after } of concepts) {
    if (before?.key === after?.key) continue;
    const old = before === null ? undefined : keys.get(before.key);
    const now = after === null ? undefined : keys.get(after.key);
    if (old !== undefined) w.state.change.setAbout(old.ref, ref, null);
    if (now !== undefined) w.state.change.setAbout(now.ref, ref, 0);
  }
}

/** Returns the keys whose entity got its name here. */
async function decide(
  w: Writer,
  rows: readonly KeyRow[],
  { touched, obsolete }: { readonly touched: MentionedKeys; readonly obsolete: Set<number> },
): Promise<ReadonlySet<KeyRow>> {
  if (rows.length === 0) return new Set();
  const keys = rows.map((row) => row.key);
  const counts = await conceptCounts(w.db, w.domain.ref, keys);
  const byKey = new Map(counts.map((count) => [count.key, count]));
  const ids = new Map(await mapInSlices(rows, (row) => [row.ref, conceptId(w.domain.name, row.key)] as const));
  const given = counts.flatMap(({ hashed, renamed }) => [hashed, renamed].filter((id) => id !== null));
  const found = await nodesById(w.db, new Set([...ids.values(), ...given]));
  const nodes = new Map(await mapInSlices(found, (node) => [node.id, node] as const));
  await forEachInSlices(rows, (row) => {
    const { hashed = null, renamed = null } = byKey.get(row.key) ?? {};
    const isConcept = nodes.get(ids.get(row.ref)!)?.kind === CONCEPT;
    const id = hashed ?? (isConcept ? null : renamed);
    if (id !== null) ids.set(row.ref, id);
  });
  const named = new Set(counts.map((count) => count.key));
  const fresh = rows.filter((row) => row.node === 0 && (row.titles > 0 || row.aliases > 0 || named.has(row.key)));
  const needName: KeyRow[] = [];
  const missing: KeyRow[] = [];
  const changed: KeyRow[] = [];
  await forEachInSlices(rows, (row) => {
    const node = nodes.get(ids.get(row.ref)!);
    if (node === undefined) missing.push(row);
    else if (node.kind === ENTITY && (node.ref !== row.node || obsolete.has(node.ref))) needName.push(row);
    if (node === undefined || node.ref === row.node) return;
    changed.push(row);
    if (row.node !== 0) obsolete.add(row.node);
    row.node = node.ref;
  });
  const entities = await mapInSlices(missing, (row) => {
    const namer = soleNamer(row, touched);
    if (namer === undefined) needName.push(row);
    const { name, ref } = namer ?? { name: '', ref: 0 };
    return [ids.get(row.ref)!, 0, row.key, normaliseName(name), name, ENTITY_CONFIDENCE, ref] as const;
  });
  const refs = await insertNodes(w, ENTITY, entities);
  await forEachInSlices(missing, (row) => {
    if (row.node !== 0) obsolete.add(row.node);
    row.node = refs.get(ids.get(row.ref)!)!;
    changed.push(row);
  });
  // A node that one key leaves may stand for another one.
  for (const row of rows) obsolete.delete(row.node);
  await forEachInSlices(changed, (row) => w.state.change.keyNodes.set(row.ref, row.node));
  await markAbout(w, fresh);
  await setNames(w, await findNamers(w, needName));
  return new Set([...missing, ...needName]);
}

/** Returns the passage that names an entity which only passages of this write mention. */
function soleNamer(row: KeyRow, touched: MentionedKeys): Namer | undefined {
  return touched.keys.get(row.ref)?.mentionsBefore === 0 ? touched.namers.get(row.ref) : undefined;
}

/** Marks the arcs of a key that becomes an entity node: all that is about it. */
async function markAbout(w: Writer, rows: readonly KeyRow[]): Promise<void> {
  const found = await aboutArcs(w.db, refsOf(rows));
  await forEachInSlices(found, ({ key, node, alias }) => w.state.change.setAbout(key, node, alias));
}

async function saveKeys(w: Writer, rows: readonly KeyRow[]): Promise<void> {
  const counts = rows.map((row) => [row.ref, row.node, row.mentions]);
  await forRows(w.db, { ref: 'int', entity: 'int', count: 'int' }, counts)`
    update key set node = given.entity, mentions = given.count from ${GIVEN} where key.ref = given.ref`;
}

/** Renames entities: each has the name that the passage with the lowest id gives it. */
async function rename(w: Writer, rows: readonly KeyRow[], touched: MentionedKeys): Promise<void> {
  const nodes = rows.map((row) => row.node);
  const entityNodes = new Map((await nodesByRef(w.db, nodes)).map((node) => [node.ref, node]));
  const entities = rows.filter((row) => entityNodes.get(row.node)?.kind === ENTITY);
  const namedBy = entities.map((row) => entityNodes.get(row.node)!.shown);
  const shown = await nodesByRef(w.db, namedBy);
  const namers = new Map(shown.map((node) => [node.ref, node.id]));
  const known: Array<readonly [KeyRow, Namer]> = [];
  const unknown: KeyRow[] = [];
  for (const row of entities) {
    const entityNode = entityNodes.get(row.node)!;
    const best = touched.namers.get(row.ref);
    const now = namers.get(entityNode.shown);
    if (best !== undefined && now !== undefined && best.id <= now) {
      if (best.ref !== entityNode.shown || best.name !== entityNode.name) known.push([row, best]);
    } else if (now === undefined || touched.passages.has(entityNode.shown)) unknown.push(row);
  }
  await setNames(w, [...known, ...(await findNamers(w, unknown))]);
}

async function findNamers(w: Writer, rows: readonly KeyRow[]): Promise<Array<readonly [KeyRow, Namer]>> {
  const byRef = new Map(rows.map((row) => [row.ref, row]));
  const first = await forValues(w.db, byRef.keys())<{ key: number; id: string }>`
    select m.key, min(n.id) as id from ${GIVEN} join mention m on m.key = given.v join node n on n.ref = m.passage
    group by m.key`;
  const ids = first.map((row) => row.id);
  const blobs = await forValues(w.db, ids)<{ ref: number; id: string; mentions: Uint8Array }>`
    select n.ref, n.id, p.mentions from ${GIVEN} join node n on n.id = given.v join passage p on p.node = n.ref`;
  const passages = new Map(blobs.map((row) => [row.id, row]));
  return mapInSlices(first, ({ key, id }) => {
    const row = byRef.get(key)!;
    const passage = passages.get(id)!;
    const mention = unpackMentions(passage.mentions).find((candidate) => candidate.key === key);
    return [row, { ref: passage.ref, id, name: mention?.name ?? usualName(row.key) }] as const;
  });
}

async function setNames(w: Writer, named: ReadonlyArray<readonly [KeyRow, Namer]>): Promise<void> {
  for (const [row] of named) w.state.change.records.add(row.node);
  const columns = { ref: 'int', key: 'text', norm: 'text', name: 'text', shown: 'int' } as const;
  const rows = await mapInSlices(named, ([row, { name, ref }]) => [row.node, row.key, normaliseName(name), name, ref]);
  await forRows(w.db, columns, rows)`
    update node set key = given.key, norm = given.norm, name = given.name, shown = given.shown,
    confidence = ${ENTITY_CONFIDENCE} from ${GIVEN} where node.ref = given.ref and node.kind = ${ENTITY}`;
}

/** Removes those of these nodes that are bare entities. */
async function removeBare(w: Writer, refs: ReadonlySet<number>): Promise<void> {
  const removed = await forValues(w.db, refs)<{ ref: number; id: string }>`
    delete from node where ref in (select v from ${GIVEN}) and kind = ${ENTITY} returning ref, id`;
  await forEachInSlices(removed, ({ ref, id }) => w.state.change.removeNode(ref, id));
  w.state.count(w.domain.ref).concepts -= removed.length;
}
