import { basename, extname } from 'node:path';
import { SvcError } from '../../core/errors.js';
import {
  DOCUMENT_EXTENSIONS,
  DOCUMENT_TYPES,
  type DocumentType,
  isDocumentType,
  TYPE_OF_EXTENSION,
} from '../../core/wording/document-types.js';
import { isTableOfPages } from './exported-pages.js';
import { isKeyFile } from './private-files.js';

/** What helps with a file that is not read by its type. */
export const AS_TEXT = 'ingest it by itself with source_type text, as plain text';
const AS_MARKDOWN = 'ingest it by itself with source_type markdown';

/** What helps with files that hold text or tables in another form, and their extensions. */
const CONVERTED = adviceByExtension([
  [AS_TEXT, 'toml log ini cfg conf properties css scss vue svelte'],
  [AS_MARKDOWN, 'mdx qmd rmd'],
  ['export it as XLSX or its tables as CSV', 'numbers'],
  ['save it as DOCX or PDF', 'doc dot rtf ott pages'],
  ['save it as PPTX or PDF', 'ppt pps pot potx otp'],
  ['convert it to EPUB', 'mobi azw azw3 fb2'],
  ['save the mail as a file that ends in .eml, as text or as HTML', 'msg'],
  ['unpack it and ingest what it holds', 'zip tar gz tgz bz2 xz 7z rar'],
  [
    'connect it as a source with "svc sources connect NAME sqlite:FILE", where it is a SQLite database',
    'sqlite sqlite3 db',
  ],
]);

/** What helps with all files that people try and that are no documents. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ...CONVERTED,
  ...adviceByExtension([
    ['run text recognition on it and ingest the text', 'png jpg jpeg gif webp heic bmp tif tiff'],
    ['ingest a transcript of it', 'mp3 m4a wav ogg opus flac mp4 mov mkv webm'],
  ]),
]);

/** What package managers and compilers read: named like a document, and written for a program. */
const OF_TOOLS =
  /^(?:(?:package|package-lock|npm-shrinkwrap|composer|bower|lerna|nx|turbo|deno|biome|angular|renovate|[jt]sconfig(?:\..+)?|(?:.+\.)lock)\.json|pnpm-(?:lock|workspace)\.ya?ml)$/iu;
const FOR_TOOLS = 'settings of a program; name the file itself to read it';

/** Directories, and names, of code that a program made or that comes from others: thousands of files that the people of a project did not write. */
const MADE_IN = new Set(
  'dist build out target obj vendor third_party bower_components coverage venv Pods __pycache__'.split(' '),
);
const MADE = /\.min\.\w+$|[._]pb2?(?:_grpc)?\.\w+$|\.(?:g|freezed|generated|designer)\.\w+$/iu;
const MADE_BY_PROGRAM = 'code that a program made, or of others; name the file itself to read it';

const PAGES_BESIDE = 'a table whose rows are pages beside it; name the file itself to read it';

function adviceByExtension(rows: ReadonlyArray<readonly [advice: string, extensions: string]>): Map<string, string> {
  return new Map(rows.flatMap(([advice, extensions]) => extensions.split(' ').map((one) => [`.${one}`, advice])));
}

/** Returns what makes a document of a file that holds text, tables, pictures or speech in another form; nothing for files that hardly do. */
export function conversionOf(name: string): string | undefined {
  if (OF_TOOLS.test(basename(name))) return FOR_TOOLS;
  if (isKeyFile(basename(name))) return 'a key file; such files are never ingested';
  if (isCode(name)) return MADE_BY_PROGRAM;
  if (isTableOfPages(name)) return PAGES_BESIDE;
  return ADVICE.get(extname(name).toLowerCase());
}

/** Returns whether a file can be ingested, by its extension. */
export function isDocument(name: string): boolean {
  return Object.hasOwn(TYPE_OF_EXTENSION, extname(name).toLowerCase());
}

function isCode(name: string): boolean {
  return isTypeOfName(name, 'code');
}

/** Returns whether a file is code that a program made, or of others, by its path below a directory that was named. */
export function isMadeCode(path: string): boolean {
  const names = path.split(/[/\\]/u);
  return isCode(path) && (MADE.test(path) || names.slice(0, -1).some((name) => MADE_IN.has(name)));
}

/** Returns whether a file is written for a program: below a directory it is read only where it was named before. */
export function isForTools(name: string): boolean {
  return isDocument(name) && OF_TOOLS.test(basename(name)) && !isKeyFile(basename(name));
}

/** Returns the type that is advised for a file whose name tells none; nothing where only who named the file could know. */
export function advisedType(name: string): DocumentType | undefined {
  if (isKeyFile(basename(name))) return undefined;
  const extension = extname(name).toLowerCase();
  const advice = CONVERTED.get(extension);
  if (advice === AS_MARKDOWN) return 'markdown';
  return advice === AS_TEXT || extension === '' ? 'text' : undefined;
}

/** Returns whether the name of a file tells that it is of a type. */
export function isTypeOfName(name: string, type: DocumentType): boolean {
  return TYPE_OF_EXTENSION[extname(name).toLowerCase()] === type;
}

/** Returns whether a file that was left out of a directory is read where it was ingested before, named by itself. */
export function isNamedFirst(name: string): boolean {
  return (
    isForTools(name) ||
    ((isCode(name) || isTableOfPages(name)) && !isKeyFile(basename(name))) ||
    advisedType(name) !== undefined
  );
}

/** Returns whether a file below a directory is ingested: one that is written for a program is read where it is named itself, one of keys never. */
export function isDocumentBelow(name: string): boolean {
  return isDocument(name) && !OF_TOOLS.test(basename(name)) && !isKeyFile(basename(name));
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
  const type = TYPE_OF_EXTENSION[extension];
  if (type !== undefined) return type;
  const what = extension === '' ? 'A file without extension' : `A file of type ${extension}`;
  // What helps with this file is told alone: behind a long list nobody reads it.
  const advice = ADVICE.get(extension) ?? `use ${DOCUMENT_EXTENSIONS.join(', ')}, or say source_type`;
  throw new SvcError('unsupported_media', `${what} cannot be ingested; ${advice}.`, {
    member: 'source_path',
    supported: DOCUMENT_EXTENSIONS,
  });
}
