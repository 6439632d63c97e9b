import type { ModeName } from '../../src/retrieval/modes.js';
import type { Service } from '../../src/service.js';
import type { DevelopmentSet } from './data.js';
import { locator } from './data.js';

/** Text match alone, or a mode of the service. */
export type Way = 'text' | ModeName;

export interface Figures {
  readonly recall2: number;
  readonly recall5: number;
  readonly recall10: number;
  /** Share of questions with all their evidence among the first five. */
  readonly all5: number;
  readonly p50: number;
  readonly p95: number;
}

const TOP_K = 10;

/** Asks every question one way; recall in percent over the items as returned, times in milliseconds. */
export async function measure(
  service: Pick<Service, 'retrieval' | 'graph' | 'text'>,
  set: DevelopmentSet,
  { way, domain }: { way: Way; domain: string },
): Promise<Figures> {
  const place = locator(set.passages);
  const sums = { recall2: 0, recall5: 0, recall10: 0, all5: 0 };
  const times: number[] = [];
  for (const { question, gold } of set.questions) {
    const started = performance.now();
    const ids = await ask(service, question, { way, domain });
    times.push(performance.now() - started);
    const nodes = await service.graph.getNodes(ids);
    const places = nodes.map((node) => (node.kind === 'passage' ? place(node.name, node.description) : -1));
    const recall = (k: number) => gold.filter((at) => places.slice(0, k).includes(at)).length / gold.length;
    sums.recall2 += recall(2);
    sums.recall5 += recall(5);
    sums.recall10 += recall(10);
    sums.all5 += recall(5) === 1 ? 1 : 0;
  }
  const share = (sum: number) => (100 * sum) / set.questions.length;
  times.sort((a, b) => a - b);
  return {
    recall2: share(sums.recall2),
    recall5: share(sums.recall5),
    recall10: share(sums.recall10),
    all5: share(sums.all5),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
}

async function ask(
  { retrieval, text }: Pick<Service, 'retrieval' | 'text'>,
  question: string,
  { way, domain }: { way: Way; domain: string },
): Promise<string[]> {
  if (way === 'text') {
    const { hits } = await text.search(question, { topK: TOP_K, domains: [domain] });
    return hits.map((hit) => hit.id);
  }
  const { items } = await retrieval.query({ context: question, domains: [domain], top_k: TOP_K, mode: way });
  return items.map((item) => item.id);
}

/** Of sorted values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
