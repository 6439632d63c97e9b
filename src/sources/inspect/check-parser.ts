import { type SqlToken, tokensOf } from './check-tokens.js';

export type Operand = { readonly column: string } | { readonly value: string };

/** The conditions that can be said in a sentence. */
export type CheckCondition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly CheckCondition[] }
  | { readonly kind: 'compare'; readonly column: string; readonly operator: string; readonly operand: Operand }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly string[]; readonly negated: boolean }
  | { readonly kind: 'between'; readonly column: string; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'null'; readonly column: string; readonly negated: boolean };

/** Reads a check's condition as PostgreSQL, SQLite, MySQL and MariaDB print it; null where it holds more than that. */
export function parseCheck(sql: string): CheckCondition | null {
  const tokens = tokensOf(sql.replace(/^\s*check\b/i, '').replace(/\bnot\s+valid\s*$/i, ''));
  if (tokens === null) return null;
  const parser = new Parser(tokens);
  const condition = parser.attempt(() => parser.any());
  return parser.atEnd() ? condition : null;
}

class Unreadable extends Error {}

const COMPARISONS = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
/** Longer than any condition that makes a sentence; keeps hostile nesting off the stack. */
const DEEPEST = 60;

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly SqlToken[]) {}

  atEnd(): boolean {
    return this.at === this.tokens.length;
  }

  /** Returns what `read` returns, or null with the position as before where the tokens have another form. */
  attempt<T>(read: () => T): T | null {
    const start = this.at;
    const { depth } = this;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.at = start;
      this.depth = depth;
      return null;
    }
  }

  any(): CheckCondition {
    return this.joined('or', () => this.joined('and', () => this.unit()));
  }

  private joined(word: 'and' | 'or', part: () => CheckCondition): CheckCondition {
    const parts = [part()];
    while (this.keyword(word)) parts.push(part());
    const flat = parts.flatMap((p) => (p.kind === word ? p.parts : [p]));
    return flat.length === 1 ? flat[0]! : { kind: word, parts: flat };
  }

  /** Reads a condition in brackets, or a predicate; which of them a bracket begins shows only behind it. */
  private unit(): CheckCondition {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new Unreadable();
    const inner = this.attempt(() => {
      this.expect('(');
      const condition = this.any();
      this.expect(')');
      return condition;
    });
    const condition = inner ?? this.predicate();
    this.depth -= 1;
    return condition;
  }

  private predicate(): CheckCondition {
    const left = this.operand();
    const operator = this.comparison();
    if (operator !== undefined) {
      if (operator === '=' && this.keyword('any')) {
        return { kind: 'in', column: columnOf(left), values: this.array(), negated: false };
      }
      const right = this.operand();
      if ('column' in left) return { kind: 'compare', column: left.column, operator, operand: right };
      return { kind: 'compare', column: columnOf(right), operator: MIRRORED[operator] ?? operator, operand: left };
    }
    const column = columnOf(left);
    if (this.keyword('is')) {
      const negated = this.keyword('not');
      if (!this.keyword('null')) throw new Unreadable();
      return { kind: 'null', column, negated };
    }
    const negated = this.keyword('not');
    if (this.keyword('in')) {
      this.expect('(');
      const values = this.values();
      this.expect(')');
      return { kind: 'in', column, values, negated };
    }
    if (negated || !this.keyword('between')) throw new Unreadable();
    const low = this.operand();
    if (!this.keyword('and')) throw new Unreadable();
    return { kind: 'between', column, low, high: this.operand() };
  }

  /** Reads `(array['a', 'b']::text[])` in as many brackets as the engine likes. */
  private array(): string[] {
    if (this.symbol('(')) {
      const values = this.array();
      this.expect(')');
      this.casts();
      return values;
    }
    if (!this.keyword('array')) throw new Unreadable();
    this.expect('[');
    const values = this.values();
    this.expect(']');
    this.casts();
    return values;
  }

  private values(): string[] {
    const values: string[] = [];
    do {
      const operand = this.operand();
      if ('column' in operand) throw new Unreadable();
      values.push(operand.value);
    } while (this.symbol(','));
    return values;
  }

  private operand(): Operand {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new Unreadable();
    const operand = this.bare();
    this.depth -= 1;
    this.casts();
    return operand;
  }

  private bare(): Operand {
    if (this.symbol('(')) {
      const operand = this.operand();
      this.expect(')');
      return operand;
    }
    const minus = this.symbol('-');
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === 'number') return { value: minus ? `-${token.text}` : token.text };
    if (token === undefined || minus || token.kind === 'symbol') throw new Unreadable();
    if (token.kind === 'string') return { value: token.text };
    const next = this.tokens[this.at];
    // A character set before a string: _utf8mb4'text'.
    if (!token.quoted && token.text.startsWith('_') && next?.kind === 'string') return this.bare();
    if (next?.kind === 'symbol' && (next.text === '(' || next.text === '.')) throw new Unreadable();
    if (!token.quoted && /^(?:true|false)$/i.test(token.text)) return { value: token.text.toLowerCase() };
    if (!token.quoted && /^(?:not|null|case|current_\w+)$/i.test(token.text)) throw new Unreadable();
    return { column: token.text };
  }

  /** Skips `::character varying(20)[]`, which means nothing to a reader. */
  private casts(): void {
    while (this.symbol('::')) {
      if (this.tokens[this.at]?.kind !== 'word') throw new Unreadable();
      this.at += 1;
      while (this.symbol('.')) this.at += 1;
      while (['varying', 'precision', 'with', 'without', 'time', 'zone'].some((word) => this.keyword(word)));
      if (this.symbol('(')) {
        while (!this.symbol(')')) {
          if (this.atEnd()) throw new Unreadable();
          this.at += 1;
        }
      }
      while (this.symbol('[')) this.expect(']');
    }
  }

  private comparison(): string | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== 'symbol' || !COMPARISONS.has(token.text)) return undefined;
    this.at += 1;
    return token.text === '!=' ? '<>' : token.text;
  }

  private keyword(word: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word' || token.quoted || token.text.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  private symbol(text: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'symbol' || token.text !== text) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.symbol(text)) throw new Unreadable();
  }
}

function columnOf(operand: Operand): string {
  if ('column' in operand) return operand.column;
  throw new Unreadable();
}
