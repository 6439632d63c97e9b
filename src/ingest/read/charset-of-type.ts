import type { DocumentType } from '../../core/wording/document-types.js';
import { isCharset, spreadsheetCharset } from './decode.js';

/** How the charset of a file is detected from its bytes, and advice for a file whose charset is unknown. */
interface CharsetDetection {
  readonly detect: (bytes: Uint8Array) => string | undefined;
  readonly advice?: string;
}

/** Returns how the charset of a file of a type is detected where it is not Unicode; undefined for types that are always Unicode, or whose parser detects it. */
export function charsetOf(type: string): CharsetDetection | undefined {
  return CHARSETS[type as DocumentType];
}

/** Bytes of a page in which the HTML standard looks for a declaration. */
const DECLARED_IN = 1024;
/** Bytes by whose text the charset of a page without a declaration is detected. */
const LOOKED_AT = 65_536;
/** Share of the letters and signs outside of ASCII in a page from which it is of another alphabet. */
const OTHER_ALPHABET = 0.5;

/**
 * Returns the charset of a page that is not Unicode, as the HTML standard detects it: by the first declaration of one that there is, else Windows-1252, or
 * Shift JIS. Undefined for letters of another alphabet: read as Windows-1252, as browsers do, they make no words.
 */
function pageCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, DECLARED_IN)).toString('latin1');
  const declared = [...head.matchAll(/<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,40})/giu)].map(([, label]) => label!);
  // A page in which the declaration can be read is not of UTF-16.
  const known = declared.find((label) => !/^utf-?16/iu.test(label) && isCharset(label));
  if (known !== undefined) return known;
  const text = Buffer.from(bytes.subarray(0, LOOKED_AT))
    .toString('latin1')
    // No tag holds another `<`: looking from each for the end of the page would hold the event loop.
    .replace(/<[^<>]*>/gu, ' ');
  return spreadsheetCharset(Buffer.from(text, 'latin1'), OTHER_ALPHABET);
}

/** What an outline declares in its first line. */
const OF_XML = /^[^<]{0,10}<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/u;
/** The package by which a LaTeX source names its charset. */
const OF_LATEX = /\\usepackage\s{0,9}\[([\w-]{2,20})\]\s{0,9}\{inputenc\}|\\inputencoding\{([\w-]{2,20})\}/u;
/** The line by which Emacs knows the charset of a file. */
const OF_EMACS = /-\*-[^\n]{0,200}?\bcoding:\s{0,9}([\w-]{2,40}?)(?:-unix|-dos|-mac)?[;\s]/iu;
/** Charsets that LaTeX calls by other names than browsers do. */
const LATEX_NAMES: Readonly<Record<string, string>> = {
  ansinew: 'windows-1252',
  applemac: 'macintosh',
  latin9: 'iso-8859-15',
};

/** Returns how to detect the charset that a file declares at its beginning; without a declaration it is detected from the bytes, as that of a table is. */
function declaredBy(pattern: RegExp): (bytes: Uint8Array) => string | undefined {
  return (bytes) => {
    const found = pattern.exec(Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1'));
    const label = found?.[1] ?? found?.[2] ?? '';
    const name = LATEX_NAMES[label] ?? label;
    return isCharset(name) && !/^utf-?(?:8|16)/iu.test(name) ? name : spreadsheetCharset(bytes);
  };
}

const OLD: CharsetDetection = { detect: spreadsheetCharset };
const XML: CharsetDetection = { detect: declaredBy(OF_XML), advice: 'declare its charset in the first line' };

/** Types of texts that old programs write in the charset of their machine. */
const CHARSETS: Partial<Record<DocumentType, CharsetDetection>> = {
  html: { detect: pageCharset, advice: 'declare its charset in a meta element' },
  csv: OLD,
  calendar: OLD,
  contacts: OLD,
  captions: OLD,
  literature: OLD,
  code: OLD,
  asciidoc: OLD,
  org: { detect: declaredBy(OF_EMACS) },
  latex: { detect: declaredBy(OF_LATEX), advice: 'name its charset: \\usepackage[…]{inputenc}' },
  opml: XML,
  evernote: XML,
  feed: XML,
};
