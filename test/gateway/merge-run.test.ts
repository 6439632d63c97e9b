import { describe, expect, it } from '@jest/globals';
import { mergeRun } from '../../src/gateway/learning/merge-run.js';
import type { RunArm, RunPart } from '../../src/gateway/telemetry-intake/records.js';

const arm = (armId: string, tokenCost: number, more: Partial<RunArm> = {}): RunArm => ({
  armId,
  included: false,
  referenced: false,
  tokenCost,
  ...more,
});
const part = (more: Partial<RunPart>): RunPart => ({ key: 'k', runId: 'r', traceId: 't', timestamp: 10, ...more });

describe('the merging of runs', () => {
  it('keeps one entry per arm over several parts, and tools in the order of their ids', async () => {
    const first = await mergeRun(undefined, [part({ arms: [arm('b', 2), arm('a', 1)], tools: [arm('z', 1)] })], 1);
    const parts = [
      part({ arms: [arm('a', 5, { included: true })], tools: [arm('y', 2)] }),
      part({ arms: [arm('c', 1), arm('b', 1, { referenced: true })] }),
    ];
    const merged = await mergeRun(first as never, parts, 2);
    expect(JSON.parse(merged.arms!)).toEqual([
      arm('b', 2, { referenced: true }),
      arm('a', 5, { included: true }),
      arm('c', 1),
    ]);
    expect(JSON.parse(merged.tools).map(({ armId }: RunArm) => armId)).toEqual(['y', 'z']);
  });

  it('leaves arms as they are where no part names any', async () => {
    const merged = await mergeRun(undefined, [part({}), part({ timestamp: 4 })], 1);
    expect([merged.arms, merged.tools, merged.timestamp]).toEqual([null, '[]', 4]);
  });

  it('lets the event loop turn between the parts of a run', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const arms = Array.from({ length: 1000 }, (_, i) => arm(`a${i}`, i));
    await mergeRun(
      undefined,
      Array.from({ length: 200 }, () => part({ arms })),
      1,
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
