import { useEffect, useRef, useState } from 'preact/hooks';
import { read } from '../shared/api.js';
import { grams, water } from '../shared/format.js';
import { query } from '../shared/page.js';
import { BASE, type Explanation, type Trace } from './model.js';

/** How the number of one call comes about: factor, routes, citation, grid. */
export function ExplainDialog({ trace, onClose }: { readonly trace: Trace; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [found, setFound] = useState<Explanation>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    dialog.current?.showModal();
    const { provider, model, region } = trace;
    read<Explanation>(`${BASE}/factors/explain${query({ provider, model, region })}`).then(setFound, (error: Error) =>
      setProblem(error.message),
    );
  }, [trace]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="explained">
      <h2 id="explained">
        {trace.provider} / {trace.model}: {grams(trace.totalCo2Grams)} CO2e, {water(trace.waterMl)} of water
      </h2>
      <p>
        {trace.inputTokens} input, {trace.outputTokens} output and {trace.cacheReadTokens} cached tokens; recorded with factor{' '}
        {trace.factorId} at {trace.gridCarbonUsed} g/kWh.
      </p>
      {problem !== '' && <p role="alert">{problem}</p>}
      {found !== undefined && (
        <>
          <ol>
            {found.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p class="note">Factor table of {found.tableVersion}; the steps show the table of today.</p>
        </>
      )}
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
