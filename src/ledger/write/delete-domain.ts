import { type RawBuilder, sql } from 'kysely';
import { withValues } from '../../backends/store/rows.js';
import { chunks } from '../../backends/store/sql.js';
import { slicer } from '../../core/slices.js';
import type { Writer } from '../tables.js';

/** Removes a domain with all it holds, a thousand rows at a time; returns the ids of its nodes. */
export async function deleteDomain(w: Writer): Promise<string[]> {
  const { db, domain, state } = w;
  const pause = slicer();
  const nodes = await sql<{ ref: number; id: string }>`select ref, id from node
    where id >= ${`${domain.name}:`} and id < ${`${domain.name};`} order by id`.execute(db);
  const keys = await refsOf(w, sql`select ref from key where domain = ${domain.ref}`);
  const rules = await refsOf(w, sql`select ref from rule where domain = ${domain.ref}`);
  const sources = await refsOf(w, sql`select ref from source where domain = ${domain.ref}`);
  const drop = async (refs: readonly number[], table: string, column: string): Promise<void> => {
    for (const part of chunks(refs, 1000)) {
      await withValues(
        db,
        part,
        (given) => sql`delete from ${sql.table(table)} where ${sql.ref(column)} in (select v from ${given})`,
      );
      await pause();
    }
  };
  const refs = nodes.rows.map((row) => row.ref);
  await drop(refs, 'concept', 'node');
  await drop(refs, 'passage', 'node');
  await drop(refs, 'node', 'ref');
  await drop(keys, 'about', 'key');
  await drop(keys, 'mention', 'key');
  await drop(keys, 'key', 'ref');
  await drop(rules, 'rule_mark', 'rule');
  await drop(rules, 'rule_concept', 'rule');
  await drop(rules, 'rule', 'ref');
  await drop(sources, 'merged_concept', 'source');
  await sql`delete from merged_node where domain = ${domain.ref}`.execute(db);
  await sql`delete from entity_merge where domain = ${domain.ref}`.execute(db);
  await sql`delete from edit where domain = ${domain.ref}`.execute(db);
  await drop(sources, 'session_key', 'source');
  await drop(sources, 'edge', 'source');
  await drop(sources, 'source', 'ref');
  await sql`delete from domain where ref = ${domain.ref}`.execute(db);
  state.change.removedDomains.set(domain.ref, domain.name);
  state.touched = true;
  return nodes.rows.map((row) => row.id);
}

async function refsOf(w: Writer, query: RawBuilder<unknown>): Promise<number[]> {
  const found = await (query as RawBuilder<{ ref: number }>).execute(w.db);
  return found.rows.map((row) => row.ref);
}
