interface IntervalProps {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

/** A mean and its interval on a line from 0 to 1. */
export function Interval({ mean, lower, upper }: IntervalProps) {
  const x = (value: number): string => `${(100 * value).toFixed(2)}%`;
  return (
    <svg class="interval" role="img" aria-label={`mean ${mean.toFixed(3)}, from ${lower.toFixed(3)} to ${upper.toFixed(3)}`}>
      <line x1="0" x2="100%" y1="8" y2="8" stroke="var(--rule)" />
      <line x1={x(lower)} x2={x(upper)} y1="8" y2="8" stroke="var(--accent)" stroke-width="3" />
      <circle cx={x(mean)} cy="8" r="4" fill="var(--ink)" />
    </svg>
  );
}
