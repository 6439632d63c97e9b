import { useState } from 'preact/hooks';
import type { Posterior } from './model.js';

const FIRST = 50;

/** Each arm's mean and 95 % interval on a line from 0 to 1. */
export function Whiskers({ posteriors }: { readonly posteriors: readonly Posterior[] }) {
  const [all, setAll] = useState(false);
  if (posteriors.length === 0) return <p class="empty">No arms yet.</p>;
  const shown = all ? posteriors : posteriors.slice(0, FIRST);
  return (
    <>
      <div class="whiskers" role="list" aria-label="Arms with mean and 95 % credible interval">
        {shown.map((posterior) => (
          <Whisker key={posterior.armId} {...posterior} />
        ))}
      </div>
      {posteriors.length > FIRST && (
        <p>
          <button type="button" onClick={() => setAll(!all)}>
            {all ? `Show the first ${FIRST}` : `Show all ${posteriors.length}`}
          </button>
        </p>
      )}
    </>
  );
}

function Whisker({ armId, mean, pulls, isSeed, isUnderexplored, confidence, credibleInterval }: Posterior) {
  const { lower, upper } = credibleInterval;
  const x = (value: number): string => `${(100 * value).toFixed(2)}%`;
  return (
    <div class="whisker" role="listitem">
      <span class="arm" title={armId}>
        {armId}
      </span>
      <svg role="img" aria-label={`mean ${mean.toFixed(3)}, from ${lower.toFixed(3)} to ${upper.toFixed(3)}`}>
        <line x1="0" x2="100%" y1="8" y2="8" stroke="var(--rule)" />
        <line x1={x(lower)} x2={x(upper)} y1="8" y2="8" stroke="var(--accent)" stroke-width="3" />
        <circle cx={x(mean)} cy="8" r="4" fill="var(--ink)" />
      </svg>
      <span>
        {mean.toFixed(2)} · {pulls} pulls · {confidence} {isSeed && <span class="badge on">SEED</span>}{' '}
        {isUnderexplored && <span class="badge">EXPLORE</span>}
      </span>
    </div>
  );
}
