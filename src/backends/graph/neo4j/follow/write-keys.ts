import { partition } from '../../../../core/group-by.js';
import { fingerprintOf } from '../../../../ledger/fingerprint.js';
import { MAX_ALIASES } from '../../../../ledger/key-limits.js';
import type { KeyRecord, MentionRecord } from '../../../../ledger/records.js';
import { int, type Neo4jTransaction } from '../../../neo4j-connection.js';
import { chunks } from '../../../store/sql.js';
import { ints, keyProperties, type Writing } from './rows.js';

const UPSERT = `UNWIND $rows AS row MERGE (k:Key {ref: row.ref}) SET k = row
  WITH k, row
  CALL (k, row) { MATCH (k)-[s:STANDS_FOR]->(n) WHERE n.ref <> row.node DELETE s }
  MATCH (n:Node {ref: row.node}) MERGE (k)-[:STANDS_FOR]->(n)`;

const CREATE = `UNWIND $rows AS row CREATE (k:Key) SET k = row
  WITH k, row MATCH (n:Node {ref: row.node}) CREATE (k)-[:STANDS_FOR]->(n)`;

const REMOVE = 'UNWIND $refs AS ref MATCH (k:Key {ref: ref}) DETACH DELETE k';

const REMOVE_ABOUT = `UNWIND $rows AS row MATCH (n:Node {ref: row.node})-[a:ABOUT|ALIAS]->(k:Key {ref: row.key}) DELETE a`;
const REMOVE_ALL_ABOUT = 'UNWIND $refs AS ref MATCH (:Node)-[a:ABOUT|ALIAS]->(:Key {ref: ref}) DELETE a';
const ADD_ABOUT = (type: 'ABOUT' | 'ALIAS'): string =>
  `UNWIND $rows AS row MATCH (n:Node {ref: row.node}) MATCH (k:Key {ref: row.key}) CREATE (n)-[:${type}]->(k)`;

const FORGET = 'UNWIND $refs AS ref MATCH (k:Key {ref: ref}) REMOVE k.fingerprint';

/** Returns the keys that these passages mentioned. */
const CLEAR_MENTIONS = `UNWIND $refs AS ref MATCH (p:Node {ref: ref})-[m:MENTIONS]->(k:Key)
  DELETE m RETURN DISTINCT k.ref AS key`;
const MENTION = `UNWIND $rows AS row MATCH (p:Node {ref: row.passage}) MATCH (k:Key {ref: row.key})
  CREATE (p)-[:MENTIONS {times: row.times}]->(k)`;
const MENTIONED = 'UNWIND $rows AS row MATCH (p:Node {ref: row.ref}) SET p.mentions_fingerprint = row.fingerprint';

/**
 * Counts that readers need: how many nodes carry the key as a title or name, as an alias, how many passages mention it, how many nodes are
 * about it now, and the passages that mention it or are about it (document frequency).
 */
const COUNT = `UNWIND $refs AS ref MATCH (k:Key {ref: ref})
  WITH k, COUNT { (k)<-[:ABOUT]-() } AS titles, COUNT { (k)<-[:ALIAS]-() } AS aliases, COUNT { (k)<-[:MENTIONS]-() } AS mentions
  WITH k, titles, aliases, mentions,
    CASE WHEN titles > 0 THEN titles WHEN aliases <= ${MAX_ALIASES} THEN aliases ELSE 0 END AS targets
  CALL (k, titles, targets) {
    WITH k, titles, targets WHERE targets > 0
    MATCH (x:Passage)-[a:ABOUT|ALIAS]->(k) WHERE (type(a) = 'ABOUT') = (titles > 0) AND NOT EXISTS { (x)-[:MENTIONS]->(k) }
    RETURN count(x) AS silent
  }
  SET k.titles = titles, k.aliases = aliases, k.mentions = mentions, k.targets = targets,
    k.document_frequency = mentions + silent`;

