import { isoTime } from '../../../core/clock.js';
import { THREE_DIGITS } from '../../../core/wording/three-digits.js';
import type { CarbonTarget, TargetProgress } from '../../../gateway/green/carbon-types.js';
import type { ListedFactor } from '../../../gateway/green/explain.js';
import type { GreenAlert } from '../../../gateway/green/green.js';
import type { GreenSummary } from '../../../gateway/green/report/summary.js';
import { dim, facts, section, table, yellow } from '../../output/output.js';

type Summary = GreenSummary & { readonly alert?: GreenAlert };

/** Says how telemetry comes in, where none did yet. */
export const NOTHING_RECORDED = dim(
  'Nothing is recorded yet. Send OpenTelemetry traces to /v1/traces of a running service, or rows to /__gateway__/api/green/ingest.',
);

/** Formats the summary of emissions: the days it is of, sums with their units and bounds, and the share of each provider. */
export function emissionsShown(summary: Summary): string {
  if (summary.traceCount === 0) return [facts([['calls', 0]]), NOTHING_RECORDED].join('\n\n');
  const { totalCo2Grams: total, alert } = summary;
  const bounds = `${grams(total * summary.uncertaintyLower)} to ${grams(total * summary.uncertaintyUpper)}`;
  return [
    facts([
      ['calls', summary.traceCount],
      ['days', `${dayOf(summary.minTimestamp)} to ${dayOf(summary.maxTimestamp)} (UTC)`],
      ['CO2e', `${grams(total)} (${bounds})`],
      ['water', `${THREE_DIGITS.format(summary.totalWaterMl / 1000)} L`],
      ['confidence', `${summary.confidence.label}: ${summary.confidence.description}`],
    ]),
    ...(alert === undefined
      ? []
      : [yellow(`Today ${grams(alert.grams)}, more than the daily threshold of ${grams(alert.thresholdGrams)}.`)]),
    section(
      'providers',
      table(summary.providers, [
        { title: 'provider', of: ({ provider }) => provider },
        { title: 'calls', of: ({ traceCount }) => traceCount, right: true },
        { title: 'CO2e', of: ({ totalCo2Grams }) => grams(totalCo2Grams), right: true },
        { title: '%', of: ({ percentage }) => percentage.toFixed(1), right: true },
      ]),
    ),
  ].join('\n\n');
}

/** Formats targets and where they stand as one table. */
export function targetsShown({ progress }: { readonly progress: readonly TargetProgress[] }): string {
  if (progress.length === 0) return dim('There are no targets; `svc green targets add` sets one.');
  return table(progress, [
    { title: 'id', of: ({ target }) => target.targetId },
    { title: 'name', of: ({ target }) => target.name, wide: 1 },
    { title: 'base', of: ({ target }) => `${target.baseYear}: ${grams(target.baseYearEmissionsGrams)}` },
    { title: 'target', of: ({ target }) => `${target.targetYear}: -${target.targetReductionPercent} %` },
    { title: 'this year', of: (row) => grams(row.currentYearEmissionsGrams), right: true },
    { title: 'progress', of: (row) => `${Number(row.progressPercent.toFixed(1))} %`, right: true },
    { title: 'on track', of: (row) => (row.basis === 'insufficient-data' ? 'not known' : row.onTrack ? 'yes' : 'no') },
    { title: 'reached', of: (row) => row.projectedEndYear ?? '' },
  ]);
}

/** Formats a target that was added, and says so where its base is nothing: then there is nothing to reduce. */
export function targetShown(target: CarbonTarget): string {
  const { targetId, name, baseYear, baseYearEmissionsGrams: base, targetYear, targetReductionPercent: cut } = target;
  const lines = facts([
    ['id', targetId],
    ['name', name],
    ['base', `${baseYear}: ${grams(base)}`],
    ['target', `${targetYear}: ${grams(base * (1 - cut / 100))} (-${cut} %)`],
    ['pathway', target.pathway],
  ]);
  if (base > 0) return lines;
  const again = `Nothing is recorded of ${baseYear}: remove the target and add it with --base-grams.`;
  return [lines, yellow(again)].join('\n\n');
}

/** Formats the factor table: grams and millilitres per million tokens. `--json` prints routes and citations too. */
export function factorsShown({ factors }: { readonly factors: readonly ListedFactor[] }): string {
  return [
    'Per million tokens: grams of CO2e at the reference grid, and millilitres of water.',
    table(factors, [
      { title: 'provider', of: ({ provider }) => provider },
      { title: 'model', of: ({ model }) => model },
      { title: 'in g', of: (row) => row.inputCo2PerMillionTokens, right: true },
      { title: 'out g', of: (row) => row.outputCo2PerMillionTokens, right: true },
      { title: 'known out g', of: ({ low, high }) => `${low} to ${high}` },
      { title: 'cache g', of: (row) => row.cacheReadCo2PerMillionTokens, right: true },
      { title: 'water mL', of: (row) => row.waterMlPerMillionTokens, right: true },
      { title: 'confidence', of: ({ confidence, source }) => `${confidence} ${source}` },
    ]),
    dim('`svc green factors --explain provider/model` tells how one comes about; --json adds routes and citations.'),
  ].join('\n\n');
}

/** Formats grams for people: three digits, from a thousand on in kilograms. */
function grams(value: number): string {
  return value >= 1000 ? `${THREE_DIGITS.format(value / 1000)} kg` : `${Number(value.toPrecision(3))} g`;
}

/** Formats the UTC day of a time in milliseconds; empty for none. */
export function dayOf(ms: number | null): string {
  return ms === null ? '' : isoTime(ms).slice(0, 10);
}
