import { useMemo } from 'preact/hooks';
import { time } from '../shared/format.js';
import { LineChart } from '../shared/line-chart.js';
import { DataTable } from '../shared/table.js';
import type { Buckets, Posterior } from './model.js';

const SHOWN = 10;
const mean = (value: number): string => value.toFixed(3);

/** Posterior means over time of the arms that were observed most. */
export function ConvergenceChart({ buckets, posteriors }: { readonly buckets: Buckets; readonly posteriors: readonly Posterior[] }) {
  const { times, lines } = useMemo(() => {
    const ids = [...posteriors].sort((a, b) => b.pulls - a.pulls).slice(0, SHOWN).map(({ armId }) => armId);
    const all = [...new Set(buckets.map(({ t }) => t))];
    const at = new Map(buckets.map(({ t, armId, value }) => [`${t} ${armId}`, value]));
    return {
      times: all,
      lines: ids.map((id) => ({ name: id, values: all.map((t) => at.get(`${t} ${id}`) ?? null) })),
    };
  }, [buckets, posteriors]);
  return (
    <>
      <LineChart label="Posterior means of the most observed arms over time" times={times} lines={lines} shown={mean} />
      <DataTable
        folded
        caption="Posterior means over time"
        rows={times.map((t, i) => ({ t, values: lines.map(({ values }) => values[i] ?? null) }))}
        columns={[
          { title: 'From (UTC)', of: ({ t }) => time(t) },
          ...lines.map(({ name }, i) => ({
            title: name,
            right: true,
            of: ({ values }: { values: ReadonlyArray<number | null> }) => (values[i] === null ? '–' : mean(values[i]!)),
          })),
        ]}
      />
    </>
  );
}
