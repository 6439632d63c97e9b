import { slicer } from '../../core/async/slices.js';
import { passageId } from '../../core/ids.js';
import type { Passage, SourceRef } from '../../core/model.js';
import { aboutKeys } from '../../core/text/about.js';
import { splitSentences } from '../../core/text/sentences.js';
import type { ParsedDocument } from '../parse/parse.js';
import { type Section, sections } from '../parse/parts.js';
import { chunkSection } from './chunk-section.js';

/**
 * Returns the passages of a document, in order. A section without a heading takes the title that the document gives
 * itself, else `title`. Gives way to the event loop while it works.
 */
export async function chunk(
  parsed: ParsedDocument,
  { source, title: given }: { readonly source: SourceRef; readonly title?: string | undefined },
  signal?: AbortSignal,
): Promise<Passage[]> {
  const passages: Passage[] = [];
  const ordinals = new Map<string, number>();
  const pause = slicer();
  for await (const section of sections(parsed.parts)) {
    const title = titleOf(section, parsed, { title: given });
    for (const [i, text] of chunkSection(section).entries()) {
      const ordinal = ordinals.get(title) ?? 0;
      ordinals.set(title, ordinal + 1);
      passages.push({
        id: passageId(source, title, ordinal),
        title,
        text,
        sentences: splitSentences(text),
        // Later pieces of a section open in the middle: no name leads them.
        about: aboutKeys(title, (i > 0 || section.continues) && title !== '' ? '' : text),
        order: passages.length,
      });
      await pause();
    }
    signal?.throwIfAborted();
  }
  return passages;
}

/** Returns the title of a section's passages. */
export function titleOf(
  { path }: Pick<Section, 'path'>,
  { title: own }: Pick<ParsedDocument, 'title'>,
  { title: given }: { readonly title?: string | undefined },
): string {
  return path === '' ? (own ?? given ?? '') : path;
}
