import { contentHash } from '../../../core/ids.js';
import type { Passage } from '../../../core/model.js';
import { EXTRACTION_VERSION } from './request.js';

/** Consecutive passages that the model reads in one request. */
export interface ModelChunk {
  /** 0-based, within the document. */
  readonly number: number;
  readonly passages: readonly Passage[];
  /** What the model reads: titles and texts. */
  readonly text: string;
  /** Recognises a chunk that was read before. */
  readonly key: string;
}

/** Divides passages into chunks of at most `longest` characters; a longer passage is a chunk of its own. */
export function modelChunks(passages: readonly Passage[], longest: number): ModelChunk[] {
  const chunks: ModelChunk[] = [];
  let open: Passage[] = [];
  let length = 0;
  const close = (): void => {
    if (open.length > 0) chunks.push(chunkOf(chunks.length, open));
    open = [];
    length = 0;
  };
  for (const passage of passages) {
    const size = passage.title.length + passage.text.length + 2;
    if (length + size > longest) close();
    open.push(passage);
    length += size;
  }
  close();
  return chunks;
}

function chunkOf(number: number, passages: readonly Passage[]): ModelChunk {
  const lines: string[] = [];
  let title = '';
  for (const passage of passages) {
    if (passage.title !== title && passage.title !== '') lines.push(passage.title);
    title = passage.title;
    lines.push(passage.text);
  }
  const text = lines.join('\n\n');
  return { number, passages, text, key: contentHash(`${EXTRACTION_VERSION}\n${text}`) };
}
