import type { EdgeMark, EdgeName, LedgerChange } from '../../../../ledger/change.js';
import type { ApplyStep } from '../../../../ledger/follower.js';
import type { LedgerRecords, MentionRecord } from '../../../../ledger/records.js';
import { holdCursor } from '../../../neo4j-connection/cursor.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import { bytesOf, nodeProperties } from './rows.js';
import { NEO4J, type PreparedSlice, type Slice, slicesOf, writeSliced } from './slices.js';
import { edgeKey, removeEdges, removeRules, writeEdges, writeRules } from './write-edges.js';
import { type AboutRow, forgetFingerprints, removeKeys, writeAbout, writeKeys, writeMentions } from './write-keys.js';
import { removeNodes, writeDomains, writeNodes } from './write-nodes.js';

const SLICE = 2000;
/** Relationships first: one node may have more of them than a transaction can remove with it. */
const REMOVE_DOMAIN = [
  `MATCH (n:Node) WHERE n.id STARTS WITH $prefix AND n.domain_ref = $ref
   MATCH (n)-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 20000 ROWS`,
  'MATCH (k:Key {domain_ref: $ref}) CALL (k) { DETACH DELETE k } IN TRANSACTIONS OF 2000 ROWS',
  'MATCH (r:Rule {domain_ref: $ref}) CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 2000 ROWS',
  `MATCH (n:Node) WHERE n.id STARTS WITH $prefix AND n.domain_ref = $ref
   CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS`,
  'MATCH (d:Domain {ref: $ref}) DETACH DELETE d',
];

/** Passages of a slice: each brings some twenty mentions. */
const PASSAGES = 200;

/** Applies one change, in one transaction with the cursor where it is small enough. */
export async function applyToNeo4j(connection: Neo4jConnection, step: ApplyStep): Promise<boolean> {
  const { from, to, change, records } = step;
  for (const [ref, name] of change.removedDomains) {
    const params = { ref: int(ref), prefix: `${name}:` };
    for (const statement of REMOVE_DOMAIN) {
      // Another ledger may have a domain of this number by now.
      if ((await connection.transact((tx) => holdCursor(tx, NEO4J, from))) === null) return false;
      await connection.schema(statement, params);
    }
  }
  const whole = from.sync === null;
  const slices = [
    ...removedNodes(change),
    ...domainsOf(change, records),
    ...nodesOf(change, records),
    ...keysOf(change, records, whole),
    ...mentionsOf(change, whole),
    ...aboutOf(change),
    ...edgesOf(change, records),
    ...rulesOf(change, records, whole),
  ];
  // Edges that are added and removed while they are resynced make their number uncertain: the tally is dropped.
  return writeSliced(connection, { from, to, slices });
}

function removedNodes({ nodes }: LedgerChange): Slice[] {
  const removed = [...nodes].flatMap(([ref, mark]) => (mark === null ? [ref] : []));
  return slicesOf(removed, SLICE, async (refs) => ({ write: (tx, touched) => removeNodes(tx, refs, touched) }));
}

function domainsOf({ nodes, rules }: LedgerChange, records: LedgerRecords): Slice[] {
  const domains = new Set<number>();
  for (const mark of nodes.values()) if (mark !== null) domains.add(mark.domain);
  for (const { domain } of rules) domains.add(domain);
  return slicesOf(domains, SLICE, async (refs) => {
    const found = await records.domains(refs);
    return { write: (tx) => writeDomains(tx, found) };
  });
}

function nodesOf({ nodes, records: changed }: LedgerChange, records: LedgerRecords): Slice[] {
  const refs = new Set(changed);
  for (const [ref, mark] of nodes) if (mark !== null) refs.add(ref);
  return slicesOf(refs, SLICE, async (some) => {
    const found = await records.nodes(some);
    const rows = found.map((record) => ({ kind: record.kind, properties: nodeProperties(record) }));
    const removed = missing(some, found);
    return {
      bytes: bytesOf(rows.map((row) => row.properties)),
      write: async (tx, touched) => {
        await removeNodes(tx, removed, touched);
        await writeNodes(tx, rows);
      },
    };
  });
}

function keysOf({ keyNodes }: LedgerChange, records: LedgerRecords, whole: boolean): Slice[] {
  return slicesOf(keyNodes.keys(), SLICE, async (refs) => {
    const found = await records.keys(refs);
    return {
      write: async (tx, touched) => {
        await removeKeys(tx, missing(refs, found));
        await writeKeys(tx, found, whole);
        for (const { ref } of found) touched.add(ref);
      },
    };
  });
}

function mentionsOf({ mentions }: LedgerChange, whole: boolean): Slice[] {
  const all = [...mentions].map(([ref, keys]): MentionRecord => ({ ref, keys }));
  const slices = slicesOf(all, PASSAGES, async (some) => ({
    write: (tx, touched) => writeMentions(tx, some, { whole, touched }),
  }));
  // Each passage writes more than one record.
  return slices.map((slice) => ({ ...slice, weight: slice.weight * 10 }));
}

function aboutOf({ about, keyNodes }: LedgerChange): Slice[] {
  const arcs: AboutRow[] = [];
  for (const [key, nodes] of about) for (const [node, alias] of nodes) arcs.push({ key, node, alias });
  return slicesOf(arcs, SLICE, async (some) => ({
    write: async (tx, touched) => {
      await writeAbout(tx, some);
      const keys = [...new Set(some.map(({ key }) => key))];
      for (const key of keys) touched.add(key);
      // The record of a key that is not written here holds other arcs now.
      const elsewhere = keys.filter((key) => !keyNodes.has(key));
      await forgetFingerprints(tx, elsewhere);
    },
  }));
}

function edgesOf({ edges, edgeRecords }: LedgerChange, records: LedgerRecords): Slice[] {
  const names = new Map<string, EdgeName>();
  const add = ({ src, dst, relation }: EdgeName | EdgeMark): void => {
    names.set(edgeKey({ src, dst, relation }), { src, dst, relation });
  };
  for (const mark of edges.values()) add(mark);
  for (const name of edgeRecords) add(name);
  return slicesOf(names.values(), SLICE, async (some) => {
    const found = await records.edges(some);
    const there = new Set(found.map(edgeKey));
    return {
      bytes: bytesOf(found.map(({ properties }) => properties)),
      write: async (tx) => {
        const removed = some.filter((name) => !there.has(edgeKey(name)));
        await removeEdges(tx, removed);
        await writeEdges(tx, found);
      },
    };
  });
}

function rulesOf({ rules }: LedgerChange, records: LedgerRecords, whole: boolean): Slice[] {
  return slicesOf(rules, SLICE, async (some): Promise<PreparedSlice> => {
    const found = await records.rules(some);
    const there = new Set(found.map(({ domain, id }) => `${domain} ${id}`));
    return {
      bytes: bytesOf(found.map(({ text }) => ({ text }))),
      write: async (tx) => {
        const removed = some.filter(({ domain, id }) => !there.has(`${domain} ${id}`));
        await removeRules(tx, removed);
        await writeRules(tx, found, whole);
      },
    };
  });
}

function missing(refs: readonly number[], found: ReadonlyArray<{ readonly ref: number }>): number[] {
  const there = new Set(found.map(({ ref }) => ref));
  return refs.filter((ref) => !there.has(ref));
}
