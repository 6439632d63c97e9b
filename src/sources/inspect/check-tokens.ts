/**
 * A word of a condition in SQL. Names and keywords are distinguished by the parser; a quoted name is never a keyword.
 */
export type SqlToken =
  | { readonly kind: 'word'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'symbol'; readonly text: string };

const SYMBOLS = ['::', '>=', '<=', '<>', '!=', '>', '<', '=', '(', ')', '[', ']', ',', '.', '-'];

/** Returns the condition as tokens; null where it holds something else. */
export function tokensOf(sql: string): SqlToken[] | null {
  const tokens: SqlToken[] = [];
  let i = 0;
  while (i < sql.length) {
    const c = sql[i] ?? '';
    if (/\s/.test(c)) {
      i += 1;
      continue;
    }
    const token =
      quotedAt(sql, i) ??
      matchAt(sql, i, /\d+(?:\.\d+)?/y, 'number') ??
      matchAt(sql, i, /[\p{L}_][\p{L}\p{N}_$]*/uy, 'word') ??
      symbolAt(sql, i);
    if (token === null) return null;
    tokens.push(token.token);
    i = token.end;
  }
  return tokens;
}

interface TokenMatch {
  readonly token: SqlToken;
  readonly end: number;
}

function matchAt(sql: string, i: number, pattern: RegExp, kind: 'number' | 'word'): TokenMatch | null {
  pattern.lastIndex = i;
  const text = pattern.exec(sql)?.[0];
  if (text === undefined) return null;
  return { token: kind === 'word' ? { kind, text, quoted: false } : { kind, text }, end: i + text.length };
}

function symbolAt(sql: string, i: number): TokenMatch | null {
  const text = SYMBOLS.find((symbol) => sql.startsWith(symbol, i));
  return text === undefined ? null : { token: { kind: 'symbol', text }, end: i + text.length };
}

function quotedAt(sql: string, start: number): TokenMatch | null {
  const quote = sql[start] ?? '';
  if (quote !== "'" && quote !== '"' && quote !== '`') return null;
  let text = '';
  for (let i = start + 1; i < sql.length; i += 1) {
    if (sql[i] === quote) {
      if (sql[i + 1] !== quote) {
        return { token: quote === "'" ? { kind: 'string', text } : { kind: 'word', text, quoted: true }, end: i + 1 };
      }
      i += 1;
    }
    text += sql[i];
  }
  return null;
}
