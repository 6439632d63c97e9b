import { slicer } from '../../../core/async/slices.js';
import { type GridTable, regionOfHost } from '../../green/factors/grid.js';
import { makerOf } from '../../green/factors/model-id.js';
import { A_COUNT, A_MOMENT, isCount, isMoment } from '../bounds.js';
import type { CallRecord, IntakeBatch, RunPart } from '../records.js';
import { hasBadCount, isInference, shortText, type TokenCounts, textOf, tokensOf } from './gen-ai.js';
import type { Attributes, OtlpSpan } from './messages.js';
import { statedArms, toolArms } from './tools.js';

/** Calls and parts of runs in spans. Spans that are about something else are passed over; texts of prompts are dropped here. */
export async function batchOfSpans(spans: Iterable<OtlpSpan>, grid: GridTable): Promise<IntakeBatch> {
  const pause = slicer();
  let received = 0;
  const calls: CallRecord[] = [];
  const runs: RunPart[] = [];
  let rejected = 0;
  let reason: string | undefined;
  const reject = (why: string): void => {
    rejected += 1;
    reason ??= why;
  };
  for (const span of spans) {
    received += 1;
    await pause();
    if (!concernsModels(span.attributes)) continue;
    if (span.traceId === '' || span.spanId === '') {
      reject('A span needs a trace id and a span id.');
      continue;
    }
    if (!isMoment(span.start)) {
      reject(`The start of a span must be ${A_MOMENT}.`);
      continue;
    }
    const arms = statedArms(span.attributes);
    if (arms === null) {
      reject('svc.learning.arms must be a JSON list of {armId, included, referenced, tokenCost}.');
      continue;
    }
    const inference = isInference(span.attributes);
    if (inference && hasBadCount(span.attributes)) {
      reject(`Token counts must each be ${A_COUNT}.`);
      continue;
    }
    const tokens = inference ? tokensOf(span.attributes) : undefined;
    if (tokens !== undefined) calls.push(callOf(span, tokens, grid));
    runs.push(partOf(span, { arms, tokens }));
  }
  return { calls, runs, rewards: [], received, rejected, reason };
}

const RELEVANT = /^(gen_ai\.|llm\.|ai\.|openinference\.|traceloop\.|svc\.learning\.)/;

function concernsModels(attributes: Attributes): boolean {
  return Object.keys(attributes).some((name) => RELEVANT.test(name));
}

/** Returns the key of a span: the ids of its trace and of itself. */
function keyOf(span: OtlpSpan): string {
  return `s:${span.traceId}/${span.spanId}`;
}

function callOf(span: OtlpSpan, tokens: TokenCounts, grid: GridTable): CallRecord {
  const { attributes, resource } = span;
  const model = textOf('model', attributes) ?? 'unknown';
  const host = textOf('host', attributes);
  return {
    key: keyOf(span),
    traceId: span.traceId,
    runId: span.traceId,
    sessionId: textOf('session', attributes, resource),
    timestamp: span.start,
    provider: textOf('provider', attributes) ?? makerOf(model, '') ?? 'unknown',
    model,
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheReadTokens: tokens.cacheRead,
    region: textOf('region', attributes, resource) ?? (host === undefined ? undefined : regionOfHost(grid, host)),
  };
}

/** Operations whose failure is the run's failure. */
const WHOLE = new Set(['invoke_agent', 'invoke_workflow', 'create_agent']);

function partOf(
  span: OtlpSpan,
  given: { readonly arms: RunPart['arms']; readonly tokens: TokenCounts | undefined },
): RunPart {
  const { attributes, resource } = span;
  const { arms, tokens } = given;
  const operation = attributes['gen_ai.operation.name'];
  const isRoot = span.parentSpanId === '';
  const whole = isRoot || arms !== undefined || (typeof operation === 'string' && WHOLE.has(operation));
  const errorType = attributes['error.type'];
  const cancelled = /cancel|abort/i.test(typeof errorType === 'string' ? errorType : '');
  const flag = (name: string) => (typeof attributes[name] === 'boolean' ? (attributes[name] as boolean) : undefined);
  const model = tokens === undefined ? undefined : textOf('model', attributes);
  const provider = textOf('provider', attributes) ?? (model === undefined ? undefined : makerOf(model, ''));
  const tools = toolArms(span);
  return {
    key: keyOf(span),
    runId: span.traceId,
    traceId: span.traceId,
    sessionId: textOf('session', attributes, resource),
    sessionKey: shortText(attributes['svc.learning.session_key']),
    channel: shortText(attributes['svc.learning.channel']),
    timestamp: span.start,
    endTimestamp: Math.max(span.start, span.end),
    ...(model === undefined ? {} : { model, provider }),
    isBaseline: flag('svc.learning.baseline'),
    arms,
    ...(tools.length === 0 ? {} : { tools }),
    ...(tokens === undefined ? {} : { usage: { ...tokens, total: tokens.input + tokens.output + tokens.cacheRead } }),
    ...(isRoot && span.end > span.start ? { durationMs: span.end - span.start } : {}),
    systemPromptChars: systemPromptChars(attributes),
    aborted: flag('svc.learning.aborted') ?? (whole && span.failed && cancelled ? true : undefined),
    ...(whole && span.failed ? { error: shortText(span.message, 500) ?? shortText(errorType) ?? 'error' } : {}),
    ...evaluationOf(span),
  };
}

/** Returns the evaluations that are events of a span. */
function evaluationOf(span: OtlpSpan): { evaluation?: number } {
  const event = span.events.find(({ name }) => name === 'gen_ai.evaluation.result');
  const score = event?.attributes['gen_ai.evaluation.score.value'];
  return typeof score === 'number' && score >= 0 && score <= 1 ? { evaluation: score } : {};
}

function systemPromptChars(attributes: Attributes): number | undefined {
  const stated = attributes['svc.learning.system_prompt_chars'];
  if (typeof stated === 'number' && isCount(Math.round(stated))) return Math.round(stated);
  const instructions = attributes['gen_ai.system_instructions'];
  return typeof instructions === 'string' ? instructions.length : undefined;
}
