import { type EdgeName, edgeName, type LedgerChange, type RuleName, ruleName } from '../../../../ledger/change.js';
import type { ApplyStep } from '../../../../ledger/follower.js';
import type {
  DomainRecord,
  EdgeRecord,
  KeyRecord,
  MentionRecord,
  NodeRecord,
  RuleRecord,
} from '../../../../ledger/records.js';
import { holdCursor } from '../../../neo4j-connection/cursor.js';
import { int, type Neo4jConnection, type Neo4jTransaction } from '../../../neo4j-connection.js';
import { bytesOf, type Writing } from './rows.js';
import { PASSAGES, SLICE, type Slice, slicesOf } from './slices.js';
import { removeEdges, removeRules, writeEdges, writeRules } from './write-edges.js';
import { type AboutRow, forgetFingerprints, removeKeys, writeAbout, writeKeys, writeMentions } from './write-keys.js';
import { removeNodes, writeDomains, writeNodes } from './write-nodes.js';
import { NEO4J, type TransactionLimits, writeSliced } from './write-sliced.js';

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

/** Applies one change, in one transaction with the cursor where it is small enough. */
export async function applyToNeo4j(
  connection: Neo4jConnection,
  step: ApplyStep,
  limits?: TransactionLimits,
): Promise<boolean> {
  const { from, to, change, records } = step;
  for (const [ref, name] of change.removedDomains) {
    const params = { ref: int(ref), prefix: `${name}:` };
    for (const statement of REMOVE_DOMAIN) {
      // Another ledger may have a domain of this number by now.
      if ((await connection.transact((tx) => holdCursor(tx, NEO4J, from))) === null) return false;
      await connection.schema(statement, params);
    }
  }
  const slices = [
    ...removedNodes(change),
    ...recordSlices(domainsOf(change), DOMAINS, records.domains),
    ...recordSlices(nodesOf(change), NODES, records.nodes),
    ...recordSlices(change.keyNodes.keys(), KEYS, records.keys),
    ...mentionsOf(change),
    ...aboutOf(change),
    ...recordSlices(edgesOf(change), EDGES, records.edges),
    ...recordSlices(change.rules, RULES, records.rules),
  ];
  // Edges that are added and removed while they are resynced make their number uncertain: the tally is dropped.
  return writeSliced(connection, { from, to, slices, whole: from.sync === null, limits });
}

function removedNodes({ nodes }: LedgerChange): Slice[] {
  const removed = [...nodes].flatMap(([ref, mark]) => (mark === null ? [ref] : []));
  return slicesOf(removed, SLICE, async (refs) => ({
    write: (tx, writing) => removeNodes(tx, refs, writing),
  }));
}

/** How records of a kind are written and removed. */
interface Kind<N, R> {
  /** Returns what identifies a record, by the name that a change has for it or by the record itself. */
  readonly keyOf: (named: N | R) => string | number;
  readonly write: (tx: Neo4jTransaction, records: readonly R[], writing: Writing) => void;
  readonly remove?: (tx: Neo4jTransaction, names: readonly N[], writing: Writing) => Promise<void> | void;
}

const refOf = (named: number | { readonly ref: number }) => (typeof named === 'number' ? named : named.ref);

const DOMAINS: Kind<number, DomainRecord> = { keyOf: refOf, write: writeDomains };
const NODES: Kind<number, NodeRecord> = { keyOf: refOf, write: writeNodes, remove: removeNodes };
const KEYS: Kind<number, KeyRecord> = { keyOf: refOf, write: writeKeys, remove: removeKeys };
const EDGES: Kind<EdgeName, EdgeRecord> = { keyOf: edgeName, write: writeEdges, remove: removeEdges };
const RULES: Kind<RuleName, RuleRecord> = { keyOf: ruleName, write: writeRules, remove: removeRules };

/** Makes slices that write the records of these names as they are by now, and remove those that are there no longer. */
function recordSlices<N, R extends object>(
  names: Iterable<N>,
  { keyOf, write, remove }: Kind<N, R>,
  read: (names: readonly N[]) => Promise<R[]>,
): Slice[] {
  return slicesOf(names, SLICE, async (some) => {
    const found = await read(some);
    const there = new Set(found.map(keyOf));
    const removed = some.filter((name) => !there.has(keyOf(name)));
    return {
      bytes: bytesOf(found),
      write: async (tx, writing) => {
        await remove?.(tx, removed, writing);
        write(tx, found, writing);
      },
    };
  });
}

function domainsOf({ nodes, rules }: LedgerChange): Set<number> {
  const domains = new Set(rules.map(({ domain }) => domain));
  for (const mark of nodes.values()) if (mark !== null) domains.add(mark.domain);
  return domains;
}

function nodesOf({ nodes, records }: LedgerChange): Set<number> {
  const refs = new Set(records);
  for (const [ref, mark] of nodes) if (mark !== null) refs.add(ref);
  return refs;
}

function edgesOf({ edges, edgeRecords }: LedgerChange): Iterable<EdgeName> {
  const named = [...edges.values(), ...edgeRecords].map(({ src, dst, relation }) => ({ src, dst, relation }));
  return new Map(named.map((name) => [edgeName(name), name])).values();
}

function mentionsOf({ mentions }: LedgerChange): Slice[] {
  const all = [...mentions].map(([ref, keys]): MentionRecord => ({ ref, keys }));
  const slices = slicesOf(all, PASSAGES, async (some) => ({
    write: (tx, writing) => writeMentions(tx, some, writing),
  }));
  // Each passage writes more than one record.
  return slices.map((slice) => ({ ...slice, weight: slice.weight * 10 }));
}

function aboutOf({ about, keyNodes }: LedgerChange): Slice[] {
  const arcs: AboutRow[] = [];
  for (const [key, nodes] of about) for (const [node, alias] of nodes) arcs.push({ key, node, alias });
  return slicesOf(arcs, SLICE, async (some) => ({
    write: (tx, writing) => {
      writeAbout(tx, some, writing);
      const keys = [...new Set(some.map(({ key }) => key))];
      for (const key of keys) writing.touched.add(key);
      // The record of a key that is not written here holds other arcs now.
      const elsewhere = keys.filter((key) => !keyNodes.has(key));
      forgetFingerprints(tx, elsewhere);
    },
  }));
}
