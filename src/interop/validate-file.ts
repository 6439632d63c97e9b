import { SvcError } from '../core/errors.js';
import { seedWarnings } from './seed-warnings.js';
import { readInteropFile, readSeedFile } from './seeds.js';
import { validateEvent, validateSeed } from './validate.js';

/** Errors that are listed of a log. */
const MOST_ERRORS = 100;

/** What a file was checked as, and what is wrong with it. */
export interface CheckedFile {
  readonly file: string;
  readonly kind: 'rule set' | 'event' | 'events';
  readonly errors: string[];
  /** What the schema lets be and is most likely a slip; absent where nothing is. */
  readonly warnings?: string[];
}

/**
 * Checks a file by the schema of what it holds: a `.jsonl` file is a log of events, an object with a member `event` or `ts`
 * is an event, anything else a rule set. A file that cannot be read as that has the reason as its error.
 */
export function validateFile(file: string): CheckedFile {
  const isLog = /\.(jsonl|ndjson)$/i.test(file);
  try {
    if (isLog) return { file, kind: 'events', errors: logErrors(file) };
    const content = readSeedFile(file);
    if (isEvent(content)) return { file, kind: 'event', errors: validateEvent(content) };
    const warnings = seedWarnings(content);
    const found = { file, kind: 'rule set', errors: validateSeed(content) } as const;
    return warnings.length === 0 ? found : { ...found, warnings };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { file, kind: isLog ? 'events' : 'rule set', errors: [error.message] };
  }
}

function isEvent(content: unknown): boolean {
  return (
    typeof content === 'object' && content !== null && ('event' in content || 'ts' in content) && !('rules' in content)
  );
}

function logErrors(file: string): string[] {
  const lines = readInteropFile(file, 'log').split('\n');
  return lines
    .flatMap((line, i) => (line.trim() === '' ? [] : lineErrors(line).map((error) => `line ${i + 1}: ${error}`)))
    .slice(0, MOST_ERRORS);
}

function lineErrors(line: string): string[] {
  try {
    return validateEvent(JSON.parse(line));
  } catch {
    return ['is not JSON'];
  }
}
