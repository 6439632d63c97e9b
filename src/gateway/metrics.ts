import type { ModelTotals } from '../backends/store/gateway/green-rollups.js';
import type { Posterior } from './learning/posteriors.js';

/** Pairs of provider and model with series of their own; what comes after them is summed as `other`. */
const MOST_MODELS = 200;
const MOST_ARMS = 50;

/**
 * Writes the gateway's figures in the text format of Prometheus, version 0.0.4. The labels are bounded: the first 200 models that
 * were seen, and the 50 arms with the most pulls. `svc green recompute` may lower a counter, which reads as its restart.
 */
export function gatewayMetrics(
  models: readonly ModelTotals[],
  arms: ReadonlyArray<Pick<Posterior, 'armId' | 'mean' | 'pulls'>>,
): string {
  const shown = bounded(models);
  const counter = (name: string, help: string, value: (totals: ModelTotals) => number): string[] => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...shown.map(
      (totals) => `${name}{provider="${label(totals.provider)}",model="${label(totals.model)}"} ${value(totals)}`,
    ),
  ];
  const most = [...arms].sort((a, b) => b.pulls - a.pulls || (a.armId < b.armId ? -1 : 1)).slice(0, MOST_ARMS);
  const gauge = (name: string, help: string, value: (arm: (typeof most)[number]) => number): string[] => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...most.map((arm) => `${name}{arm="${label(arm.armId)}"} ${value(arm)}`),
  ];
  const lines = [
    ...counter('co2_grams_total', 'Grams of CO2 equivalent of model calls.', ({ co2Grams }) => co2Grams),
    ...counter('water_ml_total', 'Millilitres of water of model calls.', ({ waterMl }) => waterMl),
    ...counter('tokens_total', 'Tokens of model calls.', ({ tokens }) => tokens),
    ...gauge('learning_arm_mean', 'Posterior mean of an arm.', ({ mean }) => mean),
    ...gauge('learning_arm_pulls', 'Observations of an arm.', ({ pulls }) => pulls),
  ];
  return `${lines.join('\n')}\n`;
}

function bounded(models: readonly ModelTotals[]): ModelTotals[] {
  const rest = models.slice(MOST_MODELS);
  const shown = models.slice(0, MOST_MODELS);
  if (rest.length === 0) return shown;
  const sum = (value: (totals: ModelTotals) => number): number => rest.reduce((total, one) => total + value(one), 0);
  const other = {
    provider: 'other',
    model: 'other',
    co2Grams: sum(({ co2Grams }) => co2Grams),
    waterMl: sum(({ waterMl }) => waterMl),
    tokens: sum(({ tokens }) => tokens),
  };
  return [...shown, other];
}

/** Escapes the value of a label. */
function label(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
