import { basename, extname } from 'node:path';
import { forEachInSlices } from '../../../core/async/slices.js';
import { TYPE_OF_EXTENSION } from '../../../core/wording/document-types.js';
import { withoutPageId } from '../../read/exported-pages.js';
import type { Part } from '../parts.js';
import { belowTitle } from './below-title.js';

/** Names of files that say what part of a folder they are, and not what they are about. */
const OF_FOLDERS = /^(?:readme|notes?|text| ?index)$/iu;

/**
 * Returns a document whose headings begin below the first level, and which gives itself no title, below the name of its file: of
 * "Ingrid Berg.md" the section "Family" is "Ingrid Berg > Family".
 */
export async function belowFile<Document extends { readonly title?: string; readonly parts: readonly Part[] }>(
  file: string | undefined,
  document: Document,
): Promise<Document> {
  const { title, parts } = document;
  if (file === undefined || title !== undefined) return document;
  // A name that a caller gives is a title, "Release 2.0" or "Budget 2025/26".
  const name = isFile(file) ? nameOfFile(file) : file;
  const at = parts.findIndex(({ kind }) => kind === 'heading');
  if (OF_FOLDERS.test(name) || at === -1) return document;
  let highest = Number.POSITIVE_INFINITY;
  await forEachInSlices(parts, (part) => {
    if (part.kind === 'heading') highest = Math.min(highest, part.level);
  });
  if (highest <= 1) return document;
  const first = [...belowTitle(name, parts.slice(at, at + 1))];
  return { ...document, parts: parts.slice(0, at).concat(first, parts.slice(at + 1)) };
}

const OF_MARKDOWN = /^\.(?:mdx|qmd|rmd)$/iu;

function isFile(name: string): boolean {
  const ending = extname(name).toLowerCase();
  const type = TYPE_OF_EXTENSION[ending];
  // Things are called as files of code are: Node.js.
  return (type !== undefined && type !== 'code') || OF_MARKDOWN.test(ending);
}

/** Returns the name of a file as a title: without its folder, its ending, and the number that a program put behind it. */
export function nameOfFile(file: string): string {
  const name = withoutPageId(file);
  return basename(name, extname(name)).replaceAll('_', ' ');
}
