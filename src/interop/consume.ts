import { existsSync, writeFileSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { withFileLock } from '../backends/store/file-lock.js';
import { toSvcError } from '../core/errors.js';
import { realPath } from '../core/files/real-path.js';
import type { InteropConfig } from './config.js';
import { moveInto } from './files.js';
import { errorFile, listFailedSeeds, listPendingSeeds, listProcessedSeeds, readSeedFile } from './seeds.js';
import { appendSignal, readSignals, type SignalEvent } from './signals.js';
import { validateSeed } from './validate.js';

export interface ConsumeOptions {
  readonly config: InteropConfig;
  /** Versions of rule sets that this consumer takes. */
  readonly versions: ReadonlySet<number>;
  /** Names the consumer in its events. */
  readonly source: string;
  readonly clock: () => number;
}

/** What became of one rule set. */
export interface Consumed {
  readonly outcome: 'processed' | 'failed';
  /** Where the file lies now. */
  readonly path: string;
  readonly persona: string;
  readonly rule_count: number;
  readonly error?: string;
}

/** An event whose path a consumer must not touch. */
export interface RefusedEvent {
  readonly path: string;
  readonly reason: string;
}

/**
 * Takes in every rule set that waits: validates it, moves it to the processed or the failed directory, and appends the
 * event. A file that a crash left moved but not announced is announced first. Nothing of a rule set is ever run. Of several
 * consumers one at a time moves and announces a file: what lies moved and is not announced, no other is about to announce.
 */
export async function consumePending(options: ConsumeOptions): Promise<Consumed[]> {
  const lock = `${options.config.signals.projections}.consumers.lock`;
  await withFileLock(lock, () => announceMoved(options));
  const done: Consumed[] = [];
  for (const path of listPendingSeeds(options.config)) {
    const consumed = await withFileLock(lock, () => consumeSeed(path, options));
    if (consumed !== null) done.push(consumed);
  }
  return done;
}

/** Takes in one pending file; null where another consumer was faster. */
async function consumeSeed(path: string, options: ConsumeOptions): Promise<Consumed | null> {
  if (!existsSync(path)) return null;
  const verdict = judged(path, options.versions);
  const { processed, failed } = options.config.seeds;
  let moved: string;
  try {
    moved = moveInto(path, basename(path), verdict.error === undefined ? processed : failed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const consumed: Consumed = {
    outcome: verdict.error === undefined ? 'processed' : 'failed',
    path: moved,
    ...verdict,
  };
  if (consumed.error !== undefined) writeFileSync(errorFile(moved), `${consumed.error}\n`);
  await announce(consumed, options);
  return consumed;
}

function judged(path: string, versions: ReadonlySet<number>): Pick<Consumed, 'persona' | 'rule_count' | 'error'> {
  const unknown = { persona: basename(path).replace(/_[^_]*$/, '') || 'unknown', rule_count: 0 };
  try {
    const seed = readSeedFile(path);
    const errors = validateSeed(seed);
    if (errors.length > 0) return { ...unknown, error: errors.slice(0, 10).join('; ') };
    const { persona, version, rules } = seed as { persona: string; version: number; rules: unknown[] };
    const known = { persona, rule_count: rules.length };
    if (versions.has(version)) return known;
    const taken = [...versions].join(', ');
    return { ...known, error: `version ${version} is not known to this consumer, which takes ${taken}` };
  } catch (error) {
    return { ...unknown, error: toSvcError(error).message };
  }
}

function announce(consumed: Consumed, { config, source, clock }: ConsumeOptions): Promise<void> {
  const event: SignalEvent = {
    event: consumed.outcome === 'processed' ? 'seed_ingested' : 'seed_failed',
    persona: consumed.persona,
    path: consumed.path,
    ts: new Date(clock()).toISOString(),
    source,
    ...(consumed.error === undefined ? {} : { error: consumed.error }),
  };
  return appendSignal(event, config.signals.projections);
}

/** Announces files that were moved before their event was written. */
async function announceMoved(options: ConsumeOptions): Promise<void> {
  const { config } = options;
  const processed = listProcessedSeeds(config);
  const failed = listFailedSeeds(config);
  if (processed.length + failed.length === 0) return;
  const events = await readSignals(config.signals.projections, { eventTypes: ['seed_ingested', 'seed_failed'] });
  const known = new Set(events.map((event) => event.path));
  for (const path of processed.filter((one) => !known.has(one))) {
    await announce({ outcome: 'processed', path, ...judged(path, new Set(options.versions)) }, options);
  }
  for (const { path, error } of failed.filter((one) => !known.has(one.path))) {
    const verdict = judged(path, options.versions);
    // The crash may have come before the reason was written.
    const recorded = existsSync(errorFile(path));
    const reason = recorded ? error : (verdict.error ?? error);
    if (!recorded) writeFileSync(errorFile(path), `${reason}\n`);
    await announce({ outcome: 'failed', path, ...verdict, error: reason }, options);
  }
}

/**
 * Returns the pending files that events announce after `since`, and the events whose path leads outside of the three
 * directories, links resolved: those are never opened.
 */
export async function announcedSeeds(
  config: InteropConfig,
  since?: string,
): Promise<{ paths: string[]; refused: RefusedEvent[] }> {
  const events = await readSignals(config.signals.projections, { since, eventTypes: ['projection_complete'] });
  const paths: string[] = [];
  const refused: RefusedEvent[] = [];
  for (const { path } of events) {
    if (path === undefined) continue;
    const real = realPath(path);
    if (isWithin(real, config)) paths.push(real);
    else refused.push({ path, reason: 'It leads outside of the pending, processed and failed directories.' });
  }
  return { paths, refused };
}

function isWithin(path: string, { seeds }: InteropConfig): boolean {
  return Object.values(seeds).some((folder) => path.startsWith(`${realPath(folder)}${sep}`));
}
