/**
 * Calls per second and latency of the tools on each transport, and parallel writes beside another memory server:
 * `npm run bench:tools [-- --calls 2000] [--quick]`. Writes its tables into docs/benchmarks/tools.md and
 * bench/results/tools.json; `--quick` makes 20 calls each and writes nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machine } from './machine.js';
import { type Kept, parallelWrites } from './tools-parallel.js';
import { call, type Served, serve, WAYS } from './tools-world.js';

const { values: options } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, quick: { type: 'boolean', default: false } },
});
const calls = options.quick ? 20 : Number(options.calls);
const CONCURRENCY = 8;

interface Figure {
  readonly transport: string;
  readonly tool: string;
  readonly calls: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const TOOLS: Readonly<Record<string, (i: number) => Record<string, unknown>>> = {
  svc_vector_describe_index: () => ({ index_name: 'bench' }),
  svc_query: (i) => ({ context: `what keeps messages number ${i % 50}`, top_k: 5 }),
  svc_learning_observe: (i) => ({ learner: 'bench', arm_id: `arm-${i % 10}`, outcome: 'accepted' }),
};

async function measured(served: Served, transport: string): Promise<Figure[]> {
  const client = await WAYS[transport]!(served);
  const figures: Figure[] = [];
  for (const [tool, input] of Object.entries(TOOLS)) {
    for (let i = 0; i < Math.min(50, calls); i += 1) await call(client, tool, input(i));
    const times: number[] = [];
    let next = 0;
    const started = performance.now();
    const worker = async () => {
      for (let i = next++; i < calls; i = next++) {
        const begun = performance.now();
        await call(client, tool, input(i));
        times.push(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const seconds = (performance.now() - started) / 1000;
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 100) / 100;
    figures.push({
      transport,
      tool,
      calls,
      per_second: Math.round(calls / seconds),
      p50_ms: at(0.5),
      p99_ms: at(0.99),
    });
  }
  await client.close();
  return figures;
}

const served = await serve();
try {
  const filler = await WAYS['/mcp, session']!(served);
  await call(filler, 'svc_vector_create_index', { index_name: 'bench', dimension: 3 });
  await call(filler, 'svc_ingest_structured', {
    domain: 'bench',
    concepts: Array.from({ length: 500 }, (_, i) => ({
      name: `Log ${i}`,
      description: `Keeps messages number ${i} on disk`,
    })),
  });
  await filler.close();
  const figures: Figure[] = [];
  for (const transport of Object.keys(WAYS)) figures.push(...(await measured(served, transport)));
  const parallel = await parallelWrites(served);
  const tables = tablesOf(figures, parallel);
  process.stdout.write(`${tables}\n`);
  if (!options.quick) {
    mkdirSync('bench/results', { recursive: true });
    const report = { machine: machine(), concurrency: CONCURRENCY, figures, parallel };
    writeFileSync('bench/results/tools.json', `${JSON.stringify(report, null, 2)}\n`);
    intoPage(tables);
  }
} finally {
  await served.close();
}

function tablesOf(figures: readonly Figure[], parallel: readonly Kept[]): string {
  return [
    `${calls} calls of each tool, ${CONCURRENCY} at a time. ${machine()}`,
    '',
    '| Transport | Tool | Calls/s | p50, ms | p99, ms |',
    '|---|---|--:|--:|--:|',
    ...figures.map((f) => `| ${f.transport} | ${f.tool} | ${f.per_second} | ${f.p50_ms} | ${f.p99_ms} |`),
    '',
    'Twenty writes at once through one client; how many of them are there afterwards:',
    '',
    '| Server | Call | Sent | Kept |',
    '|---|---|--:|--:|',
    ...parallel.map((p) => `| ${p.server} | ${p.tool} | ${p.sent} | ${p.kept} |`),
  ].join('\n');
}

/** Replaces what stands between the marks of the page. */
function intoPage(tables: string): void {
  const page = 'docs/benchmarks/tools.md';
  const [before, rest = ''] = readFileSync(page, 'utf8').split('<!-- figures -->\n');
  const after = rest.split('<!-- end of figures -->\n')[1] ?? '';
  writeFileSync(page, `${before}<!-- figures -->\n${tables}\n<!-- end of figures -->\n${after}`);
}
