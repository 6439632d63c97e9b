import { LAST_MOMENT } from '../../core/clock.js';

/** Tokens that one record may report of a kind: far above any call, and far below what makes the sums of a day overflow. */
export const MOST_TOKENS = 1_000_000_000_000;
/** Dollars that one call may cost. */
export const MOST_USD = 1_000_000_000;

/** Returns whether a time in milliseconds since the epoch is one that a date can hold, from 1970 on. */
export function isMoment(ms: number): boolean {
  return ms >= 0 && ms <= LAST_MOMENT;
}

/**
 * Returns whether a time that should be in milliseconds is one in seconds, from 2001 to 2286: as milliseconds it would lie in the
 * first months of 1970, where no model was called.
 */
export function isLikelySeconds(ms: number): boolean {
  return ms >= 1e9 && ms < 1e10;
}

/** Returns whether a value is a whole number of tokens, or characters, within the bound. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
}

/** Describes a count in messages. */
export const A_COUNT = `a whole number from 0 to ${MOST_TOKENS}`;
/** Describes a time in messages. */
export const A_MOMENT = `a time from 1970 on that a date can hold, at most ${LAST_MOMENT} ms`;
