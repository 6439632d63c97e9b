import type { CheckConstraint } from '../port.js';

/**
 * Returns the check constraints of a CREATE TABLE statement, which is all that SQLite keeps of them: every `CHECK (…)`
 * outside quotes and comments, with the name of a `CONSTRAINT name` before it.
 */
export function checksOf(statement: string): CheckConstraint[] {
  const checks: CheckConstraint[] = [];
  let pendingName: string | undefined;
  let i = 0;
  while (i < statement.length) {
    const skipped = skipOpaque(statement, i);
    if (skipped > i) {
      i = skipped;
      continue;
    }
    const word = /^[A-Za-z_][A-Za-z0-9_$]*/.exec(statement.slice(i, i + 128))?.[0];
    if (word === undefined) {
      if (statement[i] === ',') pendingName = undefined;
      i += 1;
      continue;
    }
    i += word.length;
    if (/^constraint$/i.test(word)) {
      const name = nameAt(statement, i);
      pendingName = name.text;
      i = name.end;
    } else if (/^check$/i.test(word)) {
      const open = statement.indexOf('(', i);
      const close = open < 0 ? -1 : closing(statement, open);
      if (close < 0) break;
      checks.push({
        name: pendingName ?? `check_${checks.length + 1}`,
        sql: `CHECK ${statement.slice(open, close + 1)}`,
      });
      pendingName = undefined;
      i = close + 1;
    }
  }
  return checks;
}

/** Returns the end of a string, quoted name or comment that begins at `i`; `i` itself where none does. */
function skipOpaque(text: string, i: number): number {
  const c = text[i];
  if (c === "'" || c === '"' || c === '`') return afterQuote(text, i, c);
  if (c === '[') return orEnd(text, text.indexOf(']', i)) + 1;
  if (text.startsWith('--', i)) return orEnd(text, text.indexOf('\n', i)) + 1;
  if (text.startsWith('/*', i)) return orEnd(text, text.indexOf('*/', i)) + 2;
  return i;
}

function orEnd(text: string, at: number): number {
  return at < 0 ? text.length : at;
}

function afterQuote(text: string, start: number, quote: string): number {
  let i = start + 1;
  while (i < text.length) {
    if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i += 1;
    }
    i += 1;
  }
  return text.length;
}

function closing(text: string, open: number): number {
  let depth = 0;
  let i = open;
  while (i < text.length) {
    const skipped = skipOpaque(text, i);
    if (skipped > i) {
      i = skipped;
      continue;
    }
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') {
      depth -= 1;
      if (depth === 0) return i;
    }
    i += 1;
  }
  return -1;
}

function nameAt(text: string, start: number): { text: string; end: number } {
  let i = start;
  while (/\s/.test(text[i] ?? '')) i += 1;
  const end = skipOpaque(text, i);
  if (end > i) return { text: text.slice(i + 1, end - 1).replaceAll('""', '"'), end };
  const word = /^[^\s(),]+/.exec(text.slice(i, i + 256))?.[0] ?? '';
  return { text: word, end: i + Math.max(word.length, 1) };
}
