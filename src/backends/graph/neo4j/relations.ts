import { SvcError } from '../../../core/errors.js';

const RELATION = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Returns a relationship type for a statement: types cannot be parameters, so only a strict pattern gets into it. */
export function relationshipType(relation: string): string {
  if (!RELATION.test(relation)) {
    throw new SvcError('invalid_input', `The relation ${JSON.stringify(relation.slice(0, 80))} is no identifier.`, {
      member: 'relation',
    });
  }
  return `\`${relation}\``;
}
