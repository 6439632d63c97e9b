import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNeo4j } from '../../scripts/live/neo4j.js';

type Figures = Readonly<Record<string, number | string>>;

/** Runs another benchmark in a process of its own, and reads the figures that it writes. */
function run(script: string, args: readonly string[], environment: Readonly<Record<string, string>>): unknown {
  const directory = mkdtempSync(join(tmpdir(), 'bench-graph-'));
  const json = join(directory, 'figures.json');
  try {
    const done = spawnSync(process.execPath, ['--import', 'tsx', script, ...args, '--json', json], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
    if (done.status !== 0) throw new Error(`${script}: ${done.stderr.slice(-2000)}`);
    return JSON.parse(readFileSync(json, 'utf8')) as unknown;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function withServer<T>(work: (uri: string) => T): Promise<T> {
  const server = await startNeo4j();
  try {
    return work(server.uri);
  } finally {
    await server.stop();
  }
}

/** `/v1/query` over HTTP with the graph in Neo4j (bench/scale.ts on such a service). */
export function queryLatency(concepts: number, queries: number): Promise<Figures> {
  const args = ['--concepts', String(concepts), '--queries', String(queries)];
  return withServer((uri) => run('bench/scale.ts', args, { SVC_GRAPH: 'neo4j', SVC_NEO4J_URI: uri }) as Figures);
}

export interface Recall {
  readonly set: string;
  readonly embedded: number;
  readonly neo4j: number;
}

/** Recall@5 of mode `auto` on both development sets, with the graph in the store and in Neo4j (bench/retrieval). */
export async function recalls(model: string, limit: number | undefined): Promise<Recall[]> {
  const args = ['--model', model, ...(limit === undefined ? [] : ['--limit', String(limit)])];
  type Report = Readonly<Record<string, { readonly auto?: { readonly recall5: number } }>>;
  const embedded = run('bench/retrieval/run.ts', args, {}) as Report;
  const neo4j = await withServer((uri) => run('bench/retrieval/run.ts', [...args, '--neo4j', uri], {}) as Report);
  return Object.entries(embedded).flatMap(([set, figures]) => {
    const there = neo4j[set]?.auto?.recall5;
    if (figures.auto === undefined || there === undefined) return [];
    return [{ set, embedded: figures.auto.recall5, neo4j: there }];
  });
}
