import { extname } from 'node:path';
import { SvcError } from '../../core/errors.js';
import { DOCUMENT_TYPES, type DocumentType, isDocumentType } from '../../core/wording/document-types.js';

const EXTENSIONS: Readonly<Record<string, DocumentType>> = {
  '.txt': 'text',
  '.text': 'text',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.pdf': 'pdf',
  '.html': 'html',
  '.htm': 'html',
  '.docx': 'docx',
  '.csv': 'csv',
  '.tsv': 'csv',
};

/** File extensions that can be ingested, with the dot, in lower case. */
const DOCUMENT_EXTENSIONS: readonly string[] = Object.keys(EXTENSIONS);

const RECORDS =
  'say source_type text to read it as plain text; concepts and edges are taken by structured ingest, a chat export as messages';

const SHEETS = 'save its tables as CSV';

/** What helps with files that people try and that are no documents, by extension. */
const ADVICE: Readonly<Record<string, string>> = {
  '.json': RECORDS,
  '.jsonl': RECORDS,
  '.ndjson': RECORDS,
  '.xlsx': SHEETS,
  '.xls': SHEETS,
  '.ods': SHEETS,
  '.eml': 'save the mail as one of these; source_type text reads it as plain text with its headers',
};

/** Returns whether a file can be ingested, by its extension. */
export function isDocument(name: string): boolean {
  return Object.hasOwn(EXTENSIONS, extname(name).toLowerCase());
}

/** Returns the type of a file: `given`, else by its extension. Throws `unsupported_media` with the list of types. */
export function documentType(name: string, given?: string): DocumentType {
  if (given !== undefined) {
    if (isDocumentType(given)) return given;
    throw new SvcError(
      'unsupported_media',
      `source_type ${given} is unknown; use one of ${DOCUMENT_TYPES.join(', ')}.`,
      {
        member: 'source_type',
        supported: DOCUMENT_TYPES,
      },
    );
  }
  const extension = extname(name).toLowerCase();
  const type = EXTENSIONS[extension];
  if (type !== undefined) return type;
  const what = extension === '' ? 'A file without extension' : `A file of type ${extension}`;
  const advice = Object.hasOwn(ADVICE, extension) ? ADVICE[extension] : 'say source_type';
  throw new SvcError(
    'unsupported_media',
    `${what} cannot be ingested; use ${DOCUMENT_EXTENSIONS.join(', ')}, or ${advice}.`,
    { member: 'source_path', supported: DOCUMENT_EXTENSIONS },
  );
}
