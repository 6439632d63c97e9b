import { type RawBuilder, sql } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import { ledgerVersion } from '../../../ledger/changes.js';
import { pagesAfter } from '../../../ledger/groups.js';
import { countKeys } from '../../../ledger/mention-blob.js';
import type { Db } from '../../store/schema.js';
import { isPostgres } from '../../store/sql.js';
import { type Adjacency, grown } from './adjacency.js';
import { Topology } from './topology.js';

const ROWS = 4000;

/** Reads the whole topology, in slices, without a transaction: the changes since its version correct what it mixes. */
export async function loadTopology(db: Db): Promise<Topology> {
  const topology = new Topology();
  topology.version = await ledgerVersion(db);
  await loadNodes(db, topology);
  await loadEntityNodes(db, topology);
  await loadMentions(db, topology);
  await loadAbout(db, topology);
  await loadEdges(db, topology);
  return topology;
}

async function loadNodes(db: Db, topology: Topology): Promise<void> {
  await inColumns(db, { table: 'node', columns: ['ref', 'domain', 'kind', 'hash'], where: sql`true` }, (columns) => {
    const [refs, domains, kinds, hashes] = columns as [number[], number[], number[], number[]];
    for (let i = 0; i < refs.length; i += 1) {
      topology.addNode(refs[i]!, { domain: domains[i]!, kind: kinds[i]!, hash: hashes[i]! });
    }
  });
}

async function loadEntityNodes(db: Db, topology: Topology): Promise<void> {
  await inColumns(db, { table: 'key', columns: ['ref', 'node'], where: sql`node <> 0` }, (columns) => {
    const [keys, nodes] = columns as [number[], number[]];
    for (let i = 0; i < keys.length; i += 1) topology.setEntityNode(keys[i]!, nodes[i]!);
  });
}

async function loadMentions(db: Db, topology: Topology): Promise<void> {
  const pause = slicer();
  const arcs = new ArcList();
  const pages = pagesAfter(
    0,
    (after) =>
      sql<{ node: number; mentions: Uint8Array }>`select node, mentions from passage
        where node > ${after} order by node limit ${ROWS}`.execute(db),
    { placeOf: ({ node }) => node, lane: 'patient', size: ROWS },
  );
  for await (const rows of pages) {
    for (const { node, mentions } of rows) {
      const slot = topology.nodes.find(node);
      if (slot < 0) continue;
      for (const [key, tf] of countKeys(mentions)) {
        const entity = topology.entityNodes.find(key);
        if (entity >= 0) arcs.push(slot, entity, tf);
      }
      await pause();
    }
  }
  arcs.lay(topology.mentions, topology.mentioned);
}

interface AboutArc {
  readonly key: number;
  readonly node: number;
  readonly alias: number;
}

async function loadAbout(db: Db, topology: Topology): Promise<void> {
  const pause = slicer();
  const arcs = new ArcList();
  const pages = pagesAfter(
    0,
    (after) =>
      sql<{ ref: number }>`select ref from key where node <> 0 and ref > ${after}
        order by ref limit ${ROWS}`.execute(db),
    { placeOf: ({ ref }) => ref, lane: 'patient', size: ROWS },
  );
  for await (const keys of pages) {
    const range = sql`k.node <> 0 and k.ref >= ${keys[0]!.ref} and k.ref <= ${keys.at(-1)!.ref}`;
    const ofPassages = sql<AboutArc>`select a.key, a.node, a.alias from key k join about a on a.key = k.ref
      where ${range}`;
    const ofConcepts = sql<AboutArc>`select k.ref as key, n.ref as node, 0 as alias from key k
      join node n on n.key = k.key and n.domain = k.domain and n.kind = 0 where ${range}`;
    for (const statement of [ofPassages, ofConcepts]) {
      for (const { key, node, alias } of (await statement.execute(db)).rows) {
        const entity = topology.entityNodes.find(key);
        const slot = topology.nodes.find(node);
        if (entity >= 0 && slot >= 0) arcs.push(slot, entity, alias);
        await pause();
      }
    }
  }
  arcs.lay(topology.about, topology.aboutBy);
}

async function loadEdges(db: Db, topology: Topology): Promise<void> {
  const arcs = new ArcList();
  const table = { table: 'edge', columns: ['ref', 'src', 'dst', 'confidence'], where: sql`shown = 1` };
  await inColumns(db, table, (columns) => {
    const [refs, sources, targets, confidences] = columns as [number[], number[], number[], number[]];
    for (let i = 0; i < refs.length; i += 1) {
      const from = topology.nodes.find(sources[i]!);
      const to = topology.nodes.find(targets[i]!);
      if (from < 0 || to < 0) continue;
      arcs.push(from, to, confidences[i]!, refs[i]!);
      if (from !== to) arcs.push(to, from, confidences[i]!, refs[i]!);
    }
  });
  arcs.lay(topology.edges);
}

/** Reads a table by row number, each column as one array: far faster than a row at a time. Gaps cost nothing. */
async function inColumns(
  db: Db,
  { table, columns, where }: { table: string; columns: readonly string[]; where: RawBuilder<unknown> },
  take: (columns: number[][]) => void,
): Promise<void> {
  const pause = slicer();
  const json = sql.raw(isPostgres(db) ? 'json_agg' : 'json_group_array');
  const picked = columns.map((column) => sql`${json}(${sql.ref(column)}) as ${sql.ref(column)}`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  for (let after = 0; ; ) {
    const result = await sql<Record<string, string | number[] | null>>`select ${sql.join(picked)}
      from (select ${names} from ${sql.table(table)} where ref > ${after} and ${where} order by ref limit ${ROWS}) as page`.execute(
      db,
    );
    const read = columns.map((column) => asNumbers(result.rows[0]![column] ?? []));
    const refs = read[columns.indexOf('ref')]!;
    take(read);
    if (refs.length < ROWS) return;
    after = refs.at(-1)!;
    await pause();
  }
}

function asNumbers(value: string | number[]): number[] {
  return typeof value === 'string' ? (JSON.parse(value) as number[]) : value;
}

/** Arcs collected before they are laid out, each adjacency exactly as long as it must be. */
class ArcList {
  private from = new Int32Array(1024);
  private to = new Int32Array(1024);
  private values = new Float64Array(1024);
  private refs = new Float64Array(1024);
  private length = 0;

  push(from: number, to: number, value: number, ref = 0): void {
    if (this.length === this.from.length) this.grow();
    this.from[this.length] = from;
    this.to[this.length] = to;
    this.values[this.length] = value;
    this.refs[this.length] = ref;
    this.length += 1;
  }

  /** Lays the arcs out from their first end, and with `back` from the second too. */
  lay(forward: Adjacency, back?: Adjacency): void {
    this.place(forward, this.from, this.to);
    if (back !== undefined) this.place(back, this.to, this.from);
  }

  private place(into: Adjacency, from: Int32Array, to: Int32Array): void {
    let slots = 0;
    for (let i = 0; i < this.length; i += 1) if (from[i]! >= slots) slots = from[i]! + 1;
    const counts = new Int32Array(slots);
    for (let i = 0; i < this.length; i += 1) counts[from[i]!]! += 1;
    into.lay(counts);
    for (let i = 0; i < this.length; i += 1) into.add(from[i]!, to[i]!, { value: this.values[i]!, ref: this.refs[i]! });
  }

  private grow(): void {
    const size = this.from.length * 2;
    this.from = grown(this.from, size);
    this.to = grown(this.to, size);
    this.values = grown(this.values, size);
    this.refs = grown(this.refs, size);
  }
}
