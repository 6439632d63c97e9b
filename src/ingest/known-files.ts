import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sourceId } from '../core/ids.js';
import { advisedType } from './read/file-type.js';
import { fileSource } from './sources.js';
import type { LoadPorts } from './write/load.js';

/** Files that the store is asked for at once. */
const AT_ONCE = 500;

/** Returns which of some files were ingested into a domain, in their order. */
export async function knownFiles(
  { graph }: Pick<LoadPorts, 'graph'>,
  { domain, paths }: { readonly domain: string; readonly paths: readonly string[] },
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const files = await Promise.all(
      paths.slice(from, from + AT_ONCE).map(async (path) => {
        const real = await realpath(path).catch(() => path);
        return { path, source_id: sourceId(fileSource(domain, { path: real, name: '' })) };
      }),
    );
    const found = await graph.listSources({ source_ids: files.map(({ source_id }) => source_id) });
    const ids = new Set(found.map(({ source_id }) => source_id));
    for (const { path, source_id } of files) if (ids.has(source_id)) known.add(path);
  }
  return known;
}

/** Returns how to read a file again whose name does not tell its type: as is advised for such files, where the domain holds it. */
export async function typeBefore(
  ports: Pick<LoadPorts, 'graph'>,
  { domain, path }: { readonly domain: string; readonly path: string },
): Promise<string | undefined> {
  const type = advisedType(path);
  if (type === undefined) return undefined;
  const known = await knownFiles(ports, { domain, paths: [resolve(path)] });
  return known.size === 0 ? undefined : type;
}
