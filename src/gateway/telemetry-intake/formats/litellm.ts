import { LAST_MOMENT } from '../../../core/clock.js';
import { makerOf } from '../../green/factors/model-id.js';
import { A_MOMENT, isCount, isMoment, MOST_USD } from '../bounds.js';
import { shortText } from '../otlp/gen-ai.js';
import type { CallRecord, RunPart } from '../records.js';
import type { JsonRow, RowReader } from './rows.js';

/** Returns whether a row is a standard logging payload of LiteLLM. */
export function isLiteLlm(row: JsonRow): boolean {
  return (
    typeof row.id === 'string' && typeof row.model === 'string' && ('call_type' in row || 'custom_llm_provider' in row)
  );
}

/**
 * Returns the call and the run of a payload, at `now` where it has no time; nothing where LiteLLM answered from its own
 * cache, since no model worked.
 */
export function liteLlmRecords(row: JsonRow, read: RowReader, now: number): { call?: CallRecord; run?: RunPart } {
  if (row.cache_hit === true) return {};
  const id = read.requiredText('id');
  const model = read.requiredText('model');
  const traceId = read.text('trace_id') ?? id;
  const start = seconds(row, read, 'startTime');
  const end = seconds(row, read, 'endTime') ?? start;
  const timestamp = start ?? end ?? now;
  const provider = read.text('custom_llm_provider') ?? makerOf(model, '') ?? 'unknown';
  const cacheRead = cachedTokens(row);
  const prompt = read.count('prompt_tokens') ?? 0;
  const output = read.count('completion_tokens') ?? 0;
  // Prompt tokens include what was read from the provider's cache.
  const input = cacheRead <= prompt ? prompt - cacheRead : prompt;
  const cost = read.amount('response_cost', MOST_USD) ?? 0;
  const failed = row.status === 'failure';
  const common = { key: `r:${id}`, traceId, runId: traceId, sessionId: sessionOf(row), provider, model };
  const run: RunPart = {
    ...common,
    timestamp,
    endTimestamp: Math.max(timestamp, end ?? timestamp),
    usage: { input, output, cacheRead, total: input + output + cacheRead },
    ...(failed ? { error: (read.text('error_str', 100_000) ?? 'failure').slice(0, 500) } : {}),
  };
  if (failed && input + output + cacheRead === 0) return { run };
  return {
    run,
    call: {
      ...common,
      timestamp,
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: cacheRead,
      ...(cost > 0 ? { costUsd: cost } : {}),
    },
  };
}

/** Reads a time as milliseconds: seconds since the epoch with decimals, or a date as text. */
function seconds(row: JsonRow, read: RowReader, name: string): number | undefined {
  const value = row[name];
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) {
    if (!isMoment(Date.parse(value))) throw read.wrong(name, A_MOMENT);
    return Date.parse(value);
  }
  const amount = read.amount(name, LAST_MOMENT / 1000);
  return amount === undefined ? undefined : Math.round(amount * 1000);
}

function cachedTokens(row: JsonRow): number {
  for (const path of [
    ['metadata', 'usage_object', 'prompt_tokens_details', 'cached_tokens'],
    ['response', 'usage', 'prompt_tokens_details', 'cached_tokens'],
    ['metadata', 'usage_object', 'cache_read_input_tokens'],
  ]) {
    let at: unknown = row;
    for (const name of path) at = typeof at === 'object' && at !== null ? (at as JsonRow)[name] : undefined;
    if (isCount(at)) return at;
  }
  return 0;
}

function sessionOf(row: JsonRow): string | undefined {
  const metadata = (row.metadata ?? {}) as JsonRow;
  const found = [row.session_id, metadata.session_id, row.end_user].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return shortText(found);
}
