import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNeo4j } from '../../scripts/live/neo4j.js';
import { Neo4jBackend } from '../../src/backends/graph/neo4j.js';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { chunks } from '../../src/backends/store/sql.js';
import { asSeeds, type Network, nodeId } from './data.js';
import type { Ranking } from './embedded.js';
import { load, overlap, rankings, type Times, timesOf } from './measure.js';

export interface Neo4jFigures {
  /** Edges a second of raw `UNWIND` writing of the same edges, and through the service's own graph. */
  readonly rawEdgesPerSecond: number;
  readonly edgesPerSecond: number;
  /** MiB of heap that the server uses after all of it. */
  readonly heap: number;
  readonly cold: Times;
  /** By number of seeds. */
  readonly gds: readonly Ranking[];
  readonly bounded: readonly Ranking[];
}

const RAW = 10_000;

/** The same on a Neo4j server of its own. `exact` are the best twenty of the embedded graph, for each number of seeds. */
export async function onNeo4j(
  net: Network,
  { seeds, exact, cold }: { seeds: readonly number[][][]; exact: readonly string[][][]; cold: number },
): Promise<Neo4jFigures> {
  const server = await startNeo4j();
  const connection = new Neo4jConnection({ uri: server.uri, readTimeout: 600_000 });
  const directory = mkdtempSync(join(tmpdir(), 'bench-neo4j-'));
  const store = await openSqlite(join(directory, 'svc.sqlite'));
  try {
    await connection.connect();
    // The second run counts: a server that has just started takes twice as long.
    let rawEdgesPerSecond = 0;
    for (let run = 0; run < 2; run += 1) {
      rawEdgesPerSecond = await raw(connection, net);
      await connection.schema('MATCH (n:Raw) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 500 ROWS');
    }
    const gds = new Neo4jBackend({ connection, store, ppr: 'gds', projectAtOnce: Number.POSITIVE_INFINITY });
    await gds.connect();
    const edgesPerSecond = await load(gds, net);
    const first: number[] = [];
    for (let i = 0; i < cold; i += 1) {
      await connection.schema(
        'CALL gds.graph.list() YIELD graphName CALL gds.graph.drop(graphName) YIELD graphName AS dropped RETURN count(dropped)',
      );
      const graph = new Neo4jBackend({ connection, store, ppr: 'gds', projectAtOnce: Number.POSITIVE_INFINITY });
      await graph.connect();
      const started = performance.now();
      await graph.personalizedPagerank(asSeeds(seeds[0]?.[i] ?? []));
      first.push(performance.now() - started);
      await graph.disconnect();
    }
    const local = new Neo4jBackend({ connection, store });
    await local.connect();
    const ranked = async (graph: Neo4jBackend): Promise<Ranking[]> => {
      const all: Ranking[] = [];
      for (const [i, sets] of seeds.entries()) {
        const measured = sets.slice(0, exact[i]?.length ?? 0);
        const { times, top } = await rankings(graph, measured, {});
        all.push({ times, overlap: overlap(top, (exact[i] ?? []).slice(0, measured.length)) });
      }
      return all;
    };
    const warm = await ranked(gds);
    const bounded = await ranked(local);
    const [memory] = await connection.read<{ used: number }>(
      `CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes
       RETURN attributes.HeapMemoryUsage.value.properties.used AS used`,
    );
    await Promise.all([gds.disconnect(), local.disconnect()]);
    const heap = (memory?.used ?? 0) / 2 ** 20;
    return { rawEdgesPerSecond, edgesPerSecond, heap, cold: timesOf(first), gds: warm, bounded };
  } finally {
    await connection.disconnect();
    await server.stop();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The bound of any loading: the same visible graph, its nodes with a unique id, ten thousand a transaction. */
async function raw(connection: Neo4jConnection, net: Network): Promise<number> {
  await connection.schema('CREATE CONSTRAINT raw_id IF NOT EXISTS FOR (n:Raw) REQUIRE n.id IS UNIQUE');
  const sources = [`${net.name} from 0`];
  const started = performance.now();
  const nodes = Array.from({ length: net.nodes }, (_, i) => {
    return { id: nodeId(i), domain: 'g', name: `Node ${i}`, confidence: 1, sources };
  });
  for (const rows of chunks(nodes, RAW)) {
    await connection.write((tx) => tx.run('UNWIND $rows AS row CREATE (n:Raw:Thing) SET n = row', { rows }));
  }
  for (const part of chunks(net.edges, RAW)) {
    const rows = part.map(([from, to]) => {
      return { from: nodeId(from), to: nodeId(to), properties: { confidence: 1, sources } };
    });
    await connection.write((tx) =>
      tx.run(
        `UNWIND $rows AS row MATCH (a:Raw {id: row.from}) MATCH (b:Raw {id: row.to})
         CREATE (a)-[r:LINKS]->(b) SET r = row.properties`,
        { rows },
      ),
    );
  }
  return net.edges.length / ((performance.now() - started) / 1000);
}
