import { groupBy, partition } from '../../../../core/group-by.js';
import { fingerprintOf } from '../../../../ledger/fingerprint.js';
import type { DomainRecord, NodeRecord } from '../../../../ledger/records.js';
import { int, type Neo4jTransaction } from '../../../neo4j-connection.js';
import { ints, nodeProperties, type Writing } from './rows.js';

const LABELS = { concept: 'Concept', passage: 'Passage', entity: 'Entity' } as const;
type Kind = keyof typeof LABELS;

const DOMAINS = `UNWIND $rows AS row MERGE (d:Domain {ref: row.ref}) SET d = row`;

/**
 * Replaces the properties of nodes of one kind; what a passage mentions stays, and so does its fingerprint. In a database
 * that followed another ledger, the node of this number may be of another kind or in another domain.
 */
const upsertOf = (kind: Kind): string => {
  const others = Object.values(LABELS).filter((label) => label !== LABELS[kind]);
  const labels = `SET n:${LABELS[kind]} REMOVE n:${others.join(':')}`;
  if (kind === 'passage')
    return `UNWIND $rows AS row MERGE (n:Node {ref: row.ref})
      WITH n, row, n.mentions_fingerprint AS mentioned SET n = row SET n.mentions_fingerprint = mentioned ${labels}
      WITH n, row MATCH (d:Domain {ref: row.domain_ref}) MERGE (n)-[:IN_DOMAIN]->(d)
      WITH n, d CALL (n, d) { MATCH (n)-[i:IN_DOMAIN]->(other) WHERE other <> d DELETE i }`;
  return `UNWIND $rows AS row MERGE (n:Node {ref: row.ref})
    WITH n, row CALL (n) { MATCH (n)-[i:IN_DOMAIN]->() WHERE n:Passage DELETE i }
    SET n = row ${labels}`;
};

const UPSERT = { concept: upsertOf('concept'), passage: upsertOf('passage'), entity: upsertOf('entity') };

const createOf = (kind: Kind): string =>
  `UNWIND $rows AS row CREATE (n:Node:${LABELS[kind]}) SET n = row${
    kind === 'passage' ? ' WITH n, row MATCH (d:Domain {ref: row.domain_ref}) CREATE (n)-[:IN_DOMAIN]->(d)' : ''
  }`;

const CREATE = { concept: createOf('concept'), passage: createOf('passage'), entity: createOf('entity') };

/** Returns the keys whose counts change with it. */
const REMOVE = `UNWIND $refs AS ref MATCH (n:Node {ref: ref})
  OPTIONAL MATCH (n)-[:MENTIONS|ABOUT|ALIAS]->(k:Key)
  WITH n, collect(DISTINCT k.ref) AS keys
  DETACH DELETE n
  WITH keys UNWIND keys AS key RETURN DISTINCT key`;

export function writeDomains(tx: Neo4jTransaction, records: readonly DomainRecord[]): void {
  if (records.length === 0) return;
  const rows = records.map((record) => {
    return { ...record, ref: int(record.ref), fingerprint: fingerprintOf('domain', record) };
  });
  tx.send(DOMAINS, { rows });
}

/** Adds these nodes, or makes them what is given. */
export function writeNodes(tx: Neo4jTransaction, records: readonly NodeRecord[], { last }: Writing): void {
  for (const [kind, nodes] of groupBy(records, (record) => record.kind)) {
    const [fresh, others] = partition(nodes, ({ ref }) => ref > last.node);
    if (fresh.length > 0) tx.send(CREATE[kind], { rows: fresh.map(nodeProperties) });
    if (others.length > 0) tx.send(UPSERT[kind], { rows: others.map(nodeProperties) });
  }
}

/** Removes nodes with all their relationships; adds the keys whose counts are to be made again to `touched`. */
export async function removeNodes(tx: Neo4jTransaction, refs: readonly number[], { touched }: Writing): Promise<void> {
  if (refs.length === 0) return;
  for (const { key } of await tx.run<{ key: number }>(REMOVE, { refs: ints(refs) })) touched.add(key);
}
