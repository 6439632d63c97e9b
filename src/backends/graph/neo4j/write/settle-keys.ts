import { conceptId, normaliseName } from '../../../../core/ids.js';
import { fnv1a } from '../../../../core/random.js';
import { MAX_ALIASES } from '../../../../ledger/key-limits.js';
import { compare, ENTITY_CONFIDENCE } from '../../../../ledger/manifest/asserted.js';
import { type ConceptChange, movedKeys } from '../../../../ledger/manifest/concept-change.js';
import type { Writer } from './writer.js';

interface KeyRow {
  readonly key: string;
  readonly titles: number;
  /** Passages among the titles. */
  readonly titled: number;
  readonly aliases: number;
  readonly mentions: number;
  /** Passages that are about it by title, or by alias, without mentioning it. */
  readonly titledOnly: number;
  readonly aliasedOnly: number;
  /** The node that stands for it until now. */
  readonly node: string | null;
  /** Concepts of that name without a caller's id. */
  readonly hashed: readonly string[];
  readonly [column: string]: unknown;
}

/**
 * Brings keys in line with what is about them and mentions them: counts, and the node that stands for each: the concept
 * of its name without a caller's id, else a bare entity, which exists just as long as something mentions the key. Then
 * removes keys and entities that nothing needs, and among them the concepts that nobody asserts any more.
 */
export async function settleKeys(
  w: Writer,
  touched: Iterable<string>,
  concepts: readonly ConceptChange[],
): Promise<void> {
  const { state, domain } = w;
  const keys = new Set(touched);
  for (const key of movedKeys(concepts)) keys.add(key);
  const rows = await readKeys(w, keys);
  const empty = rows.filter((row) => row.mentions === 0 && row.titled === 0 && row.aliases === 0);
  const gone = new Set(concepts.flatMap(({ id, before, after }) => (before !== null && after === null ? [id] : [])));
  const wanted = new Map<string, string>();
  for (const row of rows) {
    if (row.mentions === 0) {
      if (row.node !== null) gone.add(row.node);
      continue;
    }
    const node = [...row.hashed].sort(compare)[0] ?? conceptId(domain, row.key);
    wanted.set(row.key, node);
    if (row.node !== null && row.node !== node) gone.add(row.node);
  }
  for (const node of wanted.values()) gone.delete(node);
  await nameEntities(w, wanted);
  await state.each(
    `UNWIND $rows AS row MATCH (k:Key {domain: $domain, key: row.key})
     SET k.titles = toInteger(row.titles), k.aliases = toInteger(row.aliases), k.mentions = toInteger(row.mentions),
       k.kdf = toInteger(row.kdf), k.targets = toInteger(row.targets), k.node = row.node
     WITH k, row WHERE row.moved
     CALL (k) { MATCH (k)-[r:STANDS_FOR]->() DELETE r }
     WITH k, row WHERE row.node IS NOT NULL
     MATCH (n:Node {id: row.node}) CREATE (k)-[:STANDS_FOR]->(n)`,
    rows.filter((row) => !empty.includes(row)).map((row) => countsOf(row, wanted.get(row.key) ?? null)),
    { domain },
  );
  await state.each(
    'UNWIND $rows AS row MATCH (k:Key {domain: $domain, key: row.key}) DETACH DELETE k',
    empty.map(({ key }) => ({ key })),
    { domain },
  );
  const removed = await state.each(
    `UNWIND $rows AS id MATCH (n:Node {id: id}) USING INDEX SEEK n:Node(id) WHERE NOT n:Concept AND NOT n:Passage
     WITH n, n.id AS id DETACH DELETE n RETURN id`,
    gone,
  );
  state.count(domain).concepts -= removed.length;
}

function readKeys({ state, domain }: Writer, keys: Iterable<string>): Promise<KeyRow[]> {
  return state.each<KeyRow>(
    `UNWIND $rows AS key MATCH (k:Key {domain: $domain, key: key})
     CALL (k) {
       MATCH (x:Node)-[a:ABOUT]->(k)
       WITH x, a, x:Passage AS passage, EXISTS { (x)-[:MENTIONS]->(k) } AS mentions
       RETURN count(CASE WHEN NOT a.alias THEN 1 END) AS titles,
         count(CASE WHEN NOT a.alias AND passage THEN 1 END) AS titled,
         count(CASE WHEN a.alias THEN 1 END) AS aliases,
         count(CASE WHEN NOT a.alias AND passage AND NOT mentions THEN 1 END) AS titledOnly,
         count(CASE WHEN a.alias AND NOT mentions THEN 1 END) AS aliasedOnly,
         collect(CASE WHEN x:Concept AND NOT x.own THEN x.id END) AS hashed
     }
     RETURN key, titles, titled, aliases, titledOnly, aliasedOnly, hashed, k.node AS node,
       COUNT { (k)<-[:MENTIONS]-() } AS mentions`,
    keys,
    { domain },
  );
}

function countsOf(row: KeyRow, node: string | null) {
  const byAlias = row.titles === 0 && row.aliases <= MAX_ALIASES;
  const targets = row.titles > 0 ? row.titles : byAlias ? row.aliases : 0;
  const kdf = row.mentions + (row.titles > 0 ? row.titledOnly : byAlias ? row.aliasedOnly : 0);
  const { key, titles, aliases, mentions } = row;
  return { key, titles, aliases, mentions, kdf, targets, node, moved: node !== row.node };
}

/** Makes and names the bare entities among these nodes: by the passage with the lowest id that mentions the key. */
async function nameEntities({ state, domain }: Writer, wanted: ReadonlyMap<string, string>): Promise<void> {
  const found = await state.each<{ id: string; entity: boolean; name: string }>(
    'UNWIND $rows AS id MATCH (n:Node {id: id}) RETURN id, n:Entity AS entity, n.name AS name',
    new Set(wanted.values()),
  );
  const nodes = new Map(found.map((row) => [row.id, row]));
  const bare = [...wanted].filter(([, id]) => nodes.get(id)?.entity !== false);
  const names = await state.each<{ key: string; name: string }>(
    `UNWIND $rows AS key MATCH (k:Key {domain: $domain, key: key})
     CALL (k) { MATCH (k)<-[m:MENTIONS]-(p:Passage) RETURN m.name AS name ORDER BY p.id LIMIT 1 }
     RETURN key, name`,
    bare.map(([key]) => key),
    { domain },
  );
  const fields = names.map(({ key, name }) => {
    const id = wanted.get(key)!;
    const shown = { id, domain, key, name, norm: normaliseName(name), description: '', confidence: ENTITY_CONFIDENCE };
    return { id, known: nodes.has(id), fields: { ...shown, properties: '{}' }, hash: fnv1a(id) };
  });
  const fresh = fields.filter((row) => !row.known);
  state.count(domain).concepts += fresh.length;
  await state.each(
    'UNWIND $rows AS row CREATE (n:Node:Entity) SET n = row.fields, n.hash = toInteger(row.hash)',
    fresh,
  );
  await state.each(
    'UNWIND $rows AS row MATCH (n:Node {id: row.id}) SET n += row.fields',
    fields.filter((row) => row.known),
  );
}
