import { useState } from 'preact/hooks';
import { Interval } from '../shared/interval.js';
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
  return (
    <div class="whisker" role="listitem">
      <span class="arm" title={armId}>
        {armId}
      </span>
      <Interval mean={mean} lower={lower} upper={upper} />
      <span>
        {mean.toFixed(2)} · {pulls} pulls · {confidence} {isSeed && <span class="badge on">SEED</span>}{' '}
        {isUnderexplored && <span class="badge">EXPLORE</span>}
      </span>
    </div>
  );
}
