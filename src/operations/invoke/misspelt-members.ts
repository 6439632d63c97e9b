import type { TSchema } from '@sinclair/typebox';
import { nearest } from '../../core/text/edit-distance.js';
import type { Operation } from '../operation.js';
import { misspeltWithin } from './misspelt-within.js';
import { takesOneDomain } from './one-domain.js';

/** Members that are looked at, and characters of a name: a longer one is no slip. */
const MOST = 50;
const LONGEST = 40;

/**
 * Returns a sentence for each member that an operation does not know and that is a few letters from one which it takes and did not
 * get: `domians` is ignored as every unknown member is, and then all domains answer. Pure.
 */
function misspeltMembers({ input }: Operation, given: unknown): string[] {
  const properties = (input.properties ?? {}) as Readonly<Record<string, TSchema>>;
  if (input.additionalProperties !== undefined || typeof given !== 'object' || given === null) return [];
  const isKnown = (name: string) =>
    Object.hasOwn(properties, name) || (name === 'domain' && takesOneDomain(properties));
  const left = Object.keys(properties).filter((name) => !Object.hasOwn(given, name));
  return Object.keys(given)
    .filter((name) => name.length <= LONGEST && !isKnown(name))
    .slice(0, MOST)
    .flatMap((name) => {
      const meant = nearest(name, left);
      return meant === undefined ? [] : [`${name} is no member and was ignored; did you mean ${meant}?`];
    });
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
