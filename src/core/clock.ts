/** Milliseconds since the epoch; injected wherever time has an effect. */
export type Clock = () => number;

/** The last moment that a date can hold, in milliseconds since the epoch. */
export const LAST_MOMENT = 8_640_000_000_000_000;

export const systemClock: Clock = () => Date.now();

/** Returns the time as ISO 8601 in UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
