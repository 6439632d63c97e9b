import type { NewRun, RunRow } from '../../backends/store/gateway/runs.js';
import { forEachInSlices, slicer } from '../../core/async/slices.js';
import type { RunArm, RunPart } from '../telemetry-intake/records.js';

/**
 * Merges a known run with new parts of it; the outcome does not depend on the order of the parts. Gives way to the event
 * loop.
 */
export async function mergeRun(known: RunRow | undefined, parts: readonly RunPart[], now: number): Promise<NewRun> {
  const pause = slicer();
  let run: NewRun = known ?? emptyRun(parts[0]!, now);
  const [arms, tools] = [new ArmList(run.arms), new ArmList(run.tools)];
  for (const part of parts) {
    run = withPart(run, part);
    await arms.add(part.arms);
    await tools.add(part.tools);
    await pause();
  }
  return { ...run, arms: arms.json(), tools: tools.json((a, b) => (a.armId < b.armId ? -1 : 1)) ?? run.tools };
}

function emptyRun({ runId, traceId }: RunPart, now: number): NewRun {
  return {
    runId,
    traceId,
    sessionId: '',
    sessionKey: null,
    channel: null,
    timestamp: Number.MAX_SAFE_INTEGER,
    endTimestamp: 0,
    provider: null,
    model: null,
    modelTimestamp: null,
    isBaseline: 0,
    arms: null,
    tools: '[]',
    hasUsage: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    totalTokens: 0,
    durationMs: null,
    systemPromptChars: 0,
    aborted: 0,
    error: null,
    evaluation: null,
    taught: '{}',
    pending: 0,
    due: 0,
    receivedAt: now,
  };
}

function withPart(run: NewRun, part: RunPart): NewRun {
  const { usage } = part;
  // Of several values for one member the smallest stands, whatever arrived first.
  const least = (a: string | null | undefined, b: string | undefined): string | null =>
    a === null || a === undefined || a === '' ? (b ?? null) : b === undefined || a < b ? a : b;
  const isEarlier = part.model !== undefined && part.timestamp < (run.modelTimestamp ?? Number.POSITIVE_INFINITY);
  return {
    ...run,
    sessionId: least(run.sessionId, part.sessionId) ?? '',
    sessionKey: least(run.sessionKey, part.sessionKey),
    channel: least(run.channel, part.channel),
    timestamp: Math.min(run.timestamp, part.timestamp),
    endTimestamp: Math.max(run.endTimestamp, part.endTimestamp ?? 0),
    ...(isEarlier ? { provider: part.provider ?? null, model: part.model, modelTimestamp: part.timestamp } : {}),
    isBaseline: run.isBaseline === 1 || part.isBaseline === true ? 1 : 0,
    hasUsage: usage === undefined ? (run.hasUsage ?? 0) : 1,
    inputTokens: run.inputTokens + (usage?.input ?? 0),
    outputTokens: run.outputTokens + (usage?.output ?? 0),
    cacheReadTokens: run.cacheReadTokens + (usage?.cacheRead ?? 0),
    totalTokens: run.totalTokens + (usage?.total ?? 0),
    durationMs:
      part.durationMs === undefined ? (run.durationMs ?? null) : Math.max(run.durationMs ?? 0, part.durationMs),
    systemPromptChars: Math.max(run.systemPromptChars, part.systemPromptChars ?? 0),
    aborted: run.aborted === 1 || part.aborted === true ? 1 : 0,
    error: least(run.error, part.error),
    evaluation:
      part.evaluation === undefined ? (run.evaluation ?? null) : Math.min(run.evaluation ?? 1, part.evaluation),
  };
}

export function armsIn(json: string | null | undefined): RunArm[] {
  return json === null || json === undefined ? [] : (JSON.parse(json) as RunArm[]);
}

/**
 * One entry per arm, in the order in which they came: included or referenced where any says so, the largest cost. As
 * it was stored until a part adds to it.
 */
class ArmList {
  private readonly arms = new Map<string, RunArm>();
  private added = false;

  constructor(private readonly stored: string | null | undefined) {}

  async add(arms: readonly RunArm[] | undefined): Promise<void> {
    if (arms === undefined) return;
    const known = this.added ? [] : armsIn(this.stored);
    this.added = true;
    await forEachInSlices([...known, ...arms], (arm) => {
      const before = this.arms.get(arm.armId);
      this.arms.set(arm.armId, {
        armId: arm.armId,
        included: arm.included || before?.included === true,
        referenced: arm.referenced || before?.referenced === true,
        tokenCost: Math.max(arm.tokenCost, before?.tokenCost ?? 0),
      });
    });
  }

  /** Returns the entries as they are stored, in this order, else as they came. */
  json(compare?: (a: RunArm, b: RunArm) => number): string | null {
    if (!this.added) return this.stored ?? null;
    const arms = [...this.arms.values()];
    return JSON.stringify(compare === undefined ? arms : arms.sort(compare));
  }
}

/** Returns the arms of a run: as its sender stated them, else the tools that its spans report. */
export function armsOf(run: Pick<NewRun, 'arms' | 'tools'>): RunArm[] {
  return run.arms === null || run.arms === undefined ? armsIn(run.tools) : armsIn(run.arms);
}

/**
 * Returns the milliseconds that a run took: of its root, else from its first start to its last end; null where neither
 * is known.
 */
export function durationOf(run: Pick<NewRun, 'durationMs' | 'timestamp' | 'endTimestamp'>): number | null {
  if (run.durationMs !== null && run.durationMs !== undefined) return run.durationMs;
  return run.endTimestamp > run.timestamp ? run.endTimestamp - run.timestamp : null;
}
