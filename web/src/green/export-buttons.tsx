import { useState } from 'preact/hooks';
import { download, read } from '../shared/api.js';
import { csvLine } from '../shared/format.js';
import { BASE, type Trace, type Traces } from './model.js';

const REPORTS = [
  ['ghg-protocol', 'GHG Protocol'],
  ['cdp', 'CDP'],
  ['tcfd', 'TCFD'],
  ['iso14064', 'ISO 14064'],
] as const;

const COLUMNS = [
  'traceId', 'runId', 'timestamp', 'provider', 'model', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'totalCo2Grams',
  'waterMl', 'confidence', 'gridCarbonUsed', 'calculationMethod', 'dataQualityScore', 'factorId',
] as const satisfies ReadonlyArray<keyof Trace>;

/** The four reports of the current year, and all traces as CSV. */
export function ExportButtons() {
  const [problem, setProblem] = useState('');
  const offer = (work: () => Promise<void>) => () => {
    setProblem('');
    work().catch((error: Error) => setProblem(error.message));
  };
  return (
    <>
      <div class="actions">
        {REPORTS.map(([format, title]) => (
          <button
            key={format}
            type="button"
            onClick={offer(async () => {
              const report = await read<object>(`${BASE}/export/${format}`);
              download(`${format}.json`, `${JSON.stringify(report, null, 2)}\n`, 'application/json');
            })}
          >
            {title}
          </button>
        ))}
        <button type="button" onClick={offer(async () => download('traces.csv', await tracesCsv(), 'text/csv'))}>
          CSV of all calls
        </button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
    </>
  );
}

async function tracesCsv(): Promise<string> {
  const lines = [csvLine([...COLUMNS])];
  for (let offset = 0; ; offset += 1000) {
    const { traces } = await read<Traces>(`${BASE}/traces?limit=1000&offset=${offset}`);
    for (const trace of traces) lines.push(csvLine(COLUMNS.map((name) => trace[name] ?? '')));
    if (traces.length < 1000) return lines.join('');
  }
}
