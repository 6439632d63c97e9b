import type { TextIndex } from '../../backends/text/port.js';

/** Words of letters and digits that signs may join, and capitals before a number: `BX442`, `BX-442`, `BX 442`. */
const CODE = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:[-_/.][\p{L}\p{N}]+)*|\p{Lu}{1,5} \p{Nd}{1,8})(?![\p{L}\p{N}])/gu;
const SPACED = /(?<![\p{L}\p{N}])\p{Lu}{1,5} \p{Nd}{1,8}(?![\p{L}\p{N}])/gu;
const RUN = /\p{L}+|\p{N}+/gu;
const MIXED = /\p{L}.*\p{N}|\p{N}.*\p{L}/su;

/** Parts of a code, letters of it, and codes of one question; more is no code, or costs more than it finds. */
const MOST_PARTS = 5;
const LONGEST = 40;
const MOST_CODES = 4;
/** Documents looked at for one that holds every part. */
const LOOKED_AT = 10;

interface Code {
  readonly written: string;
  readonly parts: readonly string[];
  readonly isDivided: boolean;
}

/** Returns what a question writes as codes, in order, at most four. Pure. */
export function codesIn(text: string): Code[] {
  const found = [...(text.match(SPACED) ?? []), ...(text.match(CODE) ?? [])].filter(
    (written) => written.length <= LONGEST && MIXED.test(written),
  );
  return [...new Set(found)].slice(0, MOST_CODES).flatMap((written) => {
    const parts = written.match(RUN)!;
    return parts.length > MOST_PARTS ? [] : [{ written, parts, isDivided: parts.join('') !== written }];
  });
}

/**
 * Returns the question with each code as the documents write it: `BX442` where only `BX-442` or `BX 442` occurs, and the other
 * way round. A code that occurs as it is written stays, and so does one that occurs nowhere.
 */
export async function spelledAsFound(
  index: Pick<TextIndex, 'search' | 'score'>,
  text: string,
  domains: readonly string[] | undefined,
): Promise<string> {
  let spelled = text;
  for (const { written, parts, isDivided } of codesIn(text)) {
    const within = domains === undefined ? {} : { domains };
    const isJoinedFound = async (): Promise<boolean> =>
      (await index.search(parts.join(''), { topK: 1, ...within })).hits.length > 0;
    const isDividedFound = async (): Promise<boolean> => {
      const { hits } = await index.search(parts.join(' '), { topK: LOOKED_AT, ...within });
      const ids = hits.map((hit) => hit.id);
      if (ids.length === 0) return false;
      const scores = await Promise.all(parts.map((part) => index.score(part, ids, domains)));
      return ids.some((id) => scores.every((found) => (found.get(id) ?? 0) > 0));
    };
    const [asWritten, otherwise] = isDivided ? [isDividedFound, isJoinedFound] : [isJoinedFound, isDividedFound];
    if ((await asWritten()) || !(await otherwise())) continue;
    spelled = spelled.replaceAll(written, parts.join(isDivided ? '' : '-'));
  }
  return spelled;
}
