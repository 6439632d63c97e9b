import { basename } from 'node:path';
import { readSeedFile } from '../../../interop/seeds.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { yellow } from '../../output/output.js';
import { visible } from '../../output/visible.js';

interface RestoredSeed {
  readonly persona: string;
  readonly results: ReadonlyArray<{ readonly domain: string; readonly rules: number; readonly unchanged?: boolean }>;
  readonly warnings: readonly string[];
}

/** Brings rule-set files back: their explicit rules, each into its own domain unless one is named. */
export async function ingestSeeds(
  cli: Cli,
  paths: readonly string[],
  options: CommonOptions & { readonly domain?: string },
): Promise<void> {
  for (const path of paths) {
    const input = given({ seed: readSeedFile(path), name: basename(path), domain: options.domain });
    await cli.show({ command: 'ingest', operation: 'ingest_seed', input, options }, (restored: RestoredSeed) =>
      human(visible(path), restored),
    );
  }
}

function human(path: string, { persona, results, warnings }: RestoredSeed): string {
  const lines = results.map(({ domain, rules, unchanged }) => {
    const state = unchanged === true ? ', unchanged' : '';
    return `${path}: ${rules} rules of ${persona} in ${domain}${state}`;
  });
  const none = lines.length === 0 ? [`${path}: no explicit rule`] : [];
  return [...lines, ...none, ...warnings.map((warning) => `${yellow('Warning:')} ${warning}`)].join('\n');
}
