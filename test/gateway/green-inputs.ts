import { NOON } from './world.js';

const OWN = {
  inputCo2PerMillionTokens: 150,
  outputCo2PerMillionTokens: 450,
  cacheReadCo2PerMillionTokens: 15,
  waterMlPerMillionTokens: 3000,
  confidence: 0.5,
  source: 'research',
};
export const settings = [['green.factor_overrides', { 'anthropic/claude-test': OWN }]] as const;
export const TRACE = {
  traceId: 't1',
  runId: 'r1',
  sessionId: 's1',
  timestamp: NOON,
  provider: 'anthropic',
  model: 'claude-test',
  inputTokens: 1500,
  outputTokens: 500,
  cacheReadTokens: 0,
};
