import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { EmbeddedFigures } from './embedded.js';
import type { Times } from './measure.js';
import type { Neo4jFigures } from './neo4j.js';
import type { Recall } from './service.js';

export interface NetworkFigures {
  readonly nodes: number;
  readonly edges: number;
  readonly seeds: readonly number[];
  readonly embedded: Omit<EmbeddedFigures, 'exact'> & { readonly exact: readonly Times[] };
  readonly igraph: ReadonlyArray<{ readonly times: Times; readonly overlap: number }> | null;
  readonly neo4j: Neo4jFigures | null;
}

/** Everything measured so far; a part that is run again replaces its own figures only. */
export interface Figures {
  networks?: Record<string, NetworkFigures & { readonly on: string }>;
  queries?: Record<string, { readonly p50: number; readonly p95: number; readonly on: string }>;
  recall?: { readonly model: string; readonly sets: readonly Recall[]; readonly on: string };
}

const RESULTS = 'bench/results/graph.json';

export function readFigures(): Figures {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Figures) : {};
}

export function writeFigures(figures: Figures): void {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`);
  mkdirSync('docs/benchmarks', { recursive: true });
  writeFileSync('docs/benchmarks/graph.md', page(figures));
}

const ms = ({ p50, p95 }: Times): string => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const met = (yes: boolean): string => (yes ? 'met' : 'missed');

function page(figures: Figures): string {
  const parts = [
    '# Graph: loading, PageRank, queries on Neo4j',
    '',
    'Written by `npm run bench:graph`. Neo4j 5.26 with GDS 2.13 runs beside it with 768 MB of heap; python-igraph 1.0.0 gets the',
    'same graph and seeds in the same run. Times in ms, p50 / p95. Overlap is the share of the exact answer’s best twenty.',
    'A load average above the number of cores means a busy machine: compare figures of one run, not across runs.',
  ];
  for (const [name, one] of Object.entries(figures.networks ?? {})) parts.push('', ...networkPart(name, one));
  const queries = Object.entries(figures.queries ?? {});
  if (queries.length > 0) {
    parts.push(
      '',
      '## `/v1/query`, mode `graph`, on Neo4j',
      '',
      '| Concepts | p50 / p95 | Goal p50 | |',
      '|---|---|---|---|',
    );
    for (const [concepts, { p50, p95, on }] of queries) {
      const goal = Number(concepts) <= 10_000 ? 60 : 120;
      parts.push(`| ${whole(Number(concepts))} | ${ms({ p50, p95 })} | ${goal} | ${met(p50 <= goal)}; ${on} |`);
    }
  }
  if (figures.recall !== undefined) {
    const { model, sets, on } = figures.recall;
    parts.push(
      '',
      `## Recall@5, mode \`auto\`, model \`${model}\``,
      '',
      on,
      '',
      '| Set | embedded | Neo4j | |',
      '|---|---|---|---|',
    );
    for (const { set, embedded, neo4j } of sets) {
      const near = met(Math.abs(embedded - neo4j) <= 1);
      parts.push(`| ${set} | ${embedded.toFixed(1)} | ${neo4j.toFixed(1)} | within 1 point: ${near} |`);
    }
  }
  return `${parts.join('\n')}\n`;
}

function networkPart(name: string, one: NetworkFigures & { readonly on: string }): string[] {
  const { embedded, igraph, neo4j } = one;
  const rows: string[] = [];
  const row = (what: string, ...cells: string[]): void => void rows.push(`| ${what} | ${cells.join(' | ')} |`);
  const ranked = (list: ReadonlyArray<{ times: Times; overlap: number }>): string[] =>
    list.map(({ times, overlap }) => `${ms(times)} (${(100 * overlap).toFixed(1)} %)`);
  row('embedded, push (what a query asks)', ...ranked(embedded.push));
  row('embedded, exact to 1e-10', ...embedded.exact.map(ms));
  if (igraph !== null) row('python-igraph, exact (PRPACK)', ...ranked(igraph));
  if (neo4j !== null) {
    row('GDS, warm projection', ...ranked(neo4j.gds));
    row('GDS, cold: projection and query', ms(neo4j.cold), '');
    row('Neo4j, bounded neighbourhood and push', ...ranked(neo4j.bounded));
  }
  const lines = [
    `## ${name}: ${whole(one.nodes)} nodes, ${whole(one.edges)} edges`,
    '',
    one.on,
    '',
    `| PageRank | ${one.seeds.map((seeds) => `${seeds} seeds`).join(' | ')} |`,
    `|---|${one.seeds.map(() => '---|').join('')}`,
    ...rows,
    '',
    `Loading: embedded ${whole(embedded.edgesPerSecond)} edges/s; its topology takes ${embedded.memory.toFixed(0)} MiB.`,
  ];
  if (neo4j !== null) {
    const share = (100 * neo4j.edgesPerSecond) / neo4j.rawEdgesPerSecond;
    lines.push(
      `Neo4j ${whole(neo4j.edgesPerSecond)} edges/s, raw \`UNWIND\` of the same edges ${whole(neo4j.rawEdgesPerSecond)}: ${share.toFixed(0)} % (goal 60 %: ${met(share >= 60)}); ${neo4j.heap.toFixed(0)} MiB of heap in use after it.`,
    );
  }
  const push = embedded.push.map(({ times }) => times.p50);
  const enough = met(embedded.push.every(({ overlap }) => overlap >= 0.95));
  lines.push('', `Push keeps an overlap of 95 %: ${enough}.`);
  if (igraph !== null) {
    lines.push(`Faster than python-igraph’s exact one: ${met(push.every((p50, i) => p50 < igraph[i]!.times.p50))}.`);
  }
  if (neo4j !== null)
    lines.push(`Faster than GDS warm: ${met(push.every((p50, i) => p50 < neo4j.gds[i]!.times.p50))}.`);
  return lines;
}
