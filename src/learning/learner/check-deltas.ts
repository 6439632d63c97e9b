import { SvcError } from '../../core/errors.js';
import { checkedArm } from './learner-config.js';
import type { CreditDelta } from './learner-types.js';

export interface CheckedDelta {
  readonly arm_id: string;
  readonly alpha: number;
  readonly beta: number;
}

/**
 * Returns credit deltas ordered by arm. Throws `invalid_input` that names the first one that is not an object with
 * finite numbers `alpha`, `beta` or both.
 */
export function checkedDeltas(deltas: Readonly<Record<string, CreditDelta>>): CheckedDelta[] {
  if (!isRecord(deltas)) throw refused('deltas', 'must be an object of arm ids, each with alpha, beta or both');
  return Object.entries(deltas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([arm_id, delta]) => {
      checkedArm(arm_id, 'deltas');
      const { alpha, beta } = (delta ?? {}) as CreditDelta;
      const given = [alpha, beta].filter((value) => value !== undefined);
      if (given.length === 0 || !given.every(Number.isFinite))
        throw refused(`deltas.${arm_id}`, 'must be an object with finite numbers alpha, beta or both');
      return { arm_id, alpha: alpha ?? 0, beta: beta ?? 0 };
    });
}

/** Says no to a list, a map and an instance of a class. */
function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refused(member: string, must: string): SvcError {
  return new SvcError('invalid_input', `${member} ${must}.`, { member });
}
