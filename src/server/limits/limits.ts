import type { Config } from '../../config.js';
import type { Clock } from '../../core/clock.js';
import { FailedAttempts } from '../keys/failed-attempts.js';
import { Arrivals } from './arrivals.js';
import { Slots } from './slots.js';

/** What one process lets happen at once, over all variants and tools that it serves. */
export interface Limits {
  readonly slots: Slots;
  readonly arrivals: Arrivals;
  readonly failed: FailedAttempts;
}

/** Makes the limits of a configuration. */
export function limitsOf({ http, auth }: Pick<Config, 'http' | 'auth'>, clock: Clock): Limits {
  return {
    slots: new Slots({ running: http.max_running, waiting: http.max_waiting }),
    arrivals: new Arrivals({
      most: http.max_arriving,
      bytes: http.max_bodies_bytes,
      largest: http.max_body_bytes,
    }),
    failed: new FailedAttempts(auth.failures_per_minute, clock),
  };
}
