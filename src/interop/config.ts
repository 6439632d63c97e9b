import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { SvcError } from '../core/errors.js';

/** Where rule sets and events are exchanged. Absolute paths. */
export interface InteropConfig {
  readonly seeds: { readonly pending: string; readonly processed: string; readonly failed: string };
  /** `projections`: the signal log, JSON Lines. */
  readonly signals: { readonly projections: string };
}

/** Returns the directories of a data directory. */
export function defaultInteropConfig(dataDirectory: string): InteropConfig {
  const seeds = join(dataDirectory, 'seeds');
  return {
    seeds: { pending: join(seeds, 'pending'), processed: join(seeds, 'processed'), failed: join(seeds, 'failed') },
    signals: { projections: join(dataDirectory, 'signals', 'projections.jsonl') },
  };
}

/**
 * Reads a consumer's configuration file over the defaults; the defaults alone where there is no file. Throws
 * `invalid_input` that names the member for a path that is no absolute path, and for a file that is no YAML mapping.
 */
export function loadInteropConfig(file: string, defaults: InteropConfig): InteropConfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return defaults;
    throw new SvcError('unavailable', `${file} cannot be read; check its permissions.`, undefined, { cause });
  }
  const parsed = mapping(parsedYaml(text, file), file);
  const seeds = mapping(parsed.seeds ?? {}, `${file}: seeds`);
  const signals = mapping(parsed.signals ?? {}, `${file}: signals`);
  const path = (value: unknown, fallback: string, member: string): string => {
    if (value === undefined || value === null) return fallback;
    if (typeof value === 'string' && isAbsolute(value)) return value;
    throw new SvcError('invalid_input', `${file}: ${member} must be an absolute path.`);
  };
  return {
    seeds: {
      pending: path(seeds.pending, defaults.seeds.pending, 'seeds.pending'),
      processed: path(seeds.processed, defaults.seeds.processed, 'seeds.processed'),
      failed: path(seeds.failed, defaults.seeds.failed, 'seeds.failed'),
    },
    signals: { projections: path(signals.projections, defaults.signals.projections, 'signals.projections') },
  };
}

/** Writes the configuration by rename, so that no reader sees half a file. */
export function writeConfig(config: InteropConfig, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, stringify(config, { schema: 'core' }));
  renameSync(draft, file);
}

function parsedYaml(text: string, file: string): unknown {
  try {
    return parse(text, { schema: 'core', maxAliasCount: 0 });
  } catch (cause) {
    throw new SvcError('invalid_input', `${file} is no YAML: ${(cause as Error).message.split('\n')[0]}`, undefined, {
      cause,
    });
  }
}

function mapping(value: unknown, name: string): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new SvcError('invalid_input', `${name} must be a mapping.`);
}
