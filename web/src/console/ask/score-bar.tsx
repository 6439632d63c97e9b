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
  const shares = signals.map(({ name, value }) => ({ name, percent: total === 0 ? 0 : (100 * value) / total }));
  const text = shares.map(({ name, percent }) => `${name} ${Math.round(percent)} %`).join(', ');
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
            {name} {Math.round(percent)} %
          </span>
        ))}
      </span>
    </div>
  );
}
