import { passageId } from '../../core/ids.js';
import type { Passage, SourceRef } from '../../core/model.js';
import { slicer } from '../../core/slices.js';
import { aboutKeys } from '../../core/text/about.js';
import { splitSentences } from '../../core/text/sentences.js';
import { type Part, sections } from '../parse/parts.js';
import { chunkSection } from './chunk.js';

/**
 * The passages of a document, in order. `title` stands where a section has no heading of its own. Gives way to the event
 * loop while it works.
 */
export async function passagesOf(
  parts: Iterable<Part>,
  source: SourceRef,
  options: { readonly title?: string; readonly signal?: AbortSignal } = {},
): Promise<Passage[]> {
  const passages: Passage[] = [];
  const ordinals = new Map<string, number>();
  const pause = slicer();
  for (const section of sections(parts)) {
    const title = section.path === '' ? (options.title ?? '') : section.path;
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
    options.signal?.throwIfAborted();
  }
  return passages;
}
