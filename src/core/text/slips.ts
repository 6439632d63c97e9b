import { nearest } from './edit-distance.js';

/** Members of an object that are looked at for slips. */
export const MOST_LOOKED_AT = 50;
/** Characters of a name: a longer one is no slip. */
export const LONGEST_SLIP = 40;

/**
 * Returns the members of an object that are none of `known`, nor of what is taken `besides`, and a few letters from a known one which the object
 * lacks, each with that one. Pure.
 */
export function slipsIn(
  value: object,
  known: readonly string[],
  besides: readonly string[] = [],
): Array<{ readonly name: string; readonly meant: string }> {
  const left = known.filter((name) => !Object.hasOwn(value, name));
  return Object.keys(value)
    .filter((name) => name.length <= LONGEST_SLIP && !known.includes(name) && !besides.includes(name))
    .slice(0, MOST_LOOKED_AT)
    .flatMap((name) => {
      const meant = nearest(name, left);
      return meant === undefined ? [] : [{ name, meant }];
    });
}
