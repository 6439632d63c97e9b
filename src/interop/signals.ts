import { closeSync, createReadStream, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { withFileLock } from '../backends/store/file-lock.js';
import { SvcError } from '../core/errors.js';
import { validateEvent } from './validate.js';

export type SignalName = 'projection_complete' | 'seed_ingested' | 'seed_failed';

/** One line of the signal log, schema version 1.0. Additional members are allowed. */
export interface SignalEvent {
  readonly event: SignalName;
  readonly persona?: string;
  readonly domain?: string;
  readonly path?: string;
  readonly rule_count?: number;
  /** ISO 8601. */
  readonly ts: string;
  readonly source: string;
  readonly source_version?: string;
  readonly error?: string;
  readonly [member: string]: unknown;
}

export interface ReadSignalsOptions {
  /** ISO 8601; only later events. */
  readonly since?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  /** Receives a sentence for each line that is no event, for example a last line that a crash cut off. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

const NEWLINE = 0x0a;
/** A longer line is no event of ours. */
const LONGEST_LINE = 1024 * 1024;

/**
 * Appends one event as one line and waits for the disk. Writers of any number of processes follow one another; a line that
 * a crash cut off is closed first. Throws `invalid_input` for an event that is not valid.
 */
export async function appendSignal(event: SignalEvent, log: string): Promise<void> {
  const [error] = validateEvent(event);
  if (error !== undefined) throw new SvcError('invalid_input', `The event is not valid: ${error}.`);
  const line = `${JSON.stringify(event)}\n`;
  await withFileLock(`${log}.lock`, () => {
    const file = openSync(log, 'a+', 0o600);
    try {
      const text = Buffer.from(endsWithNewline(file) ? line : `\n${line}`);
      for (let written = 0; written < text.length; ) written += writeSync(file, text, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/** Returns the events after `since`, in the order of the log; none where there is no log. */
export async function readSignals(log: string, options: ReadSignalsOptions = {}): Promise<SignalEvent[]> {
  if (!existsSync(log)) return [];
  const since = options.since === undefined ? Number.NEGATIVE_INFINITY : timeOf(options.since);
  const events: SignalEvent[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(log), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const event = parsed(line);
    if (event === undefined) {
      options.onWarning?.(`${log}: line ${number} is not an event and was skipped.`);
      continue;
    }
    if (Date.parse(event.ts) <= since) continue;
    if (options.eventTypes !== undefined && !options.eventTypes.includes(event.event)) continue;
    events.push(event);
  }
  return events;
}

function timeOf(since: string): number {
  const time = Date.parse(since);
  if (Number.isNaN(time))
    throw new SvcError('invalid_input', 'since must be a time in ISO 8601, such as 2026-01-31T09:00:00Z.');
  return time;
}

function parsed(line: string): SignalEvent | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  try {
    const value = JSON.parse(line) as SignalEvent;
    return validateEvent(value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function endsWithNewline(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}
