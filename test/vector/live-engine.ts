import { describe } from '@jest/globals';

/** The address of a live engine, or undefined with the reason printed; under CI a missing one fails the run. */
export function liveUrl(variable: string, engine: string): string | undefined {
  const url = process.env[variable];
  if (url !== undefined && url !== '') return url;
  if (process.env.CI === 'true') throw new Error(`${variable} is not set: ${engine} must run under CI.`);
  process.stdout.write(`Skipped: ${variable} is not set (npm run test:live starts ${engine}).\n`);
  return undefined;
}

/** Registers the suite when the engine is there, else a skipped one. */
export function describeLive(name: string, url: string | undefined, suite: (url: string) => void): void {
  if (url === undefined) describe.skip(name, () => {});
  else suite(url);
}
