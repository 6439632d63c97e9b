import { SvcError } from '../../core/errors.js';
import type { Random } from '../../core/random.js';
import { betaSampler } from '../../learning/learner/beta/beta-sample.js';
import { isArmId } from '../../learning/learner/learner-config.js';
import { chooseArms } from '../../learning/learner/select.js';
import type { GatewayLearningSettings } from './learning-settings.js';

export interface PromptArm {
  readonly armId: string;
  /** Tokens that it costs in the prompt. */
  readonly tokenCost: number;
}

export interface ArmChoice extends PromptArm {
  readonly included: boolean;
  readonly isSeed: boolean;
  /** A draw from the posterior; null where none was made. */
  readonly score: number | null;
}

export interface PromptSelection {
  readonly phase: 'passive' | 'active';
  /** True where everything is included: the runs that selected ones are compared with. */
  readonly isBaseline: boolean;
  readonly tokenBudget: number;
  /** Of the included arms; beyond the budget for baseline runs, and for seed arms that exceed it. */
  readonly usedTokens: number;
  /** In the order of the candidates. */
  readonly arms: readonly ArmChoice[];
}

/** alpha, beta and pulls of an arm; an arm that is not known has Beta(1, 1). */
export type ArmStates = ReadonlyMap<string, { readonly alpha: number; readonly beta: number; readonly pulls: number }>;

const UNKNOWN = { alpha: 1, beta: 1, pulls: 0 };

/**
 * Selects prompt components under the token budget by Thompson sampling. Seed arms are always in and count against the
 * budget; then arms with fewer pulls than `min_pulls`; then the best value for the rest. In phase `passive`, and in a
 * share `baseline_rate` of the runs, everything is included and the run is a baseline. Throws `invalid_input` for ids given
 * twice and costs that are no whole numbers.
 */
export function selectPromptArms(
  candidates: readonly PromptArm[],
  states: ArmStates,
  options: {
    readonly settings: GatewayLearningSettings;
    readonly tokenBudget?: number | undefined;
    readonly random: Random;
  },
): PromptSelection {
  checkCandidates(candidates);
  const { settings, random } = options;
  const tokenBudget = options.tokenBudget ?? settings.token_budget;
  const seeds = new Set(settings.seed_arm_ids);
  const choice = (included: ReadonlySet<string>, scores: ReadonlyMap<string, number>, isBaseline: boolean) => ({
    phase: settings.phase,
    isBaseline,
    tokenBudget,
    usedTokens: candidates.reduce((sum, arm) => sum + (included.has(arm.armId) ? arm.tokenCost : 0), 0),
    arms: candidates.map(({ armId, tokenCost }) => ({
      armId,
      tokenCost,
      included: included.has(armId),
      isSeed: seeds.has(armId),
      score: scores.get(armId) ?? null,
    })),
  });
  if (settings.phase === 'passive' || random() < settings.baseline_rate) {
    return choice(new Set(candidates.map(({ armId }) => armId)), new Map(), true);
  }
  const included = new Set(candidates.filter(({ armId }) => seeds.has(armId)).map(({ armId }) => armId));
  const ofSeeds = candidates.reduce((sum, arm) => sum + (included.has(arm.armId) ? arm.tokenCost : 0), 0);
  const left = tokenBudget - ofSeeds;
  // Where the seeds took all there is, only what costs nothing still fits.
  const rest = candidates.filter(({ armId, tokenCost }) => !seeds.has(armId) && (left > 0 || tokenCost === 0));
  const scores = new Map<string, number>();
  if (rest.length > 0) {
    const chosen = chooseArms(
      rest.map(({ armId, tokenCost }) => ({ id: armId, token_cost: tokenCost })),
      rest.map(({ armId }) => states.get(armId) ?? UNKNOWN),
      {
        random,
        sample: betaSampler(random),
        k: 0,
        tokenBudget: Math.max(0, left),
        minPulls: settings.min_pulls,
        baselineRate: 0,
      },
    );
    for (const [index, { armId }] of rest.entries()) scores.set(armId, chosen.scores[index]!);
    for (const index of chosen.selected) included.add(rest[index]!.armId);
  }
  return choice(included, scores, false);
}

function checkCandidates(candidates: readonly PromptArm[]): void {
  const seen = new Set<string>();
  for (const [index, { armId, tokenCost }] of candidates.entries()) {
    if (!isArmId(armId)) {
      throw new SvcError('invalid_input', `candidates.${index}.armId must be a text of 1 to 512 characters.`);
    }
    if (seen.has(armId)) {
      throw new SvcError('invalid_input', `candidates holds the id ${JSON.stringify(armId)} twice; send it once.`, {
        member: 'candidates',
      });
    }
    seen.add(armId);
    if (!Number.isSafeInteger(tokenCost) || tokenCost < 0) {
      throw new SvcError('invalid_input', `candidates.${index}.tokenCost must be a whole number of at least 0.`);
    }
  }
}
