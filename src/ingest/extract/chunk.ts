import { slicer } from '../../core/async/slices.js';
import { passageId } from '../../core/ids.js';
import type { AboutKey, Passage, SourceRef } from '../../core/model.js';
import { aboutKeys, aboutKeysOfCode } from '../../core/text/about.js';
import { nameKey } from '../../core/text/keys.js';
import { splitSentences } from '../../core/text/sentences.js';
import { isStopWord } from '../../core/text/stop-words.js';
import type { ParsedDocument } from '../parse/parse.js';
import { type Section, sections } from '../parse/parts.js';
import { chunkSection } from './chunk-section.js';

interface ChunkOptions {
  readonly source: SourceRef;
  /** The title of a document that gives itself none. */
  readonly title?: string | undefined;
  /** Whether it is source code. */
  readonly isCode?: boolean;
}

/**
 * Returns the passages of a document, in order. A section without a heading takes the title that the document gives
 * itself, else `title`. Gives way to the event loop while it works.
 */
export async function chunk(
  parsed: ParsedDocument,
  { source, title: given, isCode = false }: ChunkOptions,
  signal?: AbortSignal,
): Promise<Passage[]> {
  const passages: Passage[] = [];
  const ordinals = new Map<string, number>();
  const aliases = (parsed.aliases ?? []).map(nameKey);
  // The document as a whole is what its first section is about.
  let first: string | undefined;
  const pause = slicer();
  for await (const section of sections(parsed.parts)) {
    const title = titleOf(section, parsed, { title: given });
    const isFileName = section.path === '' && parsed.title === undefined;
    first ??= title;
    for (const [i, text] of chunkSection(section).entries()) {
      const ordinal = ordinals.get(title) ?? 0;
      ordinals.set(title, ordinal + 1);
      // Later pieces of a section open in the middle: no name leads them.
      const about = isCode
        ? aboutKeysOfCode(title)
        : aboutKeys(title, (i > 0 || section.continues) && title !== '' ? '' : text, { isFileName });
      passages.push({
        id: passageId(source, title, ordinal),
        title,
        text,
        sentences: splitSentences(text),
        about: [...about, ...(title === first ? otherKeys(about, aliases) : [])],
        order: passages.length,
      });
      await pause();
    }
    signal?.throwIfAborted();
  }
  return passages;
}

/** Returns what a document calls itself besides, as keys: none that the passage has, and no word that carries grammar alone. */
function otherKeys(about: readonly AboutKey[], aliases: readonly string[]): AboutKey[] {
  const known = new Set(about.map(({ key }) => key));
  const keys = [...new Set(aliases)].filter((key) => key !== '' && !known.has(key) && !isStopWord(key));
  return keys.map((key) => ({ key, alias: true }));
}

/** Returns the title of a section's passages. */
export function titleOf(
  { path }: Pick<Section, 'path'>,
  { title: own }: Pick<ParsedDocument, 'title'>,
  { title: given }: { readonly title?: string | undefined },
): string {
  return path === '' ? (own ?? given ?? '') : path;
}
