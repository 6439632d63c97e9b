import { ByteReader, ByteWriter } from './varint.js';

/** A mention as it is stored: the key by number. */
export interface StoredMention {
  readonly key: number;
  readonly sentence: number;
  readonly token: number;
  readonly length: number;
  /** Null where the name as written follows from the key (each word with a capital). */
  readonly name: string | null;
}

/** Packs the mentions of one passage in a few bytes each; a name only where it is not the usual one. */
export function packMentions(mentions: readonly StoredMention[]): Uint8Array {
  if (mentions.length === 0) return new Uint8Array(0);
  const writer = new ByteWriter();
  for (const { key, sentence, token, length, name } of mentions) {
    writer.number(key).number(sentence).number(token).number(length);
    writer.text(name ?? '');
  }
  return writer.done();
}

export function unpackMentions(bytes: Uint8Array): StoredMention[] {
  const reader = new ByteReader(bytes);
  const mentions: StoredMention[] = [];
  while (!reader.ended) {
    const [key, sentence, token, length] = [reader.number(), reader.number(), reader.number(), reader.number()];
    mentions.push({ key, sentence, token, length, name: reader.text() || null });
  }
  return mentions;
}

/** Returns key number → how often it occurs. */
export function countKeys(bytes: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { key } of unpackMentions(bytes)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Returns how a name with this key is usually written: what `packMentions` need not store. */
export function usualName(key: string): string {
  return key.replace(/(^| )(\p{L})/gu, (_, space: string, letter: string) => space + letter.toUpperCase());
}
