/** Milliseconds since the epoch; injected wherever time has an effect. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Returns the time as ISO 8601 in UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
