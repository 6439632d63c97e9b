import { SvcError } from '../../core/errors.js';
import { checkedArm, isArmId } from './learner-config.js';
import type { Candidate } from './select.js';

/** Throws `invalid_input` for no candidates, an id twice, a cost that is no integer ≥ 0, or limits that are no numbers. */
export function checkedCandidates(
  candidates: readonly Candidate[],
  limits: { readonly k: number; readonly token_budget: number; readonly min_pulls: number },
): void {
  if (!Array.isArray(candidates) || candidates.length === 0) {
    throw new SvcError('invalid_input', 'candidates must hold at least one arm.', { member: 'candidates' });
  }
  const seen = new Set<string>();
  for (let index = 0; index < candidates.length; index += 1) {
    const { id, token_cost } = candidates[index]!;
    if (!isArmId(id)) checkedArm(id, `candidates.${index}.id`);
    seen.add(id);
    if (seen.size === index) {
      throw new SvcError('invalid_input', `candidates holds the id ${JSON.stringify(id)} twice; send it once.`, {
        member: `candidates.${index}.id`,
      });
    }
    if (token_cost !== undefined && !isCount(token_cost)) {
      throw new SvcError('invalid_input', `candidates.${index}.token_cost must be an integer of at least 0.`, {
        member: `candidates.${index}.token_cost`,
      });
    }
  }
  if (!Number.isSafeInteger(limits.k)) throw new SvcError('invalid_input', 'k must be an integer.', { member: 'k' });
  for (const member of ['token_budget', 'min_pulls'] as const) {
    if (!isCount(limits[member])) {
      throw new SvcError('invalid_input', `${member} must be an integer of at least 0.`, { member });
    }
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
