import { Type } from '@sinclair/typebox';
import { defaulted, operation, optional } from '../operation.js';
import { Interval, Milliseconds, OrNull, oneOf, Page, Range } from './shapes.js';

const ArmId = Type.String({ minLength: 1, maxLength: 512 });
const Arm = Type.Object({
  armId: Type.String(),
  included: Type.Boolean(),
  referenced: Type.Boolean(),
  tokenCost: Type.Number(),
});
const Filter = { ...Range, model: optional(Type.String({ maxLength: 256 })) };
const Average = OrNull(Type.Number());

const Trace = Type.Object({
  traceId: Type.String(),
  runId: Type.String(),
  sessionId: Type.String(),
  timestamp: Milliseconds,
  provider: Type.String(),
  model: Type.String(),
  isBaseline: Type.Boolean(),
  arms: Type.Array(Arm),
  usage: Type.Union([
    Type.Object({ input: Type.Integer(), output: Type.Integer(), total: Type.Integer() }),
    Type.Null(),
  ]),
  durationMs: Average,
  systemPromptChars: Type.Integer(),
  aborted: Type.Boolean(),
});

const Posterior = Type.Object({
  armId: Type.String(),
  alpha: Type.Number(),
  beta: Type.Number(),
  mean: Type.Number(),
  pulls: Type.Integer(),
  lastUpdated: Milliseconds,
  isSeed: Type.Boolean(),
  isUnderexplored: Type.Boolean(),
  credibleInterval: Interval,
  confidence: oneOf('low', 'medium', 'high'),
});

export const gatewayLearningSummary = operation({
  name: 'gateway_learning_summary',
  summary: 'Counts of runs and arms, and what selected runs save against baseline runs.',
  readOnly: true,
  input: Type.Object(Filter),
  output: Type.Object({
    traceCount: Type.Integer(),
    armCount: Type.Integer(),
    minTimestamp: Average,
    maxTimestamp: Average,
    totalTokens: Type.Integer(),
    baseline: Type.Object({
      baselineRuns: Type.Integer(),
      selectedRuns: Type.Integer(),
      baselineAvgTokens: Average,
      selectedAvgTokens: Average,
      tokenSavingsPercent: Average,
      baselineAvgDuration: Average,
      selectedAvgDuration: Average,
    }),
  }),
  run: (service, input) => service.gateway.learning.summary(input),
});

export const gatewayLearningConfig = operation({
  name: 'gateway_learning_config',
  summary: 'Settings of the selection of prompt components.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({
    enabled: Type.Boolean(),
    phase: Type.String(),
    strategy: Type.String(),
    tokenBudget: Type.Number(),
    baselineRate: Type.Number(),
    minPulls: Type.Integer(),
    seedArmIds: Type.Array(Type.String()),
  }),
  run: async (service) => {
    const { seedArmIds, ...config } = service.gateway.learning.config();
    return { ...config, seedArmIds: [...seedArmIds] };
  },
});

export const gatewayLearningPosteriors = operation({
  name: 'gateway_learning_posteriors',
  summary: 'Posteriors of all arms with 95 % credible intervals, highest mean first.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Array(Posterior),
  run: (service) => service.gateway.learning.posteriors(),
});

export const gatewayLearningTraces = operation({
  name: 'gateway_learning_traces',
  summary: 'Runs, newest first.',
  readOnly: true,
  input: Type.Object({ ...Page, ...Filter }),
  output: Type.Object({ traces: Type.Array(Trace), total: Type.Integer() }),
  run: async (service, input) => {
    const { traces, total } = await service.gateway.learning.traces(input);
    return { traces: traces.map((trace) => ({ ...trace, arms: [...trace.arms] })), total };
  },
});

export const gatewayLearningTimeseries = operation({
  name: 'gateway_learning_timeseries',
  summary: 'Mean tokens of a run, or posterior means of the arms, over time.',
  readOnly: true,
  input: Type.Object({
    metric: defaulted(oneOf('tokens', 'convergence'), 'tokens'),
    window: defaulted(oneOf('1h', '1d'), '1h'),
    ...Filter,
  }),
  output: Type.Object({
    buckets: Type.Array(Type.Object({ t: Milliseconds, value: Type.Number(), armId: optional(Type.String()) })),
  }),
  run: async (service, { metric, window, ...filter }) => {
    const { buckets } = await service.gateway.learning.timeseries(metric, window, filter);
    return { buckets: [...buckets] };
  },
});

export const gatewayLearningReset = operation({
  name: 'gateway_learning_reset',
  summary: 'Sets arms back to Beta(1, 1): those listed, or all.',
  idempotent: true,
  destructive: true,
  // Closed: a misspelt member, or null, must not reset every arm.
  input: Type.Object({ arm_ids: optional(Type.Array(ArmId, { maxItems: 10_000 })) }, { additionalProperties: false }),
  output: Type.Object({ learner: Type.String(), reset_count: Type.Integer(), arm_ids: Type.Array(Type.String()) }),
  run: (service, { arm_ids }) => service.gateway.learning.reset(arm_ids),
});

export const gatewayLearningReward = operation({
  name: 'gateway_learning_reward',
  summary: 'Records a reward for one arm by hand: lagged or deferred feedback.',
  input: Type.Object({
    arm_id: ArmId,
    outcome: defaulted(oneOf('accepted', 'rejected'), 'accepted'),
    reward: optional(Type.Number({ minimum: 0, maximum: 1, description: 'Default: 1 for accepted, 0 for rejected.' })),
    reason: optional(Type.String({ maxLength: 10_000, description: 'Kept beside the reward, for people.' })),
  }),
  output: Type.Object({ ok: Type.Boolean(), arm_id: Type.String() }),
  run: (service, input) => service.gateway.learning.reward(input),
});

export const gatewayLearningSelect = operation({
  name: 'gateway_learning_select',
  summary: 'Selects the prompt components of the next run under the token budget.',
  rules: { candidates: 'candidates differ in their ids.' },
  input: Type.Object({
    candidates: Type.Array(
      Type.Object({ armId: ArmId, tokenCost: defaulted(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), 0) }),
      { minItems: 1, maxItems: 10_000 },
    ),
    tokenBudget: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Default: the configured budget.' }),
    ),
  }),
  output: Type.Object({
    phase: oneOf('passive', 'active'),
    isBaseline: Type.Boolean(),
    tokenBudget: Type.Integer(),
    usedTokens: Type.Integer(),
    arms: Type.Array(
      Type.Object({
        armId: Type.String(),
        tokenCost: Type.Integer(),
        included: Type.Boolean(),
        isSeed: Type.Boolean(),
        score: OrNull(Type.Number()),
      }),
    ),
  }),
  run: async (service, { candidates, tokenBudget }) => {
    const { arms, ...rest } = await service.gateway.learning.select(candidates, tokenBudget);
    return { ...rest, arms: [...arms] };
  },
});

export const gatewayLearningExport = operation({
  name: 'gateway_learning_export',
  summary: 'Runs with the columns of an export, a page at a time in the order in which they came.',
  readOnly: true,
  input: Type.Object({
    after: defaulted(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 0),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000 }), 500),
  }),
  output: Type.Object({ traces: Type.Array(Type.Unknown()), next: OrNull(Type.Number()) }),
  run: (service, { after, limit }) => service.gateway.learning.tracesAfter(after, limit),
});
