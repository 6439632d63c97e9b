import { normalise } from '../../core/text/fold.js';

/** Returns compiles a case-insensitive glob (`*`, `?`) on normalised names; without a wildcard, a substring. */
export function namePattern(pattern: string): RegExp {
  const source = [...normalise(pattern, 'NFKC').toLowerCase()]
    .map((char) => (char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.|+()[\]{}]/g, '\\$&')))
    .join('');
  return hasWildcard(pattern) ? new RegExp(`^${source}$`, 'su') : new RegExp(source, 'su');
}

export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** Translates a glob to a LIKE pattern with `\` as its escape. */
export function likePattern(pattern: string): string {
  const source = [...normalise(pattern, 'NFKC').toLowerCase()]
    .map((char) => (char === '*' ? '%' : char === '?' ? '_' : /[\\%_]/.test(char) ? `\\${char}` : char))
    .join('');
  return hasWildcard(pattern) ? source : `%${source}%`;
}
