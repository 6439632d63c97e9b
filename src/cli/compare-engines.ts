import { type RawBuilder, sql } from 'kysely';
import { readConceptIndex } from '../backends/store/concept-index.js';
import type { Store } from '../backends/store/scope.js';
import type { Check } from './check.js';

/** Compares the text index and the concept index in the store with the nodes of the ledger, and counts with rows. */
export async function compareEngines(store: Store): Promise<Check[]> {
  const text = sql`text_doc t where t.id`;
  const checks = [await ledgerCounts(store), await compared(store, { name: 'text index', rows: text })];
  const state = await readConceptIndex(store.db);
  const index = await store.db
    .selectFrom('vector_index')
    .select('id')
    .where('name', '=', state?.serving.index ?? '')
    .executeTakeFirst();
  if (index === undefined) return checks;
  const vectors = sql`vector_row t where t.index_id = ${index.id} and t.id`;
  return [...checks, await compared(store, { name: 'vectors', rows: vectors })];
}

/**
 * Compares the nodes that are found (all but bare entities) with the rows of an index: `rows` is its table up to the
 * id.
 */
async function compared(
  { db }: Store,
  { name, rows }: { readonly name: string; readonly rows: RawBuilder<unknown> },
): Promise<Check> {
  const found = await sql<{ nodes: number; missing: number }>`select count(*) as nodes,
    coalesce(sum(case when exists (select 1 from ${rows} = n.id) then 0 else 1 end), 0) as missing
    from node n where n.kind <> 2`.execute(db);
  const { nodes, missing } = found.rows[0]!;
  const stale = await sql<{ n: number }>`select count(*) as n from ${rows} not in (select n.id from node n)`.execute(
    db,
  );
  if (missing === 0 && stale.rows[0]!.n === 0) return { name, state: 'ok', found: `holds the ledger's ${nodes} nodes` };
  const orphaned = stale.rows[0]!.n;
  const problem = `${missing} of ${nodes} nodes are missing, ${orphaned} are of no node; ingest their sources again`;
  return { name, state: 'warning', found: problem };
}

async function ledgerCounts({ db }: Store): Promise<Check> {
  const { rows } = await sql<{ name: string }>`select d.name from domain d
    where d.passages <> (select count(*) from node n where n.domain = d.ref and n.kind = 1)
    or d.rules <> (select count(*) from rule r where r.domain = d.ref and r.shown = 1) order by d.name`.execute(db);
  if (rows.length === 0) return { name: 'ledger', state: 'ok', found: 'its counts equal its rows' };
  const names = rows.map((row) => row.name).slice(0, 5);
  return {
    name: 'ledger',
    state: 'warning',
    found: `counts differ from rows in ${names.join(', ')}; restore a backup`,
  };
}
