import type { CheckConstraint } from '../../backends/relational/port.js';
import { type CheckCondition, type Operand, parseCheck } from './check-parser.js';

/** Returns a check constraint as a person reads it, for example `habits.status must be one of active, paused`. */
export function checkRule(table: string, check: CheckConstraint): string {
  const condition = parseCheck(check.sql);
  if (condition === null) return `${table}: ${stripped(check.sql)} must hold`;
  return sentence(condition, (column) => `${table}.${column.replace(/\s+/g, ' ')}`);
}

type Full = (column: string) => string;

const WORDS: Readonly<Record<string, string>> = {
  '>': 'greater than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '=': 'equal to',
  '<>': 'different from',
};

function sentence(condition: CheckCondition, full: Full): string {
  switch (condition.kind) {
    case 'and':
      return range(condition.parts, full) ?? condition.parts.map((part) => sentence(part, full)).join(' and ');
    case 'or':
      return alternatives(condition.parts, full);
    case 'in':
      return `${full(condition.column)} must ${condition.negated ? 'not ' : ''}be one of ${condition.values.join(', ')}`;
    case 'between':
      return `${full(condition.column)} must be between ${shown(condition.low, full)} and ${shown(condition.high, full)}`;
    case 'null':
      return `${full(condition.column)} must ${condition.negated ? '' : 'not '}be set`;
    case 'compare':
      return comparison(condition, full);
  }
}

function comparison({ column, operator, operand }: CheckCondition & { kind: 'compare' }, full: Full): string {
  if (operator === '<>' && 'value' in operand && operand.value === '') return `${full(column)} must not be empty`;
  return `${full(column)} must be ${WORDS[operator] ?? operator} ${shown(operand, full)}`;
}

/** Returns the sentence for `a >= 1 and a <= 5`. */
function range(parts: readonly CheckCondition[], full: Full): string | undefined {
  const [low, high] = parts;
  if (parts.length !== 2 || low?.kind !== 'compare' || high?.kind !== 'compare') return undefined;
  if (low.column !== high.column || low.operator !== '>=' || high.operator !== '<=') return undefined;
  return sentence({ kind: 'between', column: low.column, low: low.operand, high: high.operand }, full);
}

/**
 * Returns the sentence for an `or`: `a is null or X` requires X where a is set; `a <> 'x' or X` requires X where a is
 * x.
 */
function alternatives(parts: readonly CheckCondition[], full: Full): string {
  const columns = parts.flatMap((part) => (part.kind === 'null' && part.negated ? [full(part.column)] : []));
  if (columns.length === parts.length) return `one of ${columns.join(', ')} must be set`;
  const one = equals(parts);
  if (one !== undefined) return `${full(one.column)} must be one of ${one.values.join(', ')}`;
  if (parts.length === 2) {
    const implied = implication(parts[0]!, parts[1]!, full) ?? implication(parts[1]!, parts[0]!, full);
    if (implied !== undefined) return implied;
  }
  return `either ${parts.map((part) => sentence(part, full)).join(' or ')}`;
}

function equals(parts: readonly CheckCondition[]): { readonly column: string; readonly values: string[] } | undefined {
  const [first] = parts;
  if (first?.kind !== 'compare') return undefined;
  const values = parts.flatMap((part) =>
    part.kind === 'compare' && part.operator === '=' && part.column === first.column && 'value' in part.operand
      ? [part.operand.value]
      : [],
  );
  return values.length === parts.length ? { column: first.column, values } : undefined;
}

function implication(premise: CheckCondition, conclusion: CheckCondition, full: Full): string | undefined {
  if (premise.kind === 'null' && !premise.negated) {
    const same = 'column' in conclusion && conclusion.column === premise.column;
    return same
      ? `${sentence(conclusion, full)} where it is set`
      : `where ${full(premise.column)} is set, ${sentence(conclusion, full)}`;
  }
  if (premise.kind === 'compare' && premise.operator === '<>') {
    return `where ${full(premise.column)} is ${shown(premise.operand, full)}, ${sentence(conclusion, full)}`;
  }
  if (premise.kind === 'in' && premise.negated) {
    return `where ${full(premise.column)} is one of ${premise.values.join(', ')}, ${sentence(conclusion, full)}`;
  }
  return undefined;
}

function shown(operand: Operand, full: Full): string {
  return 'column' in operand ? full(operand.column) : operand.value;
}

/** Returns the condition itself, without the word before it. */
function stripped(sql: string): string {
  return sql
    .replace(/^\s*check\b\s*/i, '')
    .replace(/\s+/g, ' ')
    .trim();
}
