import { expect, it } from '@jest/globals';
import type { SourceInfo } from '../../src/core/model.js';
import type { DocumentType } from '../../src/core/wording/document-types.js';
import { fileDocument, typeKept, untypedHash } from '../../src/ingest/document.js';
import { readAsBefore } from '../../src/ingest/known-files.js';
import type { RawFile } from '../../src/ingest/read/read.js';
import { fileSource } from '../../src/ingest/sources.js';
import type { LoadPorts } from '../../src/ingest/write/load.js';

const path = '/absent/NOTES';
const file = (hash: string, type: DocumentType): RawFile => ({
  path,
  name: 'NOTES',
  type,
  bytes: new Uint8Array(1),
  hash,
});
const hashOf = (of: RawFile) => fileDocument(of, fileSource('d', of)).contentHash;

function readAgain(content_hash: string, hash: string): Promise<RawFile> {
  const graph = {
    listSources: () => Promise.resolve([{ content_hash } as SourceInfo]),
  } as unknown as LoadPorts['graph'];
  const readAs = (type: string | undefined) => Promise.resolve(file(hash, type as DocumentType));
  return readAsBefore({ graph, store: undefined as never }, { domain: 'd', path, extraction: null, readAs });
}

it('a file whose name tells no type keeps it with its content hash', async () => {
  const stored = hashOf(file('aa', 'markdown'));
  expect(typeKept(stored)).toBe('markdown');
  expect((await readAgain(stored, 'bb')).type).toBe('markdown');
});

it('one that was stored without its type is read by it while its bytes are the same, and else left as it was', async () => {
  const stored = untypedHash(file('aa', 'markdown'));
  expect((await readAgain(stored, 'aa')).type).toBe('markdown');
  await expect(readAgain(stored, 'bb')).rejects.toMatchObject({
    code: 'unsupported_media',
    message: expect.stringContaining('NOTES has changed'),
    details: { skipped: true },
  });
});
