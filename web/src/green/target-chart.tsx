import { useMemo } from 'preact/hooks';
import { grams, percent } from '../shared/format.js';
import { LineChart } from '../shared/line-chart.js';
import { DataTable } from '../shared/table.js';
import type { Targets } from './model.js';

interface TargetChartProps {
  readonly progress: Targets['progress'][number];
  /** Grams recorded by UTC year. */
  readonly recorded: ReadonlyMap<number, number>;
}

/** A target's linear path, what was recorded in each year since its base year, and where it goes at today's pace. */
export function TargetChart({ progress, recorded }: TargetChartProps) {
  const { target, currentYearEmissionsGrams, onTrack, progressPercent, projectedEndYear, basis } = progress;
  const goal = target.baseYearEmissionsGrams * (1 - target.targetReductionPercent / 100);
  const year = new Date().getUTCFullYear();
  const { times, lines, years } = useMemo(() => {
    const end = Math.max(target.targetYear, projectedEndYear ?? 0, year);
    const all = Array.from({ length: end - target.baseYear + 1 }, (_, i) => target.baseYear + i);
    const share = (at: number) => Math.min(1, (at - target.baseYear) / (target.targetYear - target.baseYear));
    const path = all.map((at) => target.baseYearEmissionsGrams - (target.baseYearEmissionsGrams - goal) * share(at));
    const actual = all.map((at) => {
      if (at === target.baseYear) return target.baseYearEmissionsGrams;
      if (at === year) return currentYearEmissionsGrams;
      return at < year ? (recorded.get(at) ?? null) : null;
    });
    const projection = all.map((at) => {
      if (projectedEndYear === null || at < year || at > projectedEndYear) return null;
      return projectedEndYear === year ? currentYearEmissionsGrams : currentYearEmissionsGrams + ((goal - currentYearEmissionsGrams) * (at - year)) / (projectedEndYear - year);
    });
    return {
      years: all,
      times: all.map((at) => Date.UTC(at, 0)),
      lines: [
        { name: 'linear path', values: path },
        { name: 'recorded', values: actual },
        { name: 'projection', values: projection, dashed: true },
      ],
    };
  }, [target, currentYearEmissionsGrams, projectedEndYear, goal, year, recorded]);
  return (
    <div>
      <h3>
        {target.name} <span class={onTrack ? 'badge on' : 'badge off'}>{onTrack ? 'on track' : 'behind'}</span>{' '}
        <span class="badge">{percent(progressPercent)}</span>{' '}
        <span class="badge">{projectedEndYear === null ? 'no projection' : `reached ${projectedEndYear}`}</span>
      </h3>
      <p class="note">
        {target.targetReductionPercent} % below {target.baseYear} by {target.targetYear}, pathway {target.pathway} (asks for{' '}
        {percent(progress.pathwayMinimumPercent)}: {progress.pathwayAligned ? 'met' : 'not met'}); figure of this year: {basis.replaceAll('-', ' ')}.
      </p>
      <LineChart label={`Path, recorded and projected emissions of ${target.name}`} times={times} lines={lines} shown={grams} />
      <DataTable
        folded
        caption={`Path of ${target.name}`}
        rows={years.map((at, i) => ({ at, cells: lines.map(({ values }) => values[i] ?? null) }))}
        columns={[
          { title: 'Year', of: ({ at }) => at },
          ...lines.map(({ name }, i) => ({
            title: name,
            right: true,
            of: ({ cells }: { cells: ReadonlyArray<number | null> }) => (cells[i] === null ? '–' : grams(cells[i]!)),
          })),
        ]}
      />
    </div>
  );
}
