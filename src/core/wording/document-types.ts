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
  ...code(
    'py pyi js mjs cjs jsx ts mts cts tsx java c h cc cpp cxx hpp hh hxx cs go rs php rb sh bash zsh ps1 psm1 bat ' +
      'kt kts swift scala groovy dart lua pl pm r jl ex exs hs clj sql proto graphql tf',
  ),
};

function code(extensions: string): Record<string, DocumentType> {
  return Object.fromEntries(extensions.split(' ').map((one) => [`.${one}`, 'code']));
}

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
