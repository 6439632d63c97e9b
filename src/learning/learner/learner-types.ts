/** Records of the learner library as they are on the wire; member names are the specification's. */

export interface ArmState {
  /** Successes + prior. */
  readonly alpha: number;
  /** Failures + prior. */
  readonly beta: number;
  readonly pulls: number;
  readonly total_reward: number;
  /** ISO 8601. */
  readonly last_updated: string;
  readonly mean: number;
}

export interface ArmPosterior extends ArmState {
  /** Equal-tailed, 95 %. */
  readonly credible_interval: { readonly lower: number; readonly upper: number };
}

export interface ArmOutcome {
  readonly arm_id: string;
  /** 0..1; wins over `outcome`. */
  readonly reward?: number | undefined;
  /** `accepted`, `rejected`, `partial` or one of `learning.outcomes`. */
  readonly outcome?: string | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

export interface SelectOptions {
  /** Default 1; 0 or less: no cap. */
  readonly k?: number | undefined;
  /** Above 0: cap of the total token cost. */
  readonly token_budget?: number | undefined;
  /** Above 0: arms with fewer observations come first. */
  readonly min_pulls?: number | undefined;
}

export interface SelectedArm {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly token_cost: number;
}

export interface SelectResult {
  readonly selected_arms: readonly SelectedArm[];
  /** `reason` where the arm alone costs more than the budget. */
  readonly excluded_arms: ReadonlyArray<SelectedArm & { readonly reason?: string }>;
  readonly is_baseline: boolean;
  /** The sampled score of every candidate. */
  readonly scores: Readonly<Record<string, number>>;
  readonly token_budget: number;
  readonly used_tokens: number;
}

export interface ObserveResult {
  readonly arm_id: string;
  readonly alpha: number;
  readonly beta: number;
  readonly mean: number;
  readonly pulls: number;
  /** Set where the outcome is not known and counted 0. */
  readonly warning?: string;
}

export interface CreditDelta {
  readonly alpha?: number | undefined;
  readonly beta?: number | undefined;
}

export interface ResetResult {
  readonly learner: string;
  /** Number of arm states that were deleted, or would be. */
  readonly deleted: number;
  readonly status: 'reset' | 'dry_run';
}

export interface ArmRates {
  readonly pulls: number;
  readonly selections: number;
  /** Share of the selections in which the arm was chosen. */
  readonly selection_rate: number;
  readonly reward_rate: number;
}

export interface LearnerMetrics {
  readonly learner: string;
  readonly total_pulls: number;
  readonly total_reward: number;
  readonly accuracy: number;
  readonly arm_count: number;
  /** Measured share of baseline selections. */
  readonly explore_ratio: number;
  readonly selections: number;
  /** Probability that the leading arm is the best; over several contexts their mean by pulls. */
  readonly convergence: number;
  readonly arms: Readonly<Record<string, ArmRates>>;
  readonly window?: number;
}

export interface SessionSummary {
  readonly session_id: string;
  readonly learner: string;
  readonly session_name: string;
  /** Distinct arm ids in the order of their first selection. */
  readonly selected_arms: readonly string[];
  readonly outcomes: readonly SessionOutcome[];
  readonly started_at: string;
  readonly ended_at: string;
}

export interface SessionOutcome {
  readonly arm_id: string;
  readonly reward: number;
  readonly outcome: string | null;
  readonly context: Readonly<Record<string, unknown>>;
}
