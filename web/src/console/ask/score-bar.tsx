import type { ItemMetadata } from '../types.js';

const SIGNALS = [
  ['vec_score', 'vector'],
  ['text_score', 'text'],
  ['ppr_score', 'graph'],
] as const;

/** The score as a bar, split by the strength of the three signals behind it. */
export function ScoreBar({ score, metadata }: { readonly score: number; readonly metadata: ItemMetadata }) {
  const signals = SIGNALS.map(([member, name]) => ({ name, value: Math.max(0, metadata[member] ?? 0) }));
  const total = signals.reduce((sum, { value }) => sum + value, 0);
  const percents = roundedShares(signals.map(({ value }) => value), total);
  const shares = signals.map(({ name }, index) => ({ name, percent: percents[index]! }));
  const text = shares.map(({ name, percent }) => `${name} ${percent} %`).join(', ');
  return (
    <div class="score">
      <span class="value">{score.toFixed(3)}</span>
      <span class="track" role="img" aria-label={`Score ${score.toFixed(3)}; signals: ${text}`}>
        <span class="filled" style={{ width: `${100 * Math.min(1, Math.max(0, score))}%` }}>
          {shares.map(({ name, percent }) => (
            <span key={name} class={`part ${name}`} style={{ width: `${percent}%` }} />
          ))}
        </span>
      </span>
      <span class="signals" aria-hidden="true">
        {shares.map(({ name, percent }) => (
          <span key={name} class={`signal ${name}`}>
            {name} {percent} %
          </span>
        ))}
      </span>
    </div>
  );
}

/** Whole percents that add up to 100: the largest remainders are rounded up. All 0 where the total is. */
function roundedShares(values: readonly number[], total: number): number[] {
  if (total === 0) return values.map(() => 0);
  const exact = values.map((value) => (100 * value) / total);
  const shares = exact.map(Math.floor);
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0);
  const order = exact.map((value, index) => [value - Math.floor(value), index] as const).sort(([a], [b]) => b - a);
  for (const [, index] of order.slice(0, missing)) shares[index]! += 1;
  return shares;
}
