import { extname } from 'node:path';
import { SvcError } from '../../core/errors.js';

export type DocumentType = 'text' | 'markdown' | 'pdf' | 'html' | 'docx';

const EXTENSIONS: Readonly<Record<string, DocumentType>> = {
  '.txt': 'text',
  '.text': 'text',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.pdf': 'pdf',
  '.html': 'html',
  '.htm': 'html',
  '.docx': 'docx',
};

const TYPES: ReadonlySet<string> = new Set(Object.values(EXTENSIONS));

/** File extensions that can be ingested, with the dot, in lower case. */
const DOCUMENT_EXTENSIONS: readonly string[] = Object.keys(EXTENSIONS);

/** Returns whether a file can be ingested, by its extension. */
export function isDocument(name: string): boolean {
  return Object.hasOwn(EXTENSIONS, extname(name).toLowerCase());
}

/** Returns the type of a file: `given`, else by its extension. Throws `unsupported_media` with the list of types. */
export function documentType(name: string, given?: string): DocumentType {
  if (given !== undefined) {
    if (TYPES.has(given)) return given as DocumentType;
    throw new SvcError('unsupported_media', `source_type ${given} is unknown; use one of ${[...TYPES].join(', ')}.`, {
      member: 'source_type',
      supported: [...TYPES],
    });
  }
  const extension = extname(name).toLowerCase();
  const type = EXTENSIONS[extension];
  if (type !== undefined) return type;
  const what = extension === '' ? 'A file without extension' : `A file of type ${extension}`;
  throw new SvcError(
    'unsupported_media',
    `${what} cannot be ingested; use ${DOCUMENT_EXTENSIONS.join(', ')}, or say source_type.`,
    { member: 'source_path', supported: DOCUMENT_EXTENSIONS },
  );
}
