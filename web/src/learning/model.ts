import type { Static } from '@sinclair/typebox';
import type {
  gatewayLearningConfig,
  gatewayLearningPosteriors,
  gatewayLearningSummary,
  gatewayLearningTimeseries,
  gatewayLearningTraces,
} from '../../../src/operations/gateway/learning.js';
import { read } from '../shared/api.js';
import { query, sinceOf } from '../shared/page.js';

const BASE = '/__gateway__/api/learning';

export type Summary = Static<typeof gatewayLearningSummary.output>;
export type Config = Static<typeof gatewayLearningConfig.output>;
export type Posterior = Static<typeof gatewayLearningPosteriors.output>[number];
export type Buckets = Static<typeof gatewayLearningTimeseries.output>['buckets'];
export type Run = Static<typeof gatewayLearningTraces.output>['traces'][number];

export interface LearningData {
  readonly summary: Summary;
  readonly config: Config;
  readonly posteriors: readonly Posterior[];
  readonly convergence: Buckets;
  /** The newest runs, at most 1000. */
  readonly runs: readonly Run[];
}

/** Everything that the page shows of a range of days (`0`: all) and a model (empty: all). */
export async function loadLearning(days: string, model: string): Promise<LearningData> {
  const filter = { since: sinceOf(days), model: model === '' ? undefined : model };
  const window = days === '1' || days === '7' ? '1h' : '1d';
  const [summary, config, posteriors, series, traces] = await Promise.all([
    read<Summary>(`${BASE}/summary${query(filter)}`),
    read<Config>(`${BASE}/config`),
    read<Posterior[]>(`${BASE}/posteriors`),
    read<{ buckets: Buckets }>(`${BASE}/timeseries${query({ metric: 'convergence', window, since: filter.since })}`),
    read<{ traces: Run[] }>(`${BASE}/traces${query({ limit: 1000, ...filter })}`),
  ]);
  return { summary, config, posteriors, convergence: series.buckets, runs: traces.traces };
}

/** Tokens of arms that were included and not referenced. */
export interface Waste {
  readonly armId: string;
  readonly included: number;
  readonly referenced: number;
  /** Tokens spent on runs that did not use it. */
  readonly tokens: number;
}

/** What each arm cost without being used, dearest first. */
export function wasteOf(runs: readonly Run[]): Waste[] {
  const arms = new Map<string, Waste>();
  for (const { arms: ofRun } of runs) {
    for (const { armId, included, referenced, tokenCost } of ofRun) {
      if (!included) continue;
      const known = arms.get(armId) ?? { armId, included: 0, referenced: 0, tokens: 0 };
      arms.set(armId, {
        armId,
        included: known.included + 1,
        referenced: known.referenced + (referenced ? 1 : 0),
        tokens: known.tokens + (referenced ? 0 : tokenCost),
      });
    }
  }
  return [...arms.values()].sort((a, b) => b.tokens - a.tokens || (a.armId < b.armId ? -1 : 1));
}
