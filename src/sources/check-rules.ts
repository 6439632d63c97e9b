import type { CheckConstraint, TableInfo } from '../backends/relational/port.js';

/** A check constraint as a person reads it, for example `habits.status must be one of active, paused`. */
export function checkRule(table: TableInfo, check: CheckConstraint): string {
  const condition = normalised(check.sql);
  const full = (column: string): string => `${table.name}.${column}`;
  return (
    oneOf(condition, full) ??
    between(condition, full) ??
    bounds(condition, full) ??
    notNull(condition, full) ??
    implication(condition, full) ??
    `${table.name}: ${condition} must hold`
  );
}

const NAME = '"?([A-Za-z_][\\w$ ]*?)"?';

/** `CHECK ((x))` without the word, casts, quotes around names and needless brackets. */
function normalised(sql: string): string {
  let text = sql
    .replace(/^\s*check\s*/i, '')
    .replace(/\s+not valid\s*$/i, '')
    .replace(
      /::(?:character varying|double precision|timestamp(?: with(?:out)? time zone)?|[a-z_][\w.]*)(?:\(\d+(?:,\d+)?\))?(?:\[\])?/gi,
      '',
    )
    .replace(/`/g, '"')
    .replace(/_utf8mb4\s*'/gi, "'")
    .replace(/\s+/g, ' ')
    .trim();
  while (text.startsWith('(') && closes(text) === text.length - 1) text = text.slice(1, -1).trim();
  return text.replace(/\(("?[A-Za-z_]\w*"?)\)/g, '$1').replace(/\((-?\d+(?:\.\d+)?)\)/g, '$1');
}

/** Index of the bracket that closes the first one. */
function closes(text: string): number {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    if (depth === 0) return i;
  }
  return -1;
}

function literals(list: string): string[] | undefined {
  const values = list.match(/'(?:[^']|'')*'|-?\d+(?:\.\d+)?/g);
  return values?.map((value) => (value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value));
}

type Full = (column: string) => string;

function oneOf(condition: string, full: Full): string | undefined {
  const match =
    new RegExp(`^${NAME} in \\((.+)\\)$`, 'i').exec(condition) ??
    new RegExp(`^${NAME} = any \\(?\\(?array\\[(.+)\\]\\)*$`, 'i').exec(condition);
  const values = match?.[2] === undefined ? undefined : literals(match[2]);
  if (match?.[1] === undefined || values === undefined) return undefined;
  return `${full(match[1])} must be one of ${values.join(', ')}`;
}

function between(condition: string, full: Full): string | undefined {
  const match = new RegExp(`^${NAME} between (\\S+) and (\\S+)$`, 'i').exec(condition);
  if (match?.[1] === undefined) return undefined;
  return `${full(match[1])} must be between ${unquoted(match[2])} and ${unquoted(match[3])}`;
}

const WORDS: Readonly<Record<string, string>> = {
  '>': 'greater than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '=': 'equal to',
  '<>': 'different from',
  '!=': 'different from',
};

function bounds(condition: string, full: Full): string | undefined {
  const parts = splitTop(condition, 'and').map((part) => {
    const match = new RegExp(`^\\(?${NAME} (>=|<=|<>|!=|>|<|=) ("?[\\w.$-]+"?|'[^']*')\\)?$`).exec(part.trim());
    if (match?.[1] === undefined) return undefined;
    return { column: match[1], operator: match[2] ?? '', value: match[3] ?? '' };
  });
  if (parts.some((part) => part === undefined)) return undefined;
  const known = parts.flatMap((part) => part ?? []);
  const [first, second] = known;
  if (first === undefined) return undefined;
  if (known.length === 2 && second?.column === first.column && first.operator === '>=' && second.operator === '<=') {
    return `${full(first.column)} must be between ${unquoted(first.value)} and ${unquoted(second.value)}`;
  }
  return known
    .map((part) => {
      const value = /^"?[A-Za-z_]/.test(part.value) ? full(part.value.replaceAll('"', '')) : unquoted(part.value);
      return `${full(part.column)} must be ${WORDS[part.operator]} ${value}`;
    })
    .join(' and ');
}

function notNull(condition: string, full: Full): string | undefined {
  const match = new RegExp(`^${NAME} is not null$`, 'i').exec(condition);
  return match?.[1] === undefined ? undefined : `${full(match[1])} must be set`;
}

/** `a is null or b is not null` says: where a is set, b must be set. `status <> 'x' or b is not null`: where status is x. */
function implication(condition: string, full: Full): string | undefined {
  const sides = splitTop(condition, 'or').map((side) => side.trim().replace(/^\((.*)\)$/, '$1'));
  if (sides.length !== 2) return undefined;
  for (const [left, right] of [sides, [...sides].reverse()] as Array<[string, string]>) {
    const set = new RegExp(`^${NAME} is not null$`, 'i').exec(right);
    if (set?.[1] === undefined) continue;
    const unset = new RegExp(`^${NAME} is null$`, 'i').exec(left);
    if (unset?.[1] !== undefined) return `where ${full(unset[1])} is set, ${full(set[1])} must be set`;
    const other = new RegExp(`^${NAME} (?:<>|!=) (\\S+)$`).exec(left);
    if (other?.[1] !== undefined)
      return `where ${full(other[1])} is ${unquoted(other[2])}, ${full(set[1])} must be set`;
  }
  return undefined;
}

/** Splits at a word outside brackets and quotes. */
function splitTop(text: string, word: 'and' | 'or'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    const separator = ` ${word} `;
    if (depth === 0 && text.slice(i, i + separator.length).toLowerCase() === separator) {
      parts.push(text.slice(start, i));
      start = i + separator.length;
    }
  }
  return [...parts, text.slice(start)];
}

function unquoted(value = ''): string {
  return value.replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
}
