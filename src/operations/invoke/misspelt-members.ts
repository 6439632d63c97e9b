import type { TSchema } from '@sinclair/typebox';
import { slipsIn } from '../../core/text/edit-distance.js';
import type { Operation } from '../operation.js';
import { misspeltWithin } from './misspelt-within.js';
import { takesOneDomain } from './one-domain.js';

/**
 * Returns a sentence for each member that an operation does not know and that is a few letters from one which it takes and did not
 * get: `domians` is ignored as every unknown member is, and then all domains answer. Pure.
 */
function misspeltMembers({ input }: Operation, given: unknown): string[] {
  const properties = (input.properties ?? {}) as Readonly<Record<string, TSchema>>;
  if (input.additionalProperties !== undefined || typeof given !== 'object' || given === null) return [];
  const besides = takesOneDomain(properties) ? ['domain'] : [];
  return slipsIn(given, Object.keys(properties), besides).map(
    ({ name, meant }) => `${name} is no member and was ignored; did you mean ${meant}?`,
  );
}

/** Returns an answer with what is said of misspelt members among its warnings, where it has a place for such. */
export function warned(operation: Operation, answer: unknown, given: unknown): unknown {
  if (!hasWarnings(operation)) return answer;
  const sentences = [...misspeltMembers(operation, given), ...misspeltWithin(operation.input, given)];
  return withWarnings(operation, answer, sentences);
}

/** Returns an answer with more sentences among its warnings, where it has a place for them. */
export function withWarnings(operation: Operation, answer: unknown, sentences: readonly string[]): unknown {
  if (sentences.length === 0 || !hasWarnings(operation)) return answer;
  const { warnings = [] } = answer as { readonly warnings?: readonly string[] };
  return { ...(answer as object), warnings: [...warnings, ...sentences] };
}

function hasWarnings({ output }: Operation): boolean {
  return output.properties?.warnings !== undefined;
}
