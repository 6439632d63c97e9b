import { DAY_MS } from '../learner/retention.js';
import type { FactorRule } from './factor.js';

/** Settings of the feedback loop; names as in the configuration. */
export interface InteroceptionSettings {
  readonly enabled: boolean;
  readonly eta: number;
  readonly targets: { readonly accepted: number; readonly partial: number; readonly rejected: number };
  readonly half_life_days: number;
  /** Two returned items without an edge are buffered from this cosine on. */
  readonly promote_cosine: number;
  readonly promote_sightings: number;
  readonly promote_mean: number;
  /** Pairs that the buffer holds at most. */
  readonly buffer_pairs: number;
}

export const INTEROCEPTION: InteroceptionSettings = {
  enabled: true,
  eta: 0.2,
  targets: { accepted: 2, partial: 1.3, rejected: 0.5 },
  half_life_days: 30,
  promote_cosine: 0.7,
  promote_sightings: 2,
  promote_mean: 0.75,
  buffer_pairs: 50_000,
};

export function factorRule(settings: InteroceptionSettings): FactorRule {
  return { eta: settings.eta, halfLifeMs: settings.half_life_days * DAY_MS };
}

export type Outcome = 'accepted' | 'partial' | 'rejected';

export function isOutcome(value: unknown): value is Outcome {
  return value === 'accepted' || value === 'partial' || value === 'rejected';
}

/** Names of the counters that caches compare. */
export const VERSION = 'interoception:version';
export const EPOCH = 'interoception:epoch';
export const RANKERS = 'interoception:rankers';
export const PROMOTED = 'interoception:promoted';
