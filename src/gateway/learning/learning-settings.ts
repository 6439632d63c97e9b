/** The learning gateway's slice of the configuration; member names are those of the settings file. */
export interface GatewayLearningSettings {
  readonly enabled: boolean;
  readonly phase: 'passive' | 'active';
  readonly strategy: 'thompson';
  /** Most tokens for prompt components. */
  readonly token_budget: number;
  /** Share of baseline runs. */
  readonly baseline_rate: number;
  /** Observations before an arm may be left out. */
  readonly min_pulls: number;
  /** Never left out. */
  readonly seed_arm_ids: readonly string[];
}

/** The learner that holds the gateway's arms. */
export const GATEWAY_LEARNER = 'gateway';
