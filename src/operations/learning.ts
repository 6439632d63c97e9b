import { Type } from '@sinclair/typebox';
import { SvcError } from '../core/errors.js';
import { LEARNER_NAME } from '../learning/learner/learner-config.js';
import { defaulted, operation, optional } from './operation.js';
import { type Constraint, constrained } from './schema/constraints.js';
import { dryRun } from './schema/dry-run.js';
import { record } from './schema/shown.js';

const LearnerName = Type.String({ pattern: LEARNER_NAME, description: 'Learner; created on first use.' });
const ArmId = Type.String({ minLength: 1, maxLength: 512, description: 'Id of the candidate.' });
const Context = record(Type.Unknown(), {
  maxProperties: 100,
  description:
    'Partitions the learned state, up to 10,000 characters of JSON; without it, or empty, the default partition.',
});
const ArmIds = Type.Array(ArmId, { maxItems: 10_000, description: 'Only these arms; all when omitted.' });
const Metadata = record(Type.Unknown(), { maxProperties: 1000 });
const Arm = Type.Object({
  id: Type.String(),
  metadata: Metadata,
  token_cost: Type.Integer(),
  reason: optional(Type.String({ description: 'Why the arm could not be selected.' })),
});

const CONTEXT_LENGTH = 10_000;
const CONTEXT_RULE = {
  context: 'context has at most 10,000 characters as JSON and at most 32 levels.',
};

/** An observation says something: an empty outcome alone would teach a failure by accident. */
const saysSomething: Constraint = {
  keywords: () => ({
    anyOf: [
      { required: ['outcome'], properties: { outcome: { type: 'string', minLength: 1 } } },
      { required: ['reward'], properties: { reward: { type: 'number' } } },
    ],
  }),
  complaint: ({ outcome, reward }) =>
    outcome === '' && reward === undefined
      ? { member: 'outcome', sentence: 'outcome or reward is missing; send one of them.' }
      : undefined,
};

/** Throws `invalid_input` for a context that is longer as JSON than a partition's key may be. */
function checkContext({ context }: { readonly context?: unknown }): void {
  if (context === undefined || JSON.stringify(context).length <= CONTEXT_LENGTH) return;
  throw new SvcError('invalid_input', `context must not be longer than ${CONTEXT_LENGTH} characters of JSON.`, {
    member: 'context',
  });
}

export const learningSelect = operation({
  name: 'learning_select',
  summary: 'Selects candidates by Thompson sampling over their posteriors, optionally under a token budget.',
  rules: { ...CONTEXT_RULE, candidates: 'candidates differ in their ids.' },
  input: Type.Object({
    learner: LearnerName,
    candidates: Type.Array(
      Type.Object({
        id: ArmId,
        metadata: optional(Metadata),
        token_cost: optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
      }),
      {
        minItems: 1,
        maxItems: 10_000,
        description: 'Arms to choose from: `{id, token_cost?, metadata?}`.',
      },
    ),
    context: optional(Context),
    k: defaulted(Type.Integer({ description: 'How many to select at most; 0 or less means no cap.' }), 1),
    token_budget: defaulted(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Cap of the total token cost; 0 means none.' }),
      0,
    ),
    min_pulls: defaulted(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Arms with fewer observations come first.' }),
      0,
    ),
  }),
  output: Type.Object({
    selected_arms: Type.Array(Arm),
    excluded_arms: Type.Array(Arm),
    is_baseline: Type.Boolean(),
    scores: record(Type.Number()),
    token_budget: Type.Integer(),
    used_tokens: Type.Integer(),
  }),
  check: checkContext,
  run: async (service, input) => {
    const { selected_arms, excluded_arms, ...rest } = await service.learning.select(input);
    return { selected_arms: [...selected_arms], excluded_arms: [...excluded_arms], ...rest };
  },
});

export const learningObserve = operation({
  name: 'learning_observe',
  summary: 'Records one observation of an arm and updates its posterior.',
  rules: CONTEXT_RULE,
  input: constrained(
    Type.Object({
      learner: LearnerName,
      arm_id: ArmId,
      outcome: defaulted(
        Type.String({ maxLength: 200, description: 'accepted, rejected, partial or a configured outcome.' }),
        '',
      ),
      reward: optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'Direct value from 0 to 1; overrides outcome, an explicit 0 included. Default: what outcome says.',
        }),
      ),
      context: optional(Context),
      idempotency_key: optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Of your own choice: an observation sent again under it changes nothing.',
        }),
      ),
    }),
    saysSomething,
  ),
  output: Type.Object({
    arm_id: Type.String(),
    alpha: Type.Number(),
    beta: Type.Number(),
    mean: Type.Number(),
    pulls: Type.Integer(),
    warning: optional(Type.String()),
  }),
  check: checkContext,
  run: (service, input) => service.learning.observe(input),
});

