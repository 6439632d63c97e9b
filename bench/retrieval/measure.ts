import type { ModeName } from '../../src/retrieval/modes.js';
import type { Service } from '../../src/service.js';
import type { DevelopmentSet } from './data.js';
import { locator } from './data.js';
import { discountedGain } from './metrics.js';

/** Text match alone, or a mode of the service. */
export type Way = 'text' | ModeName;

export interface Figures {
  readonly recall2: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly recall20: number;
  /** Share of questions with all their evidence among the first five. */
  readonly all5: number;
  readonly ndcg10: number;
  readonly mrr: number;
  readonly p50: number;
  readonly p95: number;
}

const TOP_K = 20;

/** Asks every question one way; figures in percent over the items as returned, times in milliseconds. */
export async function measure(
  service: Pick<Service, 'retrieval' | 'graph' | 'text'>,
  set: DevelopmentSet,
  { way, domain }: { way: Way; domain: string | undefined },
): Promise<Figures> {
  const place = locator(set.passages);
  const answers: Array<{ readonly golds: ReadonlyArray<readonly number[]>; readonly pieces: number }> = [];
  const times: number[] = [];
  for (const { question, gold } of set.questions) {
    const started = performance.now();
    const ids = await ask(service, question, { way, domain });
    times.push(performance.now() - started);
    const nodes = new Map((await service.graph.getNodes(ids)).map((node) => [node.id, node]));
    const golds = ids.map((id) => {
      const node = nodes.get(id);
      const at = node?.kind === 'passage' ? gold.indexOf(place(node.name, node.description)) : -1;
      return at === -1 ? [] : [at];
    });
    answers.push({ golds, pieces: gold.length });
  }
  const mean = (value: (one: (typeof answers)[number]) => number) =>
    (100 * answers.reduce((sum, one) => sum + value(one), 0)) / set.questions.length;
  const recall =
    (k: number) =>
    ({ golds, pieces }: (typeof answers)[number]) =>
      new Set(golds.slice(0, k).flat()).size / pieces;
  times.sort((a, b) => a - b);
  return {
    recall2: mean(recall(2)),
    recall5: mean(recall(5)),
    recall10: mean(recall(10)),
    recall20: mean(recall(20)),
    all5: mean((one) => (recall(5)(one) === 1 ? 1 : 0)),
    ndcg10: mean(({ golds, pieces }) => discountedGain(golds.slice(0, 10), pieces)),
    mrr: mean(({ golds }) => 1 / (golds.findIndex((gold) => gold.length > 0) + 1 || Number.POSITIVE_INFINITY)),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
}

async function ask(
  { retrieval, text }: Pick<Service, 'retrieval' | 'text'>,
  question: string,
  { way, domain }: { way: Way; domain: string | undefined },
): Promise<string[]> {
  const domains = domain === undefined ? [] : [domain];
  if (way === 'text') {
    const { hits } = await text.search(question, { topK: TOP_K, ...(domain === undefined ? {} : { domains }) });
    return hits.map((hit) => hit.id);
  }
  const { items } = await retrieval.query({ context: question, domains, top_k: TOP_K, mode: way });
  return items.map((item) => item.id);
}

/** Of sorted values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