/** Adds keys, or makes them stand for another node. What is about them is written apart. */
export function writeKeys(
  tx: Neo4jTransaction,
  records: readonly KeyRecord[],
  { whole, touched, last }: Writing,
): void {
  for (const { ref } of records) touched.add(ref);
  const propertiesOf = (record: KeyRecord) => {
    return { ...keyProperties(record), ...(whole ? { fingerprint: fingerprintOf('key', record) } : {}) };
  };
  const [fresh, others] = partition(records, ({ ref }) => ref > last.key);
  if (fresh.length > 0) tx.send(CREATE, { rows: fresh.map(propertiesOf) });
  if (others.length > 0) tx.send(UPSERT, { rows: others.map(propertiesOf) });
}

export function removeKeys(tx: Neo4jTransaction, refs: readonly number[]): void {
  if (refs.length > 0) tx.send(REMOVE, { refs: ints(refs) });
}

/** Whether a node is about a key: 0 by title or name, 1 by an alias only, null no longer. */
export interface AboutRow {
  readonly key: number;
  readonly node: number;
  readonly alias: number | null;
}

/** Replaces these arcs; others stay. */
export function writeAbout(tx: Neo4jTransaction, arcs: readonly AboutRow[], { last }: Writing): void {
  const known = arcs.filter(({ node, key }) => node <= last.node && key <= last.key);
  if (known.length > 0) tx.send(REMOVE_ABOUT, { rows: known.map(rowOf) });
  addAbout(tx, arcs);
}

/** Replaces all arcs of these keys. */
export function replaceAbout(tx: Neo4jTransaction, records: readonly KeyRecord[]): void {
  if (records.length === 0) return;
  tx.send(REMOVE_ALL_ABOUT, { refs: ints(records.map(({ ref }) => ref)) });
  const arcs = records.flatMap(({ ref, about }) => [...about].map(([node, alias]) => ({ key: ref, node, alias })));
  addAbout(tx, arcs);
}

/** Removes the fingerprints of these keys, whose records differ from them now: a resync looks at them again. */
export function forgetFingerprints(tx: Neo4jTransaction, keys: readonly number[]): void {
  if (keys.length > 0) tx.send(FORGET, { refs: ints(keys) });
}

/** Replaces what passages mention; adds the keys whose counts are to be made again to `touched`. */
export async function writeMentions(
  tx: Neo4jTransaction,
  records: readonly MentionRecord[],
  { whole, touched, last }: Writing,
): Promise<void> {
  if (records.length === 0) return;
  const known = records.flatMap(({ ref }) => (ref <= last.node ? [ref] : []));
  if (known.length > 0) {
    for (const { key } of await tx.run<{ key: number }>(CLEAR_MENTIONS, { refs: ints(known) })) touched.add(key);
  }
  const rows = records.flatMap((record) =>
    [...record.keys].map(([key, times]) => {
      touched.add(key);
      return { passage: int(record.ref), key: int(key), times: int(times) };
    }),
  );
  if (rows.length > 0) tx.send(MENTION, { rows });
  const mentioned = records.map((record) => ({
    ref: int(record.ref),
    fingerprint: whole && record.keys.size > 0 ? fingerprintOf('mention', record) : null,
  }));
  tx.send(MENTIONED, { rows: mentioned });
}

/** Keys that one statement counts. */
const COUNTED = 2000;

export function countKeys(tx: Neo4jTransaction, keys: Iterable<number>): void {
  for (const refs of chunks([...keys], COUNTED)) tx.send(COUNT, { refs: ints(refs) });
}

function addAbout(tx: Neo4jTransaction, arcs: readonly AboutRow[]): void {
  for (const [type, alias] of [
    ['ABOUT', 0],
    ['ALIAS', 1],
  ] as const) {
    const rows = arcs.filter((arc) => arc.alias === alias).map(rowOf);
    if (rows.length > 0) tx.send(ADD_ABOUT(type), { rows });
  }
}

function rowOf({ key, node }: AboutRow) {
  return { key: int(key), node: int(node) };
}
