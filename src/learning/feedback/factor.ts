/** A multiplier as it was at a moment; it decays toward 1 from there. */
export interface Factor {
  readonly factor: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface FactorEvent {
  readonly target: number;
  readonly at: number;
}

export interface FactorRule {
  /** Share of the way to the target that one event moves, 0..1. */
  readonly eta: number;
  readonly halfLifeMs: number;
}

/** Returns the factor at `now`: half of its distance from 1 is left after a half-life. */
export function decayed({ factor, at }: Factor, now: number, halfLifeMs: number): number {
  return now <= at ? factor : 1 + (factor - 1) * 2 ** (-(now - at) / halfLifeMs);
}

/**
 * Applies factor ← factor + η(target − factor) for each event in order, with decay toward 1 between them. A factor is
 * always folded again from its events, so that taking one away leaves exactly what the others make.
 */
export function fold(base: Factor, events: readonly FactorEvent[], { eta, halfLifeMs }: FactorRule): Factor {
  let state = base;
  for (const { target, at } of events) {
    const before = decayed(state, at, halfLifeMs);
    state = { factor: before + eta * (target - before), at: Math.max(at, state.at) };
  }
  return state;
}
