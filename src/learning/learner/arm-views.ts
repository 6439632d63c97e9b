import type { ArmRow } from '../../backends/store/learning/learning-arms.js';
import { isoTime } from '../../core/clock.js';
import type { ArmState, SelectResult } from './learner-types.js';
import type { Candidate } from './select.js';

/** Returns the wire form of an arm's row. */
export function stateOf(row: ArmRow): ArmState {
  return {
    alpha: row.alpha,
    beta: row.beta,
    pulls: row.pulls,
    total_reward: row.total_reward,
    last_updated: isoTime(row.updated_at),
    mean: row.alpha / (row.alpha + row.beta),
  };
}

/** Returns the scores by arm id, in the order of the candidates. */
export function scoresById(candidates: readonly Candidate[], values: Float64Array): Record<string, number> {
  const scores: Record<string, number> = {};
  for (let index = 0; index < candidates.length; index += 1) {
    const { id } = candidates[index]!;
    // An assignment would set the prototype instead.
    if (id === '__proto__') Object.defineProperty(scores, id, { value: values[index]!, enumerable: true });
    else scores[id] = values[index]!;
  }
  return scores;
}

/** Returns a candidate as an answer lists it; with a budget, the reason why it could never be selected. */
export function armView(
  { id, metadata, token_cost }: Candidate,
  budget: number,
): SelectResult['excluded_arms'][number] {
  const cost = token_cost ?? 0;
  const arm = { id, metadata: metadata ?? {}, token_cost: cost };
  return budget > 0 && cost > budget ? { ...arm, reason: 'costs more than the token budget' } : arm;
}
