import type { Generated } from 'kysely';

/** Tables of the gateway. Columns carry the names of the wire. */
export interface GatewayTables {
  /** Spans, log records and rows that were taken in; a key that is here counts nowhere a second time. */
  intake_key: { key: string; at: number };
  /** One model call. */
  green_trace: {
    id: Generated<number>;
    traceId: string;
    runId: string;
    sessionId: string | null;
    /** Milliseconds since the epoch. */
    timestamp: number;
    provider: string;
    model: string;
    inputTokens: number;
    outputTokens: number;
    cacheReadTokens: number;
    costUsd: number | null;
    inputCo2Grams: number;
    outputCo2Grams: number;
    cacheCo2Grams: number;
    totalCo2Grams: number;
    waterMl: number;
    confidence: number;
    gridCarbonUsed: number;
    calculationMethod: string;
    dataQualityScore: number;
    region: string | null;
    regionGridCarbon: number | null;
    factorId: string;
    factorSource: string;
  };
  /** Sums of a UTC day; written with the traces, equal to a recount of them. */
  green_rollup: {
    /** Days since the epoch. */
    day: number;
    provider: string;
    model: string;
    factorId: string;
    calculationMethod: string;
    traces: number;
    fallbackTraces: number;
    inputTokens: number;
    outputTokens: number;
    cacheReadTokens: number;
    inputCo2Grams: number;
    outputCo2Grams: number;
    cacheCo2Grams: number;
    totalCo2Grams: number;
    waterMl: number;
    /** Σ confidence, and Σ confidence × grams. */
    confidenceSum: number;
    confidenceCo2: number;
  };
  green_target: {
    targetId: string;
    name: string;
    baseYear: number;
    baseYearEmissionsGrams: number;
    targetYear: number;
    targetReductionPercent: number;
    pathway: string;
    createdAt: number;
  };
  /** One agent run, put together from its spans or taken whole. */
  gateway_run: {
    id: Generated<number>;
    runId: string;
    traceId: string;
    sessionId: string;
    sessionKey: string | null;
    channel: string | null;
    /** Earliest start, latest end; milliseconds since the epoch. */
    timestamp: number;
    endTimestamp: number;
    /** Of the call that started first, and when it did. */
    provider: string | null;
    model: string | null;
    modelTimestamp: number | null;
    isBaseline: number;
    /** JSON: arms as given; tools as seen in spans (used only without arms given). */
    arms: string | null;
    tools: string;
    /** 1 where a call reported tokens. */
    hasUsage: number;
    inputTokens: number;
    outputTokens: number;
    cacheReadTokens: number;
    totalTokens: number;
    /** Of the root span, or as given; null: not known. */
    durationMs: number | null;
    systemPromptChars: number;
    aborted: number;
    error: string | null;
    /** Score of an evaluation, 0..1. */
    evaluation: number | null;
    /** JSON: what the run taught so far, arm → [reward, version of the partition]. */
    taught: string;
    /** 1 where what it teaches has still to be sent to a remote learner, and from when on. */
    pending: number;
    due: number;
    /** When it was taken in. */
    receivedAt: number;
  };
  /** The last posterior mean of an arm in each hour in which it changed. */
  gateway_mean: { hour: number; armId: string; mean: number };
  /** Rewards of single arms, given by hand or by an evaluation, with their reasons. */
  gateway_reward: {
    id: Generated<number>;
    armId: string;
    outcome: string;
    reward: number;
    reason: string | null;
    at: number;
    /** 1 where it has still to be sent to a remote learner. */
    pending: Generated<number>;
  };
  /** Counters of the intake by name. */
  gateway_counter: { name: string; value: number };
}
