import { realpath } from 'node:fs/promises';
import { sourceId } from '../core/ids.js';
import { fileSource } from './sources.js';
import type { LoadPorts } from './write/load.js';

/** Returns which of some files were ingested into a domain. */
export async function knownFiles(
  { graph }: Pick<LoadPorts, 'graph'>,
  { domain, paths }: { readonly domain: string; readonly paths: readonly string[] },
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const path of paths) {
    const real = await realpath(path).catch(() => path);
    const source_id = sourceId(fileSource(domain, { path: real, name: '' }));
    if ((await graph.listSources({ source_id, limit: 1 })).length > 0) known.add(path);
  }
  return known;
}
