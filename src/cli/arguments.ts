import { closeSync, openSync, readSync } from 'node:fs';
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

/** Bytes of a file of JSON that are read: what a call may hold. A device such as /dev/zero has no end. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Parses JSON from the command line, or from the file that `@file` names: a list of vectors is longer than an argument may be. A
 * usage error for anything else.
 */
export function jsonValue(text: string): unknown {
  if (text.startsWith('@')) return parsed(contentOf(text.slice(1)), 'The file must hold JSON.');
  return parsed(text, 'It must be JSON, or @ and the name of a file of JSON.');
}

function parsed(json: string, otherwise: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new InvalidArgumentError(otherwise);
  }
}

function contentOf(file: string): string {
  const bytes = Buffer.allocUnsafe(MOST_BYTES + 1);
  let size = 0;
  try {
    const opened = openSync(file, 'r');
    try {
      for (let read = -1; read !== 0 && size < bytes.length; size += read)
        read = readSync(opened, bytes, size, bytes.length - size, null);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new InvalidArgumentError(`The file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (size > MOST_BYTES) throw new InvalidArgumentError('The file must hold 64 MiB at most.');
  // Editors of Windows begin a file with the mark of its encoding.
  return bytes.toString('utf8', 0, size).replace(/^\ufeff/, '');
}
