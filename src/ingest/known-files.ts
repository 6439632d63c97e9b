import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { SvcError } from '../core/errors.js';
import { sourceId } from '../core/ids.js';
import type { SourceRef } from '../core/model.js';
import { DOCUMENT_TYPES } from '../core/wording/document-types.js';
import { fileDocument, readBy, typeKept, untypedHash } from './document.js';
import type { ModelExtraction } from './extract/model/model-extraction.js';
import { advisedType } from './read/file-type.js';
import type { RawFile } from './read/read.js';
import { refuseKeptChat } from './sessions/kept-chat.js';
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

/** A file that is given without a type, and how files are read. */
interface ReadAgain {
  readonly domain: string;
  readonly path: string;
  readonly extraction: ModelExtraction | null | undefined;
  readonly readAs: (type: string | undefined) => Promise<RawFile>;
}

/**
 * Reads a file that is given without a type. Where the domain holds it by another type than its name tells, it is read by that type;
 * throws `unsupported_media`, as one to skip, where nothing tells that type: it stays as it was. So does a chat that the domain keeps as messages.
 */
export async function readAsBefore(
  { graph, store }: Pick<LoadPorts, 'graph' | 'store'>,
  { domain, path, extraction, readAs }: ReadAgain,
): Promise<RawFile> {
  const advised = advisedType(path);
  const real = await realpath(resolve(path)).catch(() => resolve(path));
  const source = fileSource(domain, { path: real, name: basename(path) });
  const [known] = await graph.listSources({ source_id: sourceId(source) });
  const kept = known && typeKept(known.content_hash);
  if (kept !== undefined) return readAs(kept);
  if (advised === undefined) {
    const file = await readAs(undefined);
    await refuseKeptChat({ graph, store }, { domain, file });
    return file;
  }
  if (known === undefined) return readAs(undefined);
  // It was stored before types were kept: while its bytes are the same, the hash tells.
  const file = await readAs(advised);
  for (const type of DOCUMENT_TYPES) {
    const hashes = untyped({ ...file, type }, source, extraction);
    if (hashes.includes(known.content_hash)) return { ...file, type };
  }
  const sentence = `${file.name} has changed, and the type that it was read by is not known any more; it stays as it was: ingest it by itself with source_type once.`;
  throw new SvcError('unsupported_media', sentence, { member: 'source_type', skipped: true });
}

/** Returns the content hashes under which a file may have been stored without its type. */
function untyped(file: RawFile, source: SourceRef, extraction: ModelExtraction | null | undefined): string[] {
  const bare = { ...fileDocument(file, source), contentHash: untypedHash(file) };
  return extraction == null
    ? [bare.contentHash]
    : [bare.contentHash, readBy(bare, extraction), readBy(bare, extraction, ' in part')];
}
