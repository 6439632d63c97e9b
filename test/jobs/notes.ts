import { waitFor } from '../support/wait-for.js';

/** A short document of its own names. */
export function note(i: number): string {
  return `# Station ${i}\n\nStation ${i} uses Pump ${i}. Pump ${i} was built by Engineer ${i} in ${1900 + i}.`;
}

/** Repeats `check` until it answers something; patient, since the machine may be busy. */
export function until<T>(check: () => Promise<T | undefined>): Promise<T> {
  const found = async (): Promise<T> => {
    const value = await check();
    if (value === undefined) throw new Error('It did not come about in time.');
    return value;
  };
  return waitFor(found, { timeout: 90_000, interval: 30 });
}
