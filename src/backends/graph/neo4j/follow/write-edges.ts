import { SvcError } from '../../../../core/errors.js';
import { groupBy, partition } from '../../../../core/group-by.js';
import type { EdgeName, RuleName } from '../../../../ledger/change.js';
import type { EdgeRecord, RuleRecord } from '../../../../ledger/records.js';
import { int, type Neo4jTransaction } from '../../../neo4j-connection.js';
import { edgeProperties, ints, ruleProperties, type Writing } from './rows.js';

/** Adds these edges, or makes them what is given; one whose endpoints are not both there is passed over. */
export function writeEdges(tx: Neo4jTransaction, records: readonly EdgeRecord[], { last }: Writing): void {
  for (const [relation, edges] of groupBy(records, (record) => record.relation)) {
    // No edge can be there at an end that is not.
    const [fresh, others] = partition(edges, ({ src, dst }) => Math.max(src, dst) > last.node);
    for (const [verb, some] of [
      ['CREATE', fresh],
      ['MERGE', others],
    ] as const) {
      if (some.length === 0) continue;
      tx.send(
        `UNWIND $rows AS row MATCH (a:Node {ref: row.src}) MATCH (b:Node {ref: row.dst})
         ${verb} (a)-[r:${relationshipType(relation)}]->(b) SET r = row.properties`,
        { rows: some.map((edge) => ({ src: int(edge.src), dst: int(edge.dst), properties: edgeProperties(edge) })) },
      );
    }
  }
}

export function removeEdges(tx: Neo4jTransaction, names: readonly EdgeName[]): void {
  for (const [relation, edges] of groupBy(names, (name) => name.relation)) {
    tx.send(
      `UNWIND $rows AS row MATCH (a:Node {ref: row.src})-[r:${relationshipType(relation)}]->(b:Node {ref: row.dst})
       DELETE r`,
      { rows: edges.map(({ src, dst }) => ({ src: int(src), dst: int(dst) })) },
    );
  }
}

const RULE = `UNWIND $rows AS row MERGE (r:Rule {domain_ref: row.properties.domain_ref, id: row.properties.id})
  SET r = row.properties
  WITH r, row
  CALL (r, row) { MATCH (r)-[t:TOUCHES]->(n) WHERE NOT n.ref IN row.concepts DELETE t }
  UNWIND row.concepts AS concept MATCH (n:Node {ref: concept}) MERGE (r)-[:TOUCHES]->(n)`;

/** Adds these rules, or makes them what is given. */
export function writeRules(tx: Neo4jTransaction, records: readonly RuleRecord[], { whole }: Writing): void {
  if (records.length === 0) return;
  const rows = records.map((rule) => ({ properties: ruleProperties(rule, whole), concepts: ints(rule.concepts) }));
  tx.send(RULE, { rows });
}

export function removeRules(tx: Neo4jTransaction, names: readonly RuleName[]): void {
  if (names.length === 0) return;
  tx.send('UNWIND $rows AS row MATCH (r:Rule {domain_ref: row.domain, id: row.id}) DETACH DELETE r', {
    rows: names.map(({ domain, id }) => ({ domain: int(domain), id })),
  });
}

/** Removes rules that another ledger left with the numbers of these: rules are merged by domain and id, not by number. */
export function removeOthers(tx: Neo4jTransaction, records: readonly RuleRecord[]): void {
  if (records.length === 0) return;
  tx.send(
    `UNWIND $rows AS row MATCH (r:Rule {ref: row.ref})
     WHERE r.domain_ref <> row.domain OR r.id <> row.id DETACH DELETE r`,
    { rows: records.map(({ ref, domain, id }) => ({ ref: int(ref), domain: int(domain), id })) },
  );
}

const RELATION = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Returns a relationship type for a statement: types cannot be parameters, so only a strict pattern gets into it. */
function relationshipType(relation: string): string {
  if (!RELATION.test(relation)) {
    throw new SvcError('invalid_input', `The relation ${JSON.stringify(relation.slice(0, 80))} is no identifier.`, {
      member: 'relation',
    });
  }
  return `\`${relation}\``;
}
