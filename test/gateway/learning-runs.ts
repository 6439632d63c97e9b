import { type GatewayWorld, NOON } from './world.js';

export const arm = (armId: string, referenced = true, included = true, tokenCost = 100) => ({
  armId,
  included,
  referenced,
  tokenCost,
});
export const RUN = {
  traceId: 't1',
  runId: 'r1',
  sessionId: 's1',
  timestamp: NOON,
  provider: 'openai',
  model: 'gpt-4o',
  isBaseline: true,
  arms: [arm('tool:fs:Read'), arm('tool:web:Search', false), arm('skill:x:Y', false, false)],
  usage: { input: 1000, output: 200, total: 1200 },
  durationMs: 1500,
  systemPromptChars: 4000,
  aborted: false,
};

export async function armsOf(world: GatewayWorld): Promise<Record<string, [number, number, number]>> {
  const { body } = await world.learning('/posteriors');
  return Object.fromEntries(
    body.map((row: { armId: string; alpha: number; beta: number; pulls: number }) => [
      row.armId,
      [row.alpha, row.beta, row.pulls],
    ]),
  );
}
