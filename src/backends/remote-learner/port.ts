export interface RemoteArm {
  readonly alpha: number;
  readonly beta: number;
  readonly pulls: number;
  /** Milliseconds since the epoch. */
  readonly lastUpdated: number;
}

/** A learner that another service keeps. Every call throws `unavailable` where that service does not answer. */
export interface RemoteLearner {
  /** Returns arm id → posterior of the default context. */
  posteriors(): Promise<Map<string, RemoteArm>>;
  /**
   * Adds one observation, reward 0..1; returns the mean right after it. One that is sent again with its key changes
   * nothing. Throws `conflict` where the service refuses it.
   */
  observe(armId: string, reward: number, idempotencyKey?: string): Promise<number>;
  /** Deletes what these arms learned. */
  reset(armIds: readonly string[]): Promise<void>;
}
