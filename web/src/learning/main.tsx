import { render } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { percent, short } from '../shared/format.js';
import { Card, Choice, Page, RANGES, Tile } from '../shared/page.js';
import { Bars, DataTable } from '../shared/table.js';
import { useData } from '../shared/use-data.js';
import { ConvergenceChart } from './convergence-chart.js';
import { type LearningData, loadLearning, type Summary, wasteOf } from './model.js';
import { RunGrid } from './run-grid.js';
import { Whiskers } from './whiskers.js';

function Dashboard() {
  const [days, setDays] = useState('30');
  const [model, setModel] = useState('');
  const loaded = useData(() => loadLearning(days, model), [days, model]);
  // Runs of one model tell nothing of the others: every model that was seen stays in the list.
  const seen = useRef(new Set<string>());
  const models = useMemo(() => {
    for (const run of loaded.data?.runs ?? []) seen.current.add(run.model);
    return [...new Set([...seen.current, model])].filter((name) => name !== '').sort();
  }, [loaded.data, model]);
  return (
    <Page
      title="What agent runs teach"
      loaded={loaded}
      controls={
        <>
          <Choice label="Range" value={days} options={RANGES} onChange={setDays} />
          <Choice label="Model" value={model} options={[['', 'all'], ...models.map((name) => [name, name] as const)]} onChange={setModel} />
        </>
      }
    >
      {loaded.data !== undefined && <Content {...loaded.data} />}
    </Page>
  );
}

function Content({ summary, config, posteriors, convergence, runs }: LearningData) {
  const waste = useMemo(() => wasteOf(runs), [runs]);
  const neverUsed = waste.filter(({ referenced }) => referenced === 0).reduce((sum, { tokens }) => sum + tokens, 0);
  const { tokenSavingsPercent: savings } = summary.baseline;
  return (
    <>
      <div class="tiles">
        <Tile label="Phase" value={<span class={config.phase === 'active' ? 'badge on' : 'badge'}>{config.phase}</span>} note={config.enabled ? `budget ${short(config.tokenBudget)} tokens` : 'switched off'} />
        <Tile label="Runs" value={short(summary.traceCount)} note={`${short(summary.baseline.baselineRuns)} baseline`} />
        <Tile label="Arms" value={short(summary.armCount)} note={`${config.seedArmIds.length} seeds configured`} />
        <Tile label="Tokens" value={short(summary.totalTokens)} />
        <Tile label="Savings" value={savings === null ? '–' : percent(savings)} note="selected against baseline runs" />
        <Tile label="Never used" value={`${short(neverUsed)} tokens`} note={`of arms without a reference in the last ${runs.length} runs`} />
      </div>
      <Card title="Cost of arms that were included and not referenced" wide>
        <DataTable
          caption={`Tokens spent on runs that did not reference the arm, in the last ${runs.length} runs; the first rows are candidates to leave out`}
          rows={waste.filter(({ tokens }) => tokens > 0).slice(0, 15)}
          columns={[
            { title: 'Arm', of: ({ armId }) => armId },
            { title: 'Tokens', of: ({ tokens }) => short(tokens), right: true },
            { title: 'Included', of: ({ included }) => included, right: true },
            { title: 'Referenced', of: ({ referenced }) => referenced, right: true },
          ]}
        />
      </Card>
      <Card title="Convergence of the posterior means" wide>
        <ConvergenceChart buckets={convergence} posteriors={posteriors} />
      </Card>
      <Card title="Baseline against selected runs">
        <Comparison baseline={summary.baseline} />
      </Card>
      <Card title="Arms over the last 50 runs">
        <RunGrid runs={runs} />
      </Card>
      <Card title="Posteriors with 95 % intervals" wide>
        <Whiskers posteriors={posteriors} />
      </Card>
    </>
  );
}

function Comparison({ baseline }: { readonly baseline: Summary['baseline'] }) {
  const pairs = (a: number | null, b: number | null) =>
    [
      { name: 'baseline', value: a },
      { name: 'selected', value: b },
    ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  return (
    <>
      <h3>Tokens a run</h3>
      <Bars caption="Mean tokens of a run" rows={pairs(baseline.baselineAvgTokens, baseline.selectedAvgTokens)} shown={short} />
      <h3>Seconds a run</h3>
      <Bars caption="Mean seconds of a run" rows={pairs(baseline.baselineAvgDuration, baseline.selectedAvgDuration)} shown={(ms) => `${short(ms / 1000)} s`} />
    </>
  );
}

render(<Dashboard />, document.getElementById('app')!);
