/** Types of documents, with what people call each. */
const NAMES = {
  text: 'text',
  markdown: 'Markdown',
  pdf: 'PDF',
  html: 'HTML',
  docx: 'DOCX',
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON Lines',
} as const;

export type DocumentType = keyof typeof NAMES;

export const DOCUMENT_TYPES = Object.keys(NAMES) as readonly DocumentType[];

export function isDocumentType(type: string): type is DocumentType {
  return Object.hasOwn(NAMES, type);
}

/** Returns what can be read: `text, Markdown, PDF, HTML, DOCX, CSV, JSON and JSON Lines`. */
export function kindsRead(word: 'and' | 'or'): string {
  const type = word === 'and' ? 'conjunction' : 'disjunction';
  return new Intl.ListFormat('en-GB', { type }).format(Object.values(NAMES));
}
