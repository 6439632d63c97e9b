import { sql } from 'kysely';
import { forValues, GIVEN, valuesAs } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { chunks } from '../../backends/store/sql.js';
import { slicer } from '../../core/async/slices.js';
import { pagesAfter } from '../groups.js';
import type { Writer } from '../tables.js';

/** Rows that one statement reads or deletes, at most: more would hold the event loop. */
const PAGE = 2000;
/** Numbers of keys that one statement looks through: keys have no index by domain. */
const SPAN = 20_000;
/** Things whose rows one statement deletes. */
const PART = 1000;

/** Removes a domain with all it holds, a page of rows at a time; returns the ids of its nodes. */
export async function deleteDomain(w: Writer): Promise<string[]> {
  const { db, domain, state } = w;
  const nodes = await nodesOf(db, domain.name);
  const keys = await keysOf(db, domain.ref);
  const rules = await refsOf(db, 'rule', domain.ref);
  const sources = await refsOf(db, 'source', domain.ref);
  const refs = nodes.map((node) => node.ref);
  await drop(db, refs, { table: 'concept', column: 'node' });
  await drop(db, refs, { table: 'passage', column: 'node' });
  await drop(db, refs, { table: 'node', column: 'ref' });
  await drop(db, keys, { table: 'about', column: 'key' });
  await dropMany(db, keys, { table: 'mention', column: 'key', row: ['key', 'passage'] });
  await drop(db, keys, { table: 'key', column: 'ref' });
  await drop(db, rules, { table: 'rule_mark', column: 'rule' });
  await drop(db, rules, { table: 'rule_concept', column: 'rule' });
  await drop(db, rules, { table: 'rule', column: 'ref' });
  await drop(db, sources, { table: 'merged_concept', column: 'source' });
  await sql`delete from merged_node where domain = ${domain.ref}`.execute(db);
  await sql`delete from entity_merge where domain = ${domain.ref}`.execute(db);
  await sql`delete from edit where domain = ${domain.ref}`.execute(db);
  await drop(db, sources, { table: 'session_key', column: 'source' });
  await dropMany(db, sources, { table: 'edge', column: 'source', row: ['ref'] });
  await drop(db, sources, { table: 'source', column: 'ref' });
  await sql`delete from domain where ref = ${domain.ref}`.execute(db);
  state.removed(domain);
  return nodes.map((node) => node.id);
}

interface Place {
  readonly table: string;
  /** Column that names the thing whose rows go. */
  readonly column: string;
}

/** Deletes the rows of things that have few each. */
async function drop(db: Db, refs: readonly number[], { table, column }: Place): Promise<void> {
  await forValues(db, refs)`delete from ${sql.table(table)} where ${sql.ref(column)} in (select v from ${GIVEN})`;
}

/** Deletes the rows of things that may have very many each. `row`: the columns that tell a row. */
async function dropMany(
  db: Db,
  refs: readonly number[],
  { table, column, row }: Place & { readonly row: readonly string[] },
): Promise<void> {
  const pause = slicer();
  const columns = sql.join(row.map((name) => sql.ref(name)));
  for (const part of chunks(refs, PART)) {
    const given = valuesAs(db, part);
    for (let deleted = PAGE; deleted === PAGE; ) {
      const result = await sql`delete from ${sql.table(table)} where (${columns}) in (select ${columns}
        from ${sql.table(table)} where ${sql.ref(column)} in (select v from ${given}) limit ${PAGE})`.execute(db);
      deleted = Number(result.numAffectedRows ?? 0);
      await pause();
    }
  }
}

async function nodesOf(db: Db, name: string): Promise<Array<{ ref: number; id: string }>> {
  const read = (after: string) =>
    sql<{ ref: number; id: string }>`select ref, id from node
      where id > ${after} and id < ${`${name};`} order by id limit ${PAGE}`.execute(db);
  const nodes: Array<{ ref: number; id: string }> = [];
  const pages = pagesAfter(`${name}:`, read, { placeOf: ({ id }) => id, lane: 'patient', size: PAGE });
  for await (const rows of pages) for (const row of rows) nodes.push(row);
  return nodes;
}

async function keysOf(db: Db, domain: number): Promise<number[]> {
  const pause = slicer();
  const keys: number[] = [];
  const { rows } = await sql<{ last: number | null }>`select max(ref) as last from key`.execute(db);
  const last = Number(rows[0]?.last ?? 0);
  for (let from = 0; from <= last; from += SPAN) {
    const found = await sql<{ ref: number }>`select ref from key
      where ref >= ${from} and ref < ${from + SPAN} and domain = ${domain}`.execute(db);
    for (const { ref } of found.rows) keys.push(ref);
    await pause();
  }
  return keys;
}

async function refsOf(db: Db, table: 'rule' | 'source', domain: number): Promise<number[]> {
  const found = await sql<{ ref: number }>`select ref from ${sql.table(table)} where domain = ${domain}`.execute(db);
  return found.rows.map((row) => row.ref);
}
