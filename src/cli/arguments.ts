import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

/** Parses a whole number from the command line; a usage error for anything else. */
export function wholeNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Parses a number from the command line; a usage error for anything else. */
export function decimalNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

/** Collects an option that may be given several times. */
export function collected(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** Returns the members that are defined: an option that was not given is absent from the input. */
export function given(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/**
 * Parses JSON from the command line, or from the file that `@file` names: a list of vectors is longer than an argument may be. A
 * usage error for anything else.
 */
export function jsonValue(text: string): unknown {
  const isFile = text.startsWith('@');
  try {
    return JSON.parse(isFile ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    if (!isFile) throw new InvalidArgumentError('It must be JSON, or @ and the name of a file of JSON.');
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidArgumentError(
      code === undefined ? 'The file must hold JSON.' : `The file cannot be read (${code}).`,
    );
  }
}
