import { loadConfig } from './config.js';
import { VERSION } from './core/version.js';
import {
  defaultInteropConfig,
  type InteropConfig,
  loadInteropConfig,
  writeConfig as writeFile,
} from './interop/config.js';
import * as seeds from './interop/seeds.js';
import * as signals from './interop/signals.js';

/**
 * The interchange operations as a library offers them: on the directories of the configuration in force, unless others
 * are given.
 */

/** Returns the directories in force: the consumer configuration file over those of the data directory. */
export function interopConfig(): InteropConfig {
  const config = loadConfig();
  return loadInteropConfig(config.interop.file, defaultInteropConfig(config.data.dir));
}

/** Writes the consumer configuration file; returns its path. */
export function writeConfig(config: InteropConfig, file = loadConfig().interop.file): string {
  writeFile(config, file);
  return file;
}

/** Writes a rule set into pending and returns its path; appends `projection_complete` unless `emitSignal` is false. */
export function writeSeedToPending(
  seed: unknown,
  persona: string,
  domain?: string | null,
  emitSignal = true,
  config = interopConfig(),
): Promise<string> {
  const source = { name: loadConfig().name, version: VERSION };
  return seeds.writeSeedToPending(seed, {
    config,
    persona,
    domain: domain ?? undefined,
    emitSignal,
    source,
    now: new Date(),
  });
}

/** Returns the paths of rule sets that wait for a consumer. */
export function listPendingSeeds(config = interopConfig()): string[] {
  return seeds.listPendingSeeds(config);
}

/** Returns the paths of rule sets that a consumer took in. */
export function listProcessedSeeds(config = interopConfig()): string[] {
  return seeds.listProcessedSeeds(config);
}

/** Returns pairs of path and reason of the rule sets that a consumer refused. */
export function listFailedSeeds(config = interopConfig()): Array<[path: string, error: string]> {
  return seeds.listFailedSeeds(config).map(({ path, error }) => [path, error]);
}

/** Returns the name of a pending file, `<persona>_<YYYY-MM-DD>T<HH-MM-SS>.yaml` in UTC. */
export function generateSeedFilename(persona: string, now = new Date()): string {
  return seeds.generateSeedFilename(persona, now);
}

/** Appends one event to the signal log. */
export function appendSignal(event: signals.SignalEvent, log = interopConfig().signals.projections): Promise<void> {
  return signals.appendSignal(event, log);
}

/** Returns the events after `since` (exclusive), of these kinds, in the order of the log. */
export function readSignals(
  since?: string | null,
  eventTypes?: readonly string[] | null,
  log = interopConfig().signals.projections,
): Promise<signals.SignalEvent[]> {
  return signals.readSignals(log, { since: since ?? undefined, eventTypes: eventTypes ?? undefined });
}
