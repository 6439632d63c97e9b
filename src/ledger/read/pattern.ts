import { normalise } from '../../core/text/fold.js';

/** Translates a glob to a LIKE pattern with `\` as its escape. */
export function likePattern(pattern: string): string {
  const source = [...normalise(pattern, 'NFKC').toLowerCase()]
    .map((char) => (char === '*' ? '%' : char === '?' ? '_' : /[\\%_]/.test(char) ? `\\${char}` : char))
    .join('');
  return hasWildcard(pattern) ? source : `%${source}%`;
}

function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}
