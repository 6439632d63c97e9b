/**
 * Vector engines against exact search in the same run: `npm run bench:vectors [-- --rows 10000,100000 --engines hnsw]`.
 * PG_URL and QDRANT_URL name the servers of the other engines; `--data uniform` takes the hardest vectors. Writes its
 * tables into docs/benchmarks/vectors.md (a partial run into BENCH_RESULTS or bench/results only); `--quick` takes a
 * hundredth of the rows.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from './machine.js';
import { vectorSet } from './vectors/data.js';
import { openEngine } from './vectors/engines.js';
import { exactAnswers, type Figures, measure } from './vectors/measure.js';
import { page } from './vectors/page.js';

const ENGINES = 'memory,hnsw,pgvector,qdrant';
const ROWS = '10000,100000';
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: ROWS },
    dimension: { type: 'string', default: '256' },
    queries: { type: 'string', default: '200' },
    engines: { type: 'string', default: ENGINES },
    data: { type: 'string', default: 'embedding' },
    quick: { type: 'boolean', default: false },
  },
});
const share = values.quick ? 100 : 1;
const queries = values.quick ? 5 : Number(values.queries);
const kind = values.data === 'uniform' ? 'uniform' : 'embedding';

const all: Figures[] = [];
for (const wanted of values.rows.split(',').map(Number)) {
  const rows = Math.ceil(wanted / share);
  const set = vectorSet(kind, { rows, queries, dimension: Number(values.dimension) });
  const exact = exactAnswers(set);
  for (const name of values.engines.split(',')) {
    const engine = await openEngine(name);
    if (engine === undefined) continue;
    try {
      const figures = await measure(engine, set, exact);
      all.push(figures);
      print(figures);
    } finally {
      await engine.close();
    }
  }
}

const about = { machine: machine(), dimension: Number(values.dimension), data: kind, queries };
const results = process.env.BENCH_RESULTS ?? join('bench', 'results');
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'vectors.json'), `${JSON.stringify({ ...about, figures: all }, null, 2)}\n`);
writeFileSync(join(results, 'vectors.md'), page(about, all));
const whole = !values.quick && values.engines === ENGINES && values.rows === ROWS && kind === 'embedding';
// Only the page of a run with every engine is kept with the project.
if (whole && new Set(all.map(({ engine }) => engine)).size === ENGINES.split(',').length) {
  writeFileSync(join('docs', 'benchmarks', 'vectors.md'), page(about, all));
}

function print({ engine, rows, values: figures }: Figures): void {
  process.stdout.write(`\n${engine}, ${rows} rows\n`);
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`  ${name.padEnd(30)} ${value >= 100 ? Math.round(value) : value.toPrecision(3)}\n`);
  }
}