export const learningPosteriors = operation({
  name: 'learning_posteriors',
  summary: 'Posterior distributions of the arms of a learner, with 95 % credible intervals.',
  rules: CONTEXT_RULE,
  readOnly: true,
  input: Type.Object({ learner: LearnerName, context: optional(Context), arm_ids: optional(ArmIds) }),
  output: Type.Object({
    learner: Type.String(),
    posteriors: record(
      Type.Object({
        alpha: Type.Number(),
        beta: Type.Number(),
        pulls: Type.Integer(),
        mean: Type.Number(),
        total_reward: Type.Number(),
        last_updated: Type.String(),
        credible_interval: Type.Object({ lower: Type.Number(), upper: Type.Number() }),
      }),
    ),
  }),
  check: checkContext,
  run: (service, input) => service.learning.posteriors(input),
});

export const learningMetrics = operation({
  name: 'learning_metrics',
  summary: 'Pulls, reward, accuracy, convergence and rates of a learner.',
  readOnly: true,
  input: Type.Object({
    learner: LearnerName,
    window: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'total_pulls, total_reward and accuracy of the last so many observations only.',
      }),
    ),
  }),
  output: Type.Object({
    learner: Type.String(),
    total_pulls: Type.Integer(),
    total_reward: Type.Number(),
    accuracy: Type.Number(),
    arm_count: Type.Integer(),
    explore_ratio: Type.Number(),
    selections: Type.Integer(),
    convergence: Type.Number({ description: 'Probability that the leading arm is the best.' }),
    arms: record(
      Type.Object({
        pulls: Type.Integer(),
        selections: Type.Integer(),
        selection_rate: Type.Number(),
        reward_rate: Type.Number(),
      }),
    ),
    window: optional(Type.Integer()),
  }),
  run: (service, input) => service.learning.metrics(input),
});

export const learningSessionStart = operation({
  name: 'learning_session_start',
  summary: 'Starts a session that records what a learner selects and observes.',
  input: Type.Object({
    learner: LearnerName,
    session_name: Type.String({ maxLength: 200, description: 'What the session is for.' }),
  }),
  output: Type.Object({ session_id: Type.String(), learner: Type.String() }),
  run: (service, input) => service.learning.sessionStart(input),
});

export const learningSessionEnd = operation({
  name: 'learning_session_end',
  summary: 'Ends a session and sums up what was selected and observed in it.',
  idempotent: true,
  input: Type.Object({
    session_id: Type.String({ minLength: 1, maxLength: 300, description: 'As learning_session_start returned it.' }),
  }),
  output: Type.Object({
    session_id: Type.String(),
    learner: Type.String(),
    selected_arms: Type.Array(Type.String()),
    outcomes: Type.Array(
      Type.Object({
        arm_id: Type.String(),
        reward: Type.Number(),
        outcome: Type.Union([Type.String(), Type.Null()]),
        context: Metadata,
      }),
    ),
    started_at: Type.String(),
    ended_at: Type.String(),
  }),
  run: async (service, input) => {
    const { session_name: _, selected_arms, outcomes, ...rest } = await service.learning.sessionEnd(input);
    return { ...rest, selected_arms: [...selected_arms], outcomes: [...outcomes] };
  },
});

export const learningReset = operation({
  name: 'learning_reset',
  summary: 'Deletes learned arm states: all, those of a context, or some arms; seed boosts apply again on next use.',
  rules: CONTEXT_RULE,
  idempotent: true,
  destructive: true,
  input: Type.Object({
    learner: LearnerName,
    arm_ids: optional(ArmIds),
    context: optional(Context),
    dry_run: dryRun('Only counts the arm states that would be deleted; `status` is `dry_run` then.'),
  }),
  output: Type.Object({
    learner: Type.String(),
    deleted: Type.Integer({ description: 'Arm states that were deleted, or would be.' }),
    status: Type.String(),
  }),
  check: checkContext,
  run: (service, input) => service.learning.reset(input),
});
