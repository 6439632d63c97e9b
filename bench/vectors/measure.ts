import { parseFilter } from '../../src/backends/vector/filter.js';
import type { VectorEntry, VectorQuery } from '../../src/backends/vector/port.js';
import { dotAt, prepared } from '../../src/backends/vector/score.js';
import { TopK } from '../../src/backends/vector/top-k.js';
import type { VectorSet } from './data.js';
import type { Engine } from './engines.js';

export interface Figures {
  readonly engine: string;
  readonly rows: number;
  readonly values: Record<string, number>;
}

const TOP_K = 10;
const BATCH = 500;

/** Each case: a filter on one member and which rows pass it. */
const CASES: ReadonlyArray<{ name: string; filter?: Record<string, string>; passes: (i: number) => boolean }> = [
  { name: 'unfiltered', passes: () => true },
  { name: '1 %', filter: { one: 'v7' }, passes: (i) => i % 100 === 7 },
  { name: '10 %', filter: { ten: 'v7' }, passes: (i) => i % 10 === 7 },
  { name: '50 %', filter: { half: 'v1' }, passes: (i) => i % 2 === 1 },
];

/** Ids of the exact best rows, by an exhaustive scan. */
export function exactAnswers(set: VectorSet): Map<string, string[][]> {
  const rows = set.rows.map((row) => prepared('cosine', row));
  const answers = new Map<string, string[][]>(CASES.map(({ name }) => [name, []]));
  for (const query of set.queries) {
    const ready = prepared('cosine', query);
    const best = CASES.map(() => new TopK(TOP_K));
    rows.forEach((row, i) => {
      const rank = dotAt(ready, row, 0, row.length);
      for (const [at, { passes }] of CASES.entries()) if (passes(i)) best[at]!.offer(i, rank);
    });
    for (const [at, { name }] of CASES.entries()) {
      const ids = best[at]!.sorted().map(({ item }) => `id${item}`);
      answers.get(name)!.push(ids);
    }
  }
  return answers;
}

export async function measure(engine: Engine, set: VectorSet, exact: Map<string, string[][]>): Promise<Figures> {
  const values: Record<string, number> = {};
  collect();
  const before = process.memoryUsage().rss;
  await engine.backend().createIndex('bench', { dimension: set.rows[0]!.length });
  let started = performance.now();
  for (let at = 0; at < set.rows.length; at += BATCH) await engine.backend().upsert('bench', batch(set, at));
  values['insert/s'] = set.rows.length / seconds(started);
  started = performance.now();
  await engine.whenBuilt();
  values['index, s'] = seconds(started);
  collect();
  values['memory, MB'] = (process.memoryUsage().rss - before) / 1e6;
  for (const { name, filter } of CASES) {
    const extra = filter === undefined ? {} : { filter: parseFilter(filter) };
    await runQuery(engine, { vector: set.queries[0]!, topK: TOP_K, ...extra });
    const times: number[] = [];
    let found = 0;
    let wanted = 0;
    for (const [i, vector] of set.queries.entries()) {
      const begun = performance.now();
      const ids = await runQuery(engine, { vector, topK: TOP_K, ...extra });
      times.push(performance.now() - begun);
      const best = exact.get(name)![i]!;
      found += ids.filter((id) => best.includes(id)).length;
      wanted += best.length;
    }
    times.sort((a, b) => a - b);
    values[`${name}: p50, ms`] = times[Math.floor(times.length * 0.5)]!;
    values[`${name}: p95, ms`] = times[Math.floor(times.length * 0.95)]!;
    values[`${name}: recall@10`] = found / wanted;
  }
  if (engine.restart !== undefined) {
    started = performance.now();
    await engine.restart();
    await runQuery(engine, { vector: set.queries[0]!, topK: TOP_K });
    values['restart to first answer, s'] = seconds(started);
    await engine.whenBuilt();
    values['restart to graph, s'] = seconds(started);
  }
  if (engine.bytesOnDisk !== undefined) values['bytes a row on disk'] = (await engine.bytesOnDisk()) / set.rows.length;
  return { engine: engine.name, rows: set.rows.length, values };
}

/** Where node was started with `--expose-gc`: else the garbage of loading counts too. */
function collect(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

async function runQuery(engine: Engine, query: VectorQuery): Promise<string[]> {
  return (await engine.backend().query('bench', query)).map((hit) => hit.id);
}

function batch(set: VectorSet, at: number): VectorEntry[] {
  return set.rows.slice(at, at + BATCH).map((vector, k) => {
    const i = at + k;
    return { id: `id${i}`, vector, metadata: { one: `v${i % 100}`, ten: `v${i % 10}`, half: `v${i % 2}` } };
  });
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}
