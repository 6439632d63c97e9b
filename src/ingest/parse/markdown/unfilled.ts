import { SvcError } from '../../../core/errors.js';
import type { RawFile } from '../../read/read.js';
import type { Part } from '../parts.js';

/** What a template has yet to fill in, of Obsidian, Templater and others: `{{date}}`, `<% tp.file.title %>`. */
const PLACEHOLDER = /\{\{[^{}]{0,200}\}\}|<%[^%]{0,500}%>/gu;
/** A template is short. In bytes. */
const LONGEST = 4096;
/** A line that has yet to be written: a label, with a box or a mark. */
const LABEL = /^[^:]{1,60}:$/u;
/** Words beside a placeholder: "Created on {{date}}". */
const FEW = 3;

/**
 * Throws `unsupported_media`, as one to skip, for a template: a file that has placeholders, and besides them and its headings labels alone
 * ("Date: {{date}}", "Attendees:").
 */
export function refuseUnfilled({ name, bytes }: Pick<RawFile, 'name' | 'bytes'>, parts: readonly Part[]): void {
  if (bytes.length > LONGEST || !isUnfilled(Buffer.from(bytes).toString(), parts)) return;
  const sentence = `${name} is a template that is not filled in; there is nothing to ingest.`;
  throw new SvcError('unsupported_media', sentence, { member: 'source_path', skipped: true, withdrawn: true });
}

function isUnfilled(written: string, parts: readonly Part[]): boolean {
  if (written.search(PLACEHOLDER) < 0) return false;
  return parts.every(({ kind, text }) => kind === 'heading' || text.split('\n').every(saysNothing));
}

function saysNothing(line: string): boolean {
  const rest = line.replace(PLACEHOLDER, ' ').replace(/\[[ x]\]/gu, ' ');
  const words = rest.match(/[\p{L}\p{N}]+/gu) ?? [];
  const hasPlaceholder = line.search(PLACEHOLDER) >= 0;
  return words.length === 0 || LABEL.test(rest.trim()) || (hasPlaceholder && words.length <= FEW);
}
