import type { ModelUsage } from '../green/carbon-types.js';

/** One model call, as the emissions module takes it in. */
export interface CallRecord extends ModelUsage {
  /** What makes it the same call when it comes again. */
  readonly key: string;
  readonly traceId: string;
  readonly runId: string;
  readonly sessionId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** A selectable prompt component in a run. */
export interface RunArm {
  readonly armId: string;
  readonly included: boolean;
  readonly referenced: boolean;
  readonly tokenCost: number;
}

export interface RunUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly total: number;
}

/** What one span, log record or row reports of a run; several make up a run, in any order. */
export interface RunPart {
  readonly key: string;
  readonly runId: string;
  readonly traceId: string;
  readonly sessionId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly channel?: string | undefined;
  /** Start and end, milliseconds since the epoch. */
  readonly timestamp: number;
  readonly endTimestamp?: number | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly isBaseline?: boolean | undefined;
  /** Arms as the sender states them; they win over what spans of tools tell. */
  readonly arms?: readonly RunArm[] | undefined;
  /** Tools that were offered or called. */
  readonly tools?: readonly RunArm[] | undefined;
  readonly usage?: RunUsage | undefined;
  /** Of the whole run: set by its root only. */
  readonly durationMs?: number | undefined;
  readonly systemPromptChars?: number | undefined;
  readonly aborted?: boolean | undefined;
  readonly error?: string | undefined;
  /** Score of an evaluation of the run, 0..1. */
  readonly evaluation?: number | undefined;
}

/** A reward for one arm, as `POST /reward` gives it. */
export interface ArmReward {
  readonly key: string;
  readonly armId: string;
  readonly reward: number;
  readonly outcome: string;
  readonly reason: string | null;
}

/** What one request brings. */
export interface IntakeBatch {
  readonly calls: readonly CallRecord[];
  readonly runs: readonly RunPart[];
  readonly rewards: readonly ArmReward[];
  /** Spans, log records and rows in the request. */
  readonly received: number;
  /** Those that could not be taken, with a sentence for the first of them. */
  readonly rejected: number;
  readonly reason?: string | undefined;
}
