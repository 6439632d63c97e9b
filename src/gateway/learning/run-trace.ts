import type { RunRow } from '../../backends/store/gateway/runs.js';
import type { RunArm } from '../telemetry-intake/records.js';
import { armsOf, durationOf } from './merge-run.js';

/** A run as the learning API shows it. */
export interface LearningTrace {
  readonly traceId: string;
  readonly runId: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly provider: string;
  readonly model: string;
  readonly isBaseline: boolean;
  readonly arms: readonly RunArm[];
  readonly usage: { readonly input: number; readonly output: number; readonly total: number } | null;
  readonly durationMs: number | null;
  readonly systemPromptChars: number;
  readonly aborted: boolean;
}

/** A run as exports show it. */
export interface ExportedTrace extends Omit<LearningTrace, 'provider' | 'model' | 'usage'> {
  readonly sessionKey: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly context: {
    readonly sessionKey: string | null;
    readonly channel: string | null;
    readonly provider: string | null;
    readonly model: string | null;
  };
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly total: number;
  } | null;
  readonly error: string | null;
}

export function learningTrace(row: RunRow): LearningTrace {
  const { input, output, total } = usageOf(row);
  return {
    traceId: row.traceId,
    runId: row.runId,
    sessionId: sessionOf(row),
    timestamp: row.timestamp,
    provider: row.provider ?? '',
    model: row.model ?? '',
    isBaseline: row.isBaseline === 1,
    arms: armsOf(row),
    usage: row.hasUsage === 1 ? { input, output, total } : null,
    durationMs: durationOf(row),
    systemPromptChars: row.systemPromptChars,
    aborted: row.aborted === 1,
  };
}

export function exportedTrace(row: RunRow): ExportedTrace {
  const { sessionKey, channel, provider, model } = row;
  return {
    ...learningTrace(row),
    sessionKey,
    provider,
    model,
    channel,
    context: { sessionKey, channel, provider, model },
    usage: row.hasUsage === 1 ? usageOf(row) : null,
    error: row.error,
  };
}

/** Returns the session of a run; a run without one is a session of its own. */
function sessionOf(row: RunRow): string {
  return row.sessionId === '' ? row.traceId : row.sessionId;
}

function usageOf(row: RunRow): { input: number; output: number; cacheRead: number; total: number } {
  return { input: row.inputTokens, output: row.outputTokens, cacheRead: row.cacheReadTokens, total: row.totalTokens };
}
