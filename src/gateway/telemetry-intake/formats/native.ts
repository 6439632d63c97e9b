import { slicer } from '../../../core/async/slices.js';
import { LAST_MOMENT } from '../../../core/clock.js';
import { SvcError } from '../../../core/errors.js';
import { makerOf } from '../../green/factors/model-id.js';
import { A_COUNT, isCount, MOST_USD } from '../bounds.js';
import { armOf } from '../otlp/tools.js';
import type { CallRecord, IntakeBatch, RunArm, RunPart, RunUsage } from '../records.js';
import { isLiteLlm, liteLlmRecords } from './litellm.js';
import { type JsonRow, type PlacedRow, RowReader, requireObject, rowsOf } from './rows.js';

const MAX_ARMS = 10_000;

/**
 * Calls and runs in a body of traces: carbon traces, learning traces, and payloads of LiteLLM, mixed as they come.
 * Emissions are always computed here, from tokens. All rows or none: where one is wrong, all count as rejected and the
 * reason names it. Throws `invalid_input` or `too_large` for a body that holds no rows.
 */
export async function batchOfRows(bytes: Uint8Array, now: number): Promise<IntakeBatch> {
  const rows = await rowsOf(bytes);
  const received = rows.length;
  try {
    return { ...(await recordsOf(rows, now)), rewards: [], received, rejected: 0 };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { calls: [], runs: [], rewards: [], received, rejected: received, reason: error.message };
  }
}

async function recordsOf(rows: readonly PlacedRow[], now: number): Promise<Pick<IntakeBatch, 'calls' | 'runs'>> {
  const pause = slicer();
  const calls: CallRecord[] = [];
  const runs: RunPart[] = [];
  for (const placed of rows) {
    await pause();
    const row = requireObject(placed);
    const read = new RowReader(row, placed.place);
    if (isLiteLlm(row)) {
      const { call, run } = liteLlmRecords(row, read, now);
      if (call !== undefined) calls.push(call);
      if (run !== undefined) runs.push(run);
    } else if (isLearningTrace(row)) {
      const { call, run } = learningTrace(row, read, now);
      if (call !== undefined) calls.push(call);
      runs.push(run);
    } else {
      requireTrace(row, placed.place);
      calls.push(carbonTrace(read, now));
    }
  }
  return { calls, runs };
}

function isLearningTrace(row: JsonRow): boolean {
  return ['arms', 'usage', 'isBaseline', 'systemPromptChars', 'durationMs'].some((name) => Object.hasOwn(row, name));
}

/** Throws for an object of another kind, such as a provider's usage export, with the shape of a row. */
function requireTrace(row: JsonRow, place: string): void {
  if (Object.hasOwn(row, 'traceId') || Object.hasOwn(row, 'model')) return;
  throw new SvcError(
    'invalid_input',
    `${place} is no trace: traceId and model are missing. Send {traceId, timestamp, provider, model, inputTokens, outputTokens, cacheReadTokens, region}; docs/recipes/usage-exports.ts turns usage exports of providers into such rows.`,
    { member: 'traceId' },
  );
}

function carbonTrace(read: RowReader, now: number): CallRecord {
  const traceId = read.requiredText('traceId');
  const model = read.requiredText('model');
  const costUsd = read.amount('costUsd', MOST_USD);
  const [input, output, cached] = [
    read.count('inputTokens'),
    read.count('outputTokens'),
    read.count('cacheReadTokens'),
  ];
  if (input === undefined && output === undefined && cached === undefined && costUsd === undefined) {
    throw read.wrong('inputTokens', 'a whole number of at least 0; it is missing, and so are outputTokens and costUsd');
  }
  return {
    key: `g:${traceId}`,
    traceId,
    runId: read.text('runId') ?? traceId,
    sessionId: read.text('sessionId'),
    timestamp: read.moment('timestamp') ?? now,
    provider: read.text('provider') ?? makerOf(model, '') ?? 'unknown',
    model,
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cacheReadTokens: cached ?? 0,
    ...(costUsd === undefined ? {} : { costUsd }),
    region: read.text('region'),
  };
}

function learningTrace(row: JsonRow, read: RowReader, now: number): { run: RunPart; call: CallRecord | undefined } {
  const traceId = read.requiredText('traceId');
  const runId = read.text('runId') ?? traceId;
  const context = typeof row.context === 'object' && row.context !== null ? (row.context as JsonRow) : {};
  const inContext = new RowReader(context, read.place);
  const own = (name: string) => read.text(name) ?? inContext.text(name);
  const timestamp = read.moment('timestamp') ?? now;
  const durationMs = read.amount('durationMs', LAST_MOMENT - timestamp);
  const usage = usageOf(row, read);
  const [provider, model] = [own('provider'), own('model')];
  const run: RunPart = {
    key: `l:${traceId}`,
    runId,
    traceId,
    sessionId: read.text('sessionId'),
    sessionKey: own('sessionKey'),
    channel: own('channel'),
    timestamp,
    endTimestamp: timestamp + Math.round(durationMs ?? 0),
    provider,
    model,
    isBaseline: read.flag('isBaseline'),
    arms: armsOf(row, read),
    ...(usage === undefined ? {} : { usage }),
    ...(durationMs === undefined ? {} : { durationMs }),
    systemPromptChars: read.count('systemPromptChars'),
    aborted: read.flag('aborted'),
    error: read.text('error', 10_000)?.slice(0, 500),
  };
  if (usage === undefined) return { run, call: undefined };
  return {
    run,
    call: {
      key: `g:${traceId}`,
      traceId,
      runId,
      sessionId: run.sessionId,
      timestamp,
      provider: provider ?? makerOf(model ?? '', '') ?? 'unknown',
      model: model ?? 'unknown',
      inputTokens: usage.input,
      outputTokens: usage.output,
      cacheReadTokens: usage.cacheRead,
      region: read.text('region'),
    },
  };
}

function armsOf(row: JsonRow, read: RowReader): RunArm[] {
  const { arms } = row;
  if (arms === undefined || arms === null) return [];
  const list = Array.isArray(arms) && arms.length <= MAX_ARMS ? (arms as unknown[]).map(armOf) : [null];
  if (list.includes(null)) throw read.wrong('arms', 'a list of {armId, included, referenced, tokenCost}');
  return list as RunArm[];
}

function usageOf(row: JsonRow, read: RowReader): RunUsage | undefined {
  const { usage } = row;
  if (usage === undefined || usage === null) return undefined;
  if (typeof usage !== 'object' || Array.isArray(usage)) throw read.wrong('usage', '{input, output, total}');
  const counts = ['input', 'output', 'cacheRead', 'total'].map((name) => {
    const value = (usage as JsonRow)[name];
    if (value === undefined || value === null) return undefined;
    if (!isCount(value)) throw read.wrong(`usage.${name}`, A_COUNT);
    return value;
  });
  const [input = 0, output = 0, cacheRead = 0, total = input + output + cacheRead] = counts;
  return { input, output, cacheRead, total };
}
