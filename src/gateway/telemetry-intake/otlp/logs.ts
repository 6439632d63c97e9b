import { createHash } from 'node:crypto';
import { slicer } from '../../../core/async/slices.js';
import { makerOf } from '../../green/factors/model-id.js';
import { A_COUNT, A_MOMENT, isMoment, MOST_USD } from '../bounds.js';
import type { ArmReward, CallRecord, IntakeBatch, RunPart } from '../records.js';
import { shortText, textOf, tokenCount } from './gen-ai.js';
import type { OtlpLog } from './messages.js';

/** Calls of coding agents and evaluations in log records; other records are passed over. */
export async function batchOfLogs(logs: Iterable<OtlpLog>): Promise<IntakeBatch> {
  const pause = slicer();
  let received = 0;
  const calls: CallRecord[] = [];
  const runs: RunPart[] = [];
  const rewards: ArmReward[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const log of logs) {
    received += 1;
    await pause();
    try {
      if (/(^|\.)api_request$/.test(log.eventName)) {
        const call = callOf(log);
        calls.push(call);
        runs.push(partOf(log, call));
      } else if (log.eventName === 'gen_ai.evaluation.result') {
        const { run, reward } = evaluationOf(log);
        if (run !== undefined) runs.push(run);
        if (reward !== undefined) rewards.push(reward);
      }
    } catch (error) {
      rejected += 1;
      reason ??= (error as Error).message;
    }
  }
  return { calls, runs, rewards, received, rejected, reason };
}

/**
 * Reads one request of a coding agent as a call. Its counts are the provider's own: cached tokens stand apart from the
 * input.
 */
function callOf(log: OtlpLog): CallRecord {
  const { attributes, resource } = log;
  requireMoment(log);
  const model = shortText(attributes.model);
  if (model === undefined) throw new Error('An api_request event needs a model.');
  const sessionId = textOf('session', attributes, resource);
  const prompt = shortText(attributes['prompt.id']);
  const key = keyOf(log);
  const runId = prompt ?? (log.traceId || key.slice(2));
  const cost = Number(attributes.cost_usd);
  if (cost > MOST_USD) throw new Error(`cost_usd must be at most ${MOST_USD}.`);
  return {
    key,
    traceId: log.traceId || runId,
    runId,
    sessionId,
    timestamp: log.timestamp,
    provider: textOf('provider', attributes) ?? makerOf(model, '') ?? 'unknown',
    model,
    inputTokens: count(log, 'input_tokens') + count(log, 'cache_creation_tokens'),
    outputTokens: count(log, 'output_tokens'),
    cacheReadTokens: count(log, 'cache_read_tokens'),
    ...(cost > 0 ? { costUsd: cost } : {}),
    region: textOf('region', attributes, resource),
  };
}

function requireMoment({ timestamp }: OtlpLog): void {
  if (!isMoment(timestamp)) throw new Error(`The time of an event must be ${A_MOMENT}.`);
}

function count({ attributes }: OtlpLog, name: string): number {
  if (attributes[name] === undefined) return 0;
  const value = tokenCount(attributes[name]);
  if (value === undefined) throw new Error(`${name} must be ${A_COUNT}.`);
  return value;
}

/** Returns the key of an event: by the request's id, else the event's place in its session, else its content. */
function keyOf({ attributes, resource, timestamp }: OtlpLog): string {
  const request = shortText(attributes.request_id);
  if (request !== undefined) return `r:${request}`;
  const session = textOf('session', attributes, resource) ?? '';
  const place = attributes['event.sequence'] ?? '';
  const content = JSON.stringify([session, place, timestamp, Object.entries(attributes).sort()]);
  return `h:${createHash('sha256').update(content).digest('hex').slice(0, 40)}`;
}

function partOf(log: OtlpLog, call: CallRecord): RunPart {
  const duration = Number(log.attributes.duration_ms);
  const lasted = Number.isFinite(duration) && duration >= 0 ? duration : 0;
  const { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead } = call;
  return {
    key: call.key,
    runId: call.runId,
    traceId: call.traceId,
    sessionId: call.sessionId,
    // The event is sent when the answer is there.
    timestamp: Math.max(0, Math.round(call.timestamp - lasted)),
    endTimestamp: call.timestamp,
    provider: call.provider,
    model: call.model,
    usage: { input, output, cacheRead, total: input + output + cacheRead },
  };
}

/** Reads a score: for one arm where the event names it, else for the run it belongs to. */
function evaluationOf(log: OtlpLog): { run?: RunPart; reward?: ArmReward } {
  const { attributes } = log;
  requireMoment(log);
  const score = attributes['gen_ai.evaluation.score.value'];
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    throw new Error('gen_ai.evaluation.score.value must be a number from 0 to 1.');
  }
  const armId = shortText(attributes['svc.learning.arm_id'], 512);
  const key = `e:${keyOf(log)}`;
  if (armId !== undefined) {
    const reason = shortText(attributes['gen_ai.evaluation.name']) ?? null;
    return { reward: { key, armId, reward: score, outcome: score >= 0.5 ? 'accepted' : 'rejected', reason } };
  }
  if (log.traceId === '') throw new Error('An evaluation needs a trace id, or svc.learning.arm_id.');
  return { run: { key, runId: log.traceId, traceId: log.traceId, timestamp: log.timestamp, evaluation: score } };
}
