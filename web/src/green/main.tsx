import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { grams, percent, short, time, water } from '../shared/format.js';
import { LineChart } from '../shared/line-chart.js';
import { Card, Choice, Page, RANGES, Tile } from '../shared/page.js';
import { Bars, DataTable } from '../shared/table.js';
import { useData } from '../shared/use-data.js';
import { ExplainDialog } from './explain-dialog.js';
import { ExportButtons } from './export-buttons.js';
import { type GreenData, loadGreen, type Trace } from './model.js';
import { TargetChart } from './target-chart.js';

function Dashboard() {
  const [days, setDays] = useState('30');
  const loaded = useData(() => loadGreen(days), [days]);
  return (
    <Page title="Emissions of model calls" loaded={loaded} controls={<Choice label="Range" value={days} options={RANGES} onChange={setDays} />}>
      {loaded.data !== undefined && <Content {...loaded.data} />}
    </Page>
  );
}

function Content({ summary, buckets, targets, years, last }: GreenData) {
  const [explained, setExplained] = useState<Trace>();
  const { uncertaintyLower: lower, uncertaintyUpper: upper, equivalents } = summary;
  const models = Object.entries(summary.byModel)
    .map(([name, { co2Grams }]) => ({ name, value: co2Grams }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 12);
  return (
    <>
      <div class="tiles">
        <Tile label="CO2e" value={grams(summary.totalCo2Grams)} note={`${grams(summary.totalCo2Grams * lower)} to ${grams(summary.totalCo2Grams * upper)}`} />
        <Tile label="Water" value={water(summary.totalWaterMl)} note="mostly at power stations" />
        <Tile label="Requests" value={short(summary.traceCount)} note={`${short(summary.totalTokens)} tokens`} />
        <Tile label="Per request" value={grams(summary.avgCo2PerTrace)} note={`${short(summary.intensityPerMillionTokens)} g per million tokens`} />
        {summary.traceCount === 0 ? (
          <Tile label="Confidence" value="–" note="nothing recorded" />
        ) : (
          <Tile label="Confidence" value={summary.confidence.label.replace('_', ' ')} note={`${summary.confidence.description} (mean ${short(summary.avgConfidence)})`} />
        )}
        <Tile label="Fallback factors" value={summary.traceCount === 0 ? '–' : percent(100 * summary.fallbackShare)} note="of the requests" />
      </div>
      {summary.alert !== undefined && (
        <p class="error wide" role="alert">
          Today's {grams(summary.alert.grams)} are above the threshold of {grams(summary.alert.thresholdGrams)}.
        </p>
      )}
      <Card title="Emissions over time, with uncertainty" wide>
        <OverTime buckets={buckets} band={{ lower, upper }} />
      </Card>
      <Card title="Providers">
        <Bars caption="Grams by provider" rows={summary.providers.map(({ provider, totalCo2Grams }) => ({ name: provider, value: totalCo2Grams }))} shown={(value) => `${grams(value)}`} />
      </Card>
      <Card title="Models">
        <Bars caption="Grams by model" rows={models} shown={grams} />
      </Card>
      <Card title="Intensity over time">
        <Intensity buckets={buckets} />
      </Card>
      <Card title={`As everyday things (profile ${equivalents.profile})`}>
        <div class="tiles">
          <Tile label="by car" value={`${short(equivalents.carKm)} km`} />
          <Tile label="phone charges" value={short(equivalents.phoneCharges)} />
          <Tile label="tree days" value={short(equivalents.treeDays)} />
          <Tile label="web searches" value={short(equivalents.webSearches)} />
          <Tile label="streaming" value={`${short(equivalents.streamingHours)} h`} />
        </div>
      </Card>
      <Card title="Targets" wide>
        {targets.progress.length === 0 ? (
          <p class="empty">No targets. Add one with the command "green targets add".</p>
        ) : (
          targets.progress.map((progress) => <TargetChart key={progress.target.targetId} progress={progress} recorded={years} />)
        )}
      </Card>
      <Card title="Last calls" wide>
        <LastCalls traces={last} onExplain={setExplained} />
      </Card>
      <Card title="Reports of the current year" wide>
        <ExportButtons />
      </Card>
      {explained !== undefined && <ExplainDialog trace={explained} onClose={() => setExplained(undefined)} />}
    </>
  );
}

function OverTime({ buckets, band }: { readonly buckets: GreenData['buckets']; readonly band: { lower: number; upper: number } }) {
  const chart = useMemo(() => {
    const values = buckets.map(({ co2Grams }) => co2Grams);
    return {
      times: buckets.map(({ t }) => t),
      lines: [{ name: 'CO2e', values }],
      band: { lower: values.map((value) => value * band.lower), upper: values.map((value) => value * band.upper) },
    };
  }, [buckets, band.lower, band.upper]);
  return (
    <>
      <LineChart label="Grams of CO2e over time with the band of uncertainty" {...chart} shown={grams} />
      <DataTable
        folded
        caption="Emissions over time"
        rows={buckets}
        columns={[
          { title: 'From (UTC)', of: ({ t }) => time(t) },
          { title: 'CO2e', of: ({ co2Grams }) => grams(co2Grams), right: true },
          { title: 'at least', of: ({ co2Grams }) => grams(co2Grams * band.lower), right: true },
          { title: 'at most', of: ({ co2Grams }) => grams(co2Grams * band.upper), right: true },
          { title: 'Requests', of: ({ traceCount }) => traceCount, right: true },
        ]}
      />
    </>
  );
}

function Intensity({ buckets }: { readonly buckets: GreenData['buckets'] }) {
  const chart = useMemo(
    () => ({
      times: buckets.map(({ t }) => t),
      lines: [{ name: 'per request', values: buckets.map(({ co2Grams, traceCount }) => co2Grams / traceCount) }],
    }),
    [buckets],
  );
  return (
    <>
      <LineChart label="Grams of CO2e a request over time" {...chart} shown={grams} />
      <DataTable
        folded
        caption="Intensity over time"
        rows={buckets}
        columns={[
          { title: 'From (UTC)', of: ({ t }) => time(t) },
          { title: 'per request', of: ({ co2Grams, traceCount }) => grams(co2Grams / traceCount), right: true },
        ]}
      />
    </>
  );
}

function LastCalls({ traces, onExplain }: { readonly traces: readonly Trace[]; readonly onExplain: (trace: Trace) => void }) {
  return (
    <DataTable
      caption="The 20 newest calls; the grams explain themselves"
      rows={traces}
      columns={[
        { title: 'Time (UTC)', of: ({ timestamp }) => time(timestamp) },
        { title: 'Provider', of: ({ provider }) => provider },
        { title: 'Model', of: ({ model }) => model },
        { title: 'Tokens', of: (trace) => short(trace.inputTokens + trace.outputTokens + trace.cacheReadTokens), right: true },
        {
          title: 'CO2e',
          right: true,
          of: (trace) => (
            <button type="button" class="link" onClick={() => onExplain(trace)} aria-label={`Explain ${grams(trace.totalCo2Grams)} of ${trace.model}`}>
              {grams(trace.totalCo2Grams)}
            </button>
          ),
        },
        { title: 'Water', of: ({ waterMl }) => water(waterMl), right: true },
        { title: 'Grid', of: ({ gridCarbonUsed, region }) => `${short(gridCarbonUsed)} g/kWh${region === undefined ? '' : ` (${region})`}` },
        { title: 'Factor', of: ({ factorSource }) => (factorSource === 'fallback' ? <span class="badge off">fallback</span> : factorSource) },
      ]}
    />
  );
}

render(<Dashboard />, document.getElementById('app')!);
