// Vector engines against exact search in the same run: `npm run bench:vectors -- --rows 10000,100000 --engines hnsw`.
// PG_URL and QDRANT_URL name the servers of the other engines; `--data uniform` takes the hardest vectors; `--json FILE`.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { vectorSet } from './vectors/data.js';
import { openEngine } from './vectors/engines.js';
import { exactAnswers, type Figures, measure } from './vectors/measure.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000' },
    dimension: { type: 'string', default: '256' },
    queries: { type: 'string', default: '200' },
    engines: { type: 'string', default: 'hnsw,pgvector,qdrant' },
    data: { type: 'string', default: 'embedding' },
    json: { type: 'string' },
  },
});

const all: Figures[] = [];
for (const rows of values.rows.split(',').map(Number)) {
  const kind = values.data === 'uniform' ? 'uniform' : 'embedding';
  const set = vectorSet(kind, { rows, queries: Number(values.queries), dimension: Number(values.dimension) });
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
if (values.json !== undefined) {
  const about = { date: new Date().toISOString().slice(0, 10), cores: cpus().length, cpu: cpus()[0]?.model };
  const { dimension, data } = values;
  writeFileSync(values.json, JSON.stringify({ ...about, dimension: Number(dimension), data, figures: all }, null, 2));
}

function print({ engine, rows, values: figures }: Figures): void {
  process.stdout.write(`\n${engine}, ${rows} rows\n`);
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`  ${name.padEnd(30)} ${value >= 100 ? Math.round(value) : value.toPrecision(3)}\n`);
  }
}
