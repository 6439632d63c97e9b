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

/** How a PDF begins: below its version stands a remark, an object or what is no text, and not a sentence as of a text that speaks of PDF. */
const PDF = /^%PDF-\d\.\d\s*(?:%|\d{1,10} \d{1,5} obj|[^\t-\r -~]|$)/u;
/** How formats begin that hold no zero bytes, so that they pass for text, and what helps. */
const UNREAD: ReadonlyArray<readonly [beginning: RegExp, format: string, advice: string]> = [
  [/^\{\\rtf\d?\s*\\[a-z]{2}/u, 'RTF', 'save it as DOCX, PDF or plain text'],
  [/^%!PS-Adobe-\d\.\d(?: [A-Z]\S{0,40})?[^\S\r\n]*(?:[\r\n]|$)/u, 'PostScript', 'save it as PDF'],
];

/** Returns the type of a file by its bytes, as far as a sign in them tells it. */
function typeByBytes(bytes: Uint8Array): DocumentType | undefined {
  const latin = (from: number, to?: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  const beginning = latin(0, BEGINNING);
  if (PDF.test(beginningOf(bytes))) return 'pdf';
  if (!beginning.startsWith('PK')) return undefined;
  const listed = `${beginning}\n${latin(-END)}`;
  return SIGNS.find(([sign]) => listed.includes(sign))?.[1];
}

interface File {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * Throws `unsupported_media` for a file that passes for text and is none: of a format that is not read, however it is called, or a
 * PDF under another name. As plain text it would be full of its signs.
 */
export function refuseUnread({ bytes, name, type }: File): void {
  const beginning = beginningOf(bytes);
  if (type !== 'pdf' && PDF.test(beginning)) {
    throw new SvcError('unsupported_media', `${name} is a PDF.`, { member: 'source_path' });
  }
  const found = UNREAD.find(([pattern]) => pattern.test(beginning));
  if (found === undefined) return;
  const [, format, advice] = found;
  throw new SvcError('unsupported_media', `${name} is ${format} by what it holds; ${advice}.`, {
    member: 'source_path',
  });
}

/** Throws `invalid_input` for a text in a request that is the content of a file of such a format. */
export function refuseUnreadText(text: string): void {
  const beginning = text
    .slice(0, BEGINNING)
    .replace(/^\ufeff/u, '')
    .trimStart();
  const [, format] = UNREAD.find(([pattern]) => pattern.test(beginning)) ?? [];
  const found = PDF.test(beginning) ? 'PDF' : format;
  if (found === undefined) return;
  const how = found === 'PDF' ? 'upload the file instead' : 'send its words as plain text, or upload it as DOCX or PDF';
  throw new SvcError('invalid_input', `text is the content of a file of ${found}; ${how}.`, { member: 'text' });
}

/** Returns how a file begins, without the mark of UTF-8 and white space, each byte a character. */
function beginningOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, BEGINNING))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/u, '')
    .trimStart();
}

/** Returns the error that tells what a file is that could not be read as what it is called; the error itself where nothing tells more. */
export function ofMisnamed(error: unknown, file: File): unknown {
  const isUnread =
    error instanceof SvcError && (error.code === 'unsupported_media' || error.cause instanceof ParserFailed);
  const type = isUnread ? typeByBytes(file.bytes) : undefined;
  if (type === undefined || type === file.type) return error;
  const name = typeName(type);
  const article = /^[AEIOU]/iu.test(name) ? 'an' : 'a';
  const sentence = `${file.name} is ${article} ${name} file by what it holds; name it so, or say source_type ${type}.`;
  return new SvcError('unsupported_media', sentence, { member: 'source_path' }, { cause: error });
}
