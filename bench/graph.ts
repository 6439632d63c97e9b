/**
 * Graph benchmark: `npm run bench:graph [-- --quick] [--networks a,b] [--no-neo4j] [--queries 10000,100000] [--recall] [--model static]`.
 * Published networks (BENCH_DATA, default ../shared/data): loading, PageRank with 10 and 50 seeds, memory, on the embedded
 * graph, on Neo4j and in python-igraph; then queries over HTTP and Recall@5 with the graph in Neo4j. Without a choice
 * everything is run. Writes bench/results/graph.json and docs/benchmarks/graph.md, part by part; `--quick` takes a
 * hundredth, writes nothing, and only shows that it runs.
 */
import { parseArgs } from 'node:util';
import { isThere, madeNetwork, network, seedSets } from './graph/data.js';
import { embedded } from './graph/embedded.js';
import { igraph } from './graph/igraph.js';
import { overlap } from './graph/measure.js';
import { onNeo4j } from './graph/neo4j.js';
import { type Figures, readFigures, writeFigures } from './graph/report.js';
import { queryLatency, recalls } from './graph/service.js';
import { machine } from './machine.js';

const NETWORKS = ['ca-GrQc', 'email-Enron', 'soc-Slashdot0902'];
const SEEDS = [10, 50];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    networks: { type: 'string' },
    queries: { type: 'string' },
    recall: { type: 'boolean', default: false },
    model: { type: 'string', default: 'static' },
    'no-neo4j': { type: 'boolean', default: false },
    'no-igraph': { type: 'boolean', default: false },
  },
});
const { quick } = values;
const chosen = values.networks !== undefined || values.queries !== undefined || values.recall;
const list = (given: string | undefined, all: readonly string[]): readonly string[] =>
  given === undefined ? (chosen ? [] : all) : given.split(',').filter((one) => one !== '');
const figures: Figures = quick ? {} : readFigures();

for (const name of list(values.networks, NETWORKS)) await measureNetwork(name);
if (!values['no-neo4j']) {
  for (const concepts of list(values.queries, quick ? ['200'] : ['10000', '100000'])) await measureQueries(concepts);
  if (values.recall || !chosen) await measureRecall();
}

async function measureNetwork(name: string): Promise<void> {
  // Where the data is not at hand, a quick run makes its own.
  const net = quick && !isThere(name) ? madeNetwork(name, 200) : network(name, quick ? 0.01 : 1);
  const seeds = SEEDS.map((count) => seedSets(net, { seeds: count, sets: quick ? 3 : 40 }));
  const { exact, ...rest } = await embedded(net, { seeds, exactSets: quick ? 2 : 10 });
  const peer = values['no-igraph'] ? null : igraph(net, seeds, 0.5);
  const tops = exact.map((one) => one.top);
  const neo4j = values['no-neo4j'] ? null : await onNeo4j(net, { seeds, exact: tops, cold: quick ? 1 : 3 });
  figures.networks = {
    ...figures.networks,
    [name]: {
      nodes: net.nodes,
      edges: net.edges.length,
      seeds: SEEDS,
      embedded: { ...rest, exact: exact.map((one) => one.times) },
      igraph: peer?.map(({ times, top }, i) => ({ times, overlap: overlap(top, tops[i] ?? []) })) ?? null,
      neo4j,
      on: machine(),
    },
  };
  done(name, figures.networks[name]);
}

async function measureQueries(concepts: string): Promise<void> {
  const found = await queryLatency(Number(concepts), quick ? 5 : 200);
  const [p50, p95] = [Number(found['query graph, p50 ms']), Number(found['query graph, p95 ms'])];
  figures.queries = { ...figures.queries, [concepts]: { p50, p95, on: machine() } };
  done(`queries at ${concepts}`, figures.queries[concepts]);
}

async function measureRecall(): Promise<void> {
  const sets = await recalls(values.model, quick ? 3 : undefined);
  figures.recall = { model: values.model, sets, on: machine() };
  done('recall', figures.recall);
}

function done(what: string, found: unknown): void {
  process.stdout.write(`${what}: ${JSON.stringify(found)}\n`);
  if (!quick) writeFigures(figures);
}
