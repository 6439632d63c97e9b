import { SvcError } from '../../../core/errors.js';
import { type DocumentType, typeName } from '../../../core/wording/document-types.js';
import { ParserFailed } from './parser-process.js';

/** Bytes at the beginning of an archive that name its kind, and at its end, where it lists what it holds. */
const BEGINNING = 256;
const END = 65_536;

/** By what an archive is known, in its list of entries or in the `mimetype` that it begins with. */
const SIGNS: ReadonlyArray<readonly [sign: string, type: DocumentType]> = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'presentation'],
  ['xl/workbook.', 'spreadsheet'],
  ['mimetypeapplication/vnd.oasis.opendocument.text', 'odt'],
  ['mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'spreadsheet'],
  ['mimetypeapplication/vnd.oasis.opendocument.presentation', 'presentation'],
  ['mimetypeapplication/epub+zip', 'epub'],
];

/** Returns the type of a file by its bytes, as far as a sign in them tells it. */
function typeByBytes(bytes: Uint8Array): DocumentType | undefined {
  const latin = (from: number, to?: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  const beginning = latin(0, BEGINNING);
  if (beginning.startsWith('%PDF-')) return 'pdf';
  if (!beginning.startsWith('PK')) return undefined;
  const listed = `${beginning}\n${latin(-END)}`;
  return SIGNS.find(([sign]) => listed.includes(sign))?.[1];
}

/** Returns the error that tells what a file is that could not be read as what it is called; the error itself where nothing tells more. */
export function ofMisnamed(
  error: unknown,
  file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): unknown {
  const isUnread =
    error instanceof SvcError && (error.code === 'unsupported_media' || error.cause instanceof ParserFailed);
  const type = isUnread ? typeByBytes(file.bytes) : undefined;
  if (type === undefined || type === file.type) return error;
  const name = typeName(type);
  const article = /^[AEIOU]/iu.test(name) ? 'an' : 'a';
  const sentence = `${file.name} is ${article} ${name} file by what it holds; name it so, or say source_type ${type}.`;
  return new SvcError('unsupported_media', sentence, { member: 'source_path' }, { cause: error });
}
