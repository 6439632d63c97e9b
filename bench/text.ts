/**
 * Text index: recall of BM25 on the development sets, cost of writing and searching.
 * `npx tsx bench/text.ts [documents] [--neo4j] [--postgres]`; BENCH_DATA names the folder of the development data. With
 * `--neo4j` the same on Neo4j's full-text index, with `--postgres` recall on PostgreSQL, on servers of their own.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startNeo4j } from '../scripts/live/neo4j.js';
import { startPostgres } from '../scripts/live/postgres.js';
import { Neo4jConnection } from '../src/backends/neo4j-connection.js';
import { openPostgres } from '../src/backends/store/engine/postgres.js';
import { openSqlite } from '../src/backends/store/engine/sqlite.js';
import { Neo4jTextIndex } from '../src/backends/text/neo4j.js';
import type { TextDoc, TextIndex } from '../src/backends/text/port.js';
import { PostingsTextIndex } from '../src/backends/text/postings.js';
import { seededRandom } from '../src/core/random.js';
import type { DevelopmentSet } from './retrieval/data.js';
import { developmentSets } from './retrieval/sets.js';

async function recall(
  index: TextIndex,
  { name, passages, questions }: DevelopmentSet,
  engine: string,
): Promise<Record<string, string | number>> {
  const docs = passages.map(({ title, text }, i): TextDoc => ({ id: String(i), domain: name, title, text }));
  const started = performance.now();
  await index.upsert(docs);
  const written = performance.now() - started;
  const cuts = [2, 5, 10, 20];
  const sums = cuts.map(() => 0);
  const searches: number[] = [];
  for (const { question, gold } of questions) {
    const started = performance.now();
    const { hits } = await index.search(question, { topK: 20, domains: [name] });
    searches.push(performance.now() - started);
    for (const [i, cut] of cuts.entries()) {
      const found = new Set(hits.slice(0, cut).map((hit) => Number(hit.id)));
      sums[i] = (sums[i] as number) + gold.filter((at) => found.has(at)).length / gold.length;
    }
  }
  const row: Record<string, string | number> = {
    engine,
    set: name,
    passages: passages.length,
    'write ms': Math.round(written),
  };
  for (const [i, cut] of cuts.entries()) row[`R@${cut}`] = ((100 * (sums[i] as number)) / questions.length).toFixed(1);
  row['search p50 ms'] = quantile(searches, 0.5);
  return row;
}

/** Made-up words, frequent ones first: the distribution of natural text. */
function word(rank: number): string {
  return `w${rank.toString(36).replace(/\d/g, (digit) => 'qxzjkvbnmh'[Number(digit)] as string)}`;
}

async function speed(
  index: TextIndex,
  documents: number,
  { engine, file }: { readonly engine: string; readonly file?: string },
): Promise<Record<string, string | number>> {
  const random = seededRandom(1);
  const rank = () => Math.floor(30_000 ** random()) - 1;
  const words = (count: number) => Array.from({ length: count }, () => word(rank())).join(' ');
  const batches: number[] = [];
  for (let start = 0; start < documents; start += 500) {
    const docs = Array.from({ length: Math.min(500, documents - start) }, (_, i) => ({
      id: `doc-${(start + i).toString(36)}`,
      domain: 'made',
      title: '',
      text: words(10),
    }));
    const started = performance.now();
    await index.upsert(docs);
    batches.push(performance.now() - started);
  }
  const queries = Array.from(
    { length: 200 },
    () => `${word(Math.floor(random() * 20))} ${words(4 + Math.floor(random() * 4))}`,
  );
  const searches: number[][] = [[], []];
  for (const times of searches) {
    for (const query of queries) {
      const started = performance.now();
      await index.search(query, { topK: 40, domains: ['made'] });
      times.push(performance.now() - started);
    }
  }
  return {
    engine,
    documents,
    '500 docs p50 ms': quantile(batches, 0.5),
    'p95 ms': quantile(batches, 0.95),
    'search first p50': quantile(searches[0] as number[], 0.5),
    'first p95': quantile(searches[0] as number[], 0.95),
    'again p50': quantile(searches[1] as number[], 0.5),
    'again p95': quantile(searches[1] as number[], 0.95),
    ...(file === undefined
      ? {}
      : { 'bytes/doc': Math.round((statSync(file).size + statSync(`${file}-wal`).size) / documents) }),
  };
}

function quantile(values: readonly number[], q: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(2);
}

/** Runs on an empty index in a store of its own. */
async function onEmptyIndex<T>(work: (index: TextIndex, file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-text-'));
  const file = join(directory, 'store.db');
  const store = await openSqlite(file);
  try {
    const index = new PostingsTextIndex(store);
    await index.connect();
    return await work(index, file);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs on posting lists in a new schema of a PostgreSQL server. */
async function onPostgres<T>(url: string, work: (index: TextIndex) => Promise<T>): Promise<T> {
  const schema = `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = await openPostgres(url, { migrate: false, connections: 1 });
  await sql`create schema ${sql.id(schema)}`.execute(admin.db);
  await admin.close();
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${schema}`);
  const store = await openPostgres(address.href);
  try {
    const index = new PostingsTextIndex(store);
    await index.connect();
    return await work(index);
  } finally {
    await store.close();
  }
}

/** Runs on an emptied index in Neo4j. */
async function onEmptyNeo4j<T>(uri: string, work: (index: TextIndex) => Promise<T>): Promise<T> {
  const connection = new Neo4jConnection({ uri });
  const index = new Neo4jTextIndex(connection);
  await index.connect();
  try {
    await connection.schema('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS');
    return await work(index);
  } finally {
    await index.disconnect();
  }
}

const args = process.argv.slice(2);
const documents = Number(args.find((arg) => !arg.startsWith('--')) ?? 10_000);
const server = args.includes('--neo4j') ? await startNeo4j() : null;
const postgres = args.includes('--postgres') ? await startPostgres() : null;
try {
  const rows: Array<Record<string, string | number>> = [];
  for (const set of developmentSets()) {
    rows.push(await onEmptyIndex((index) => recall(index, set, 'postings')));
    if (postgres !== null)
      rows.push(await onPostgres(postgres.url, (index) => recall(index, set, 'postings, PostgreSQL')));
    if (server !== null) rows.push(await onEmptyNeo4j(server.uri, (index) => recall(index, set, 'neo4j')));
  }
  console.table(rows);
  const speeds = [await onEmptyIndex((index, file) => speed(index, documents, { engine: 'postings', file }))];
  if (server !== null) {
    speeds.push(await onEmptyNeo4j(server.uri, (index) => speed(index, documents, { engine: 'neo4j' })));
  }
  console.table(speeds);
} finally {
  await server?.stop();
  await postgres?.stop();
}
