// Calls per second and latency of the tools on each transport, and parallel writes beside another memory server.
//   npm run bench:tools [calls]      default 2,000 calls on each transport
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parallelWrites } from './tools-parallel.js';
import { call, type Served, serve, WAYS } from './tools-world.js';

const calls = Number(process.argv[2] ?? 2000);
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
  console.table(figures);
  const parallel = await parallelWrites(served);
  console.table(parallel);
  const report = {
    date: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    concurrency: CONCURRENCY,
    figures,
    parallel,
  };
  if (process.argv[3] !== undefined) writeFileSync(process.argv[3], `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await served.close();
}
