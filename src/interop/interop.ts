import type { Clock } from '../core/clock.js';
import { type LoadOptions, type LoadPorts, type LoadResult, load } from '../ingest/write/load.js';
import type { InteropConfig } from './config.js';
import { type RestoreOptions, restoredSeed } from './restore.js';
import { seedWarnings } from './seed-warnings.js';
import { writeSeedToPending } from './seeds.js';

export interface InteropPorts {
  readonly config: InteropConfig;
  readonly load: LoadPorts;
  readonly clock: Clock;
  /** Names this system in events. */
  readonly source: { readonly name: string; readonly version: string };
}

export interface SeedIngested {
  readonly persona: string;
  /** What each domain now holds because of the rule set. */
  readonly results: readonly LoadResult[];
  readonly warnings: readonly string[];
}

/** Hands rule sets over to consumers, and takes them back. */
export class Interop {
  constructor(private readonly ports: InteropPorts) {}

  /** Writes a rule set into pending, with an event where `emitSignal` is on; returns the path. */
  writePending(
    seed: unknown,
    options: { readonly persona: string; readonly domain?: string | undefined; readonly emitSignal: boolean },
  ): Promise<string> {
    const { config, clock, source } = this.ports;
    return writeSeedToPending(seed, { ...options, config, source, now: new Date(clock()) });
  }

  /** Brings the explicit rules of a rule set back into the graph; the same rule set again changes nothing. */
  async ingestSeed(seed: unknown, options: RestoreOptions, loading: LoadOptions = {}): Promise<SeedIngested> {
    const { persona, manifests, derived } = restoredSeed(seed, options);
    const results: LoadResult[] = [];
    for (const manifest of manifests) results.push(await load(this.ports.load, manifest, loading));
    const left =
      derived === 0 ? [] : [`${derived} derived rules were left out: the edges of the graph make them again.`];
    return { persona, results, warnings: [...left, ...seedWarnings(seed)] };
  }
}
