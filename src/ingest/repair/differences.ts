import { type RawBuilder, sql } from 'kysely';
import { readConceptIndex } from '../../backends/store/concept-index.js';
import type { Store } from '../../backends/store/scope.js';
import { push } from '../../core/group-by.js';
import { WITHOUT_VECTORS } from '../../core/vectorless.js';

/** How far an index that lies in the store is from the nodes of the ledger. */
export interface IndexDifference {
  readonly index: 'text index' | 'vectors';
  /** Nodes that it should hold: all but bare entities, and of vectors all but those that have none. */
  readonly nodes: number;
  readonly missing: number;
  /** Rows of no node. */
  readonly stale: number;
  /** Rows whose content cannot be read: vectors of another length than their index has. */
  readonly damaged: number;
}

interface IndexRows {
  readonly index: IndexDifference['index'];
  /** Its table, up to the id of the node. */
  readonly rows: RawBuilder<unknown>;
  /** Condition of the nodes that it should hold. */
  readonly nodes: RawBuilder<unknown>;
  /** Condition of rows that cannot be read; undefined where none is known. */
  readonly damaged: RawBuilder<unknown> | undefined;
}

/** Returns the domains whose counts differ from their rows. */
export async function wrongCounts({ db }: Pick<Store, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select d.name from domain d
    where d.passages <> (select count(*) from node n where n.domain = d.ref and n.kind = 1)
    or d.rules <> (select count(*) from rule r where r.domain = d.ref and r.shown = 1) order by d.name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Sets the counts of all domains to those of their rows. */
export async function mendCounts(store: Store): Promise<void> {
  await store.write(async ({ db }) => {
    await sql`update domain set
      passages = (select count(*) from node n where n.domain = domain.ref and n.kind = 1),
      rules = (select count(*) from rule r where r.domain = domain.ref and r.shown = 1)`.execute(db);
  });
}

/** Compares the text index and the concept index in the store with the nodes of the ledger. */
export async function indexDifferences(store: Store): Promise<IndexDifference[]> {
  return Promise.all((await indexesOf(store)).map((index) => differenceOf(store, index)));
}

/** Returns the ids of vectors whose length is not that of their index, by the index, of which no node gives them back. */
export async function damagedNamedVectors({ db }: Pick<Store, 'db'>): Promise<Map<string, string[]>> {
  const serving = (await readConceptIndex(db))?.serving.index ?? '';
  const { rows } = await sql<{ name: string; id: string }>`select i.name as name, r.id as id
    from vector_index i join vector_row r on r.index_id = i.id
    where i.name <> ${serving} and length(r.vector) <> i.dimension * 4 order by i.name, r.id`.execute(db);
  const damaged = new Map<string, string[]>();
  for (const { name, id } of rows) push(damaged, name, id);
  return damaged;
}

/** Returns ids of nodes that an index lacks, and of rows that are of no node, `limit` of each at most. */
export async function idsOutOfLine(store: Store, limit: number): Promise<string[]> {
  const ids = new Set<string>();
  for (const { rows, nodes, damaged } of await indexesOf(store)) {
    const found = await sql<{ id: string }>`select * from (select n.id as id from node n where ${nodes}
        and not exists (select 1 from ${rows} = n.id) limit ${limit}) as missing
      union select * from (select t.id as id from ${rows} not in (select n.id from node n) limit ${limit}) as stale
    `.execute(store.db);
    for (const { id } of found.rows) ids.add(id);
    if (damaged === undefined) continue;
    const unreadable = await sql<{
      id: string;
    }>`select t.id as id from ${rows} is not null and ${damaged} limit ${limit}`;
    for (const { id } of (await unreadable.execute(store.db)).rows) ids.add(id);
  }
  return [...ids];
}

async function indexesOf({ db }: Store): Promise<IndexRows[]> {
  const documents = sql`n.kind <> 2`;
  const indexes: IndexRows[] = [
    { index: 'text index', rows: sql`text_doc t where t.id`, nodes: documents, damaged: undefined },
  ];
  const state = await readConceptIndex(db);
  const serving = await db
    .selectFrom('vector_index')
    .select(['id', 'dimension'])
    .where('name', '=', state?.serving.index ?? '')
    .executeTakeFirst();
  if (serving === undefined) return indexes;
  const rows = sql`vector_row t where t.index_id = ${serving.id} and t.id`;
  // Float32: four bytes a component.
  const nodes = sql`n.kind <> 2 and not exists (select 1 from concept c
    where c.node = n.ref and c.source = n.shown and c.properties like ${`%${WITHOUT_VECTORS}%`})`;
  return [...indexes, { index: 'vectors', rows, nodes, damaged: sql`length(t.vector) <> ${serving.dimension * 4}` }];
}

async function differenceOf({ db }: Store, { index, rows, nodes, damaged }: IndexRows): Promise<IndexDifference> {
  const found = await sql<{ nodes: number; missing: number }>`select count(*) as nodes,
    coalesce(sum(case when exists (select 1 from ${rows} = n.id) then 0 else 1 end), 0) as missing
    from node n where ${nodes}`.execute(db);
  const stale = await sql<{ n: number }>`select count(*) as n from ${rows} not in (select n.id from node n)`.execute(
    db,
  );
  const unreadable = sql<{ n: number }>`select count(*) as n from ${rows} is not null and ${damaged ?? sql`1 = 0`}`;
  const [first] = (await unreadable.execute(db)).rows;
  return { index, ...found.rows[0]!, stale: stale.rows[0]!.n, damaged: first!.n };
}
