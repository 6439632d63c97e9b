import { CODE_EXTENSIONS } from '../files/code-extensions.js';

/** Types of documents, with what people call each. */
const NAMES = {
  text: 'text',
  markdown: 'Markdown',
  org: 'Org',
  asciidoc: 'AsciiDoc',
  latex: 'LaTeX',
  pdf: 'PDF',
  html: 'HTML',
  docx: 'DOCX',
  odt: 'ODT',
  epub: 'EPUB',
  presentation: 'presentation',
  spreadsheet: 'spreadsheet',
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON Lines',
  yaml: 'YAML',
  notebook: 'notebook',
  canvas: 'JSON Canvas',
  opml: 'OPML',
  calendar: 'calendar',
  contacts: 'contacts',
  literature: 'literature',
  evernote: 'Evernote',
  feed: 'feed',
  captions: 'captions',
  code: 'source code',
} as const;

export type DocumentType = keyof typeof NAMES;

export const DOCUMENT_TYPES = Object.keys(NAMES) as readonly DocumentType[];

/** Types by the extensions of files, with the dot, in lower case. */
export const TYPE_OF_EXTENSION: Readonly<Record<string, DocumentType>> = {
  '.txt': 'text',
  '.text': 'text',
  '.rst': 'text',
  '.eml': 'text',
  '.mbox': 'text',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.org': 'org',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
  '.tex': 'latex',
  '.pdf': 'pdf',
  '.html': 'html',
  '.htm': 'html',
  '.docx': 'docx',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.xlsx': 'spreadsheet',
  '.xlsm': 'spreadsheet',
  '.xlsb': 'spreadsheet',
  '.xls': 'spreadsheet',
  '.ods': 'spreadsheet',
  '.pptx': 'presentation',
  '.ppsx': 'presentation',
  '.pptm': 'presentation',
  '.ppsm': 'presentation',
  '.odp': 'presentation',
  '.odt': 'odt',
  '.epub': 'epub',
  '.ipynb': 'notebook',
  '.canvas': 'canvas',
  '.opml': 'opml',
  '.ics': 'calendar',
  '.vcf': 'contacts',
  '.bib': 'literature',
  '.bibtex': 'literature',
  '.ris': 'literature',
  '.enex': 'evernote',
  '.rss': 'feed',
  '.atom': 'feed',
  '.xml': 'feed',
  '.vtt': 'captions',
  '.srt': 'captions',
  ...Object.fromEntries(CODE_EXTENSIONS.map((extension) => [extension, 'code' as const])),
};

/** File extensions that can be ingested. */
export const DOCUMENT_EXTENSIONS: readonly string[] = Object.keys(TYPE_OF_EXTENSION);

export function isDocumentType(type: string): type is DocumentType {
  return Object.hasOwn(NAMES, type);
}

/** Returns what a file of a type is called: `PDF` of "is no PDF file". */
export function typeName(type: string): string {
  return isDocumentType(type) ? NAMES[type] : type.toUpperCase();
}

/** Names of which there are several where all files are spoken of. */
const COUNTED: ReadonlySet<string> = new Set(['presentation', 'spreadsheet', 'notebook', 'calendar', 'feed']);

/** Returns what can be read: `text, mail, Markdown, PDF, …, calendars, contacts and captions`, or the same of one file with "or". */
export function kindsRead(word: 'and' | 'or'): string {
  const type = word === 'and' ? 'conjunction' : 'disjunction';
  const [text, ...others] = Object.values(NAMES).map((name) =>
    word === 'and' && COUNTED.has(name) ? `${name}s` : name,
  );
  // Mail is text by its type, and a kind of its own to people.
  return new Intl.ListFormat('en-GB', { type }).format([text!, 'mail', ...others]);
}
