import { slicer } from '../../core/async/slices.js';
import { sentencePieces } from '../../core/text/sentences.js';
import type { ParsedDocument } from '../parse/parse.js';
import { type Block, sections } from '../parse/parts.js';
import { titleOf } from './chunk.js';
import { withoutMark } from './rules.js';

/** The sentences of a document that are links alone, and how often each passage title has them. */
export class Navigation {
  private readonly counts = new Map<string, number>();

  /** Takes one such sentence out; false where there is none (any more). */
  take(title: string, sentence: string): boolean {
    const key = keyOf(title, sentence);
    const count = this.counts.get(key) ?? 0;
    if (count > 0) this.counts.set(key, count - 1);
    return count > 0;
  }

  add(title: string, sentence: string): void {
    const key = keyOf(title, sentence);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

function keyOf(title: string, sentence: string): string {
  return `${title}\n${sentence.replace(/\s+/gu, ' ').trim()}`;
}

/**
 * Finds the sentences of a document that are links alone, such as the entries of a table of contents: they name what
 * another place says. `title` as for `chunk`. Gives way to the event loop.
 */
export async function navigationOf(
  parsed: ParsedDocument,
  given: { readonly title?: string | undefined },
  signal?: AbortSignal,
): Promise<Navigation> {
  const navigation = new Navigation();
  const pause = slicer();
  for await (const section of sections(parsed.parts)) {
    const title = titleOf(section, parsed, given);
    for (const { text, links } of section.blocks) {
      if (links === undefined) continue;
      for (const sentence of linkSentences(text, links)) navigation.add(title, sentence);
      await pause();
    }
    await pause();
    signal?.throwIfAborted();
  }
  return navigation;
}

function* linkSentences(text: string, links: NonNullable<Block['links']>): Generator<string> {
  const unlinked = withoutLinks(text, links);
  for (const { start, end } of sentencePieces(text)) {
    if (!/\p{L}/u.test(withoutMark(unlinked.slice(start, end)))) yield text.slice(start, end);
  }
}

/** Returns a text with spaces in the place of its links' words. */
function withoutLinks(text: string, links: NonNullable<Block['links']>): string {
  let rest = '';
  let from = 0;
  for (const words of links) {
    const at = text.indexOf(words, from);
    if (at === -1) break;
    rest += text.slice(from, at) + ' '.repeat(words.length);
    from = at + words.length;
  }
  return rest + text.slice(from);
}
