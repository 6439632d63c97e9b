import { SvcError } from '../../core/errors.js';
import type { Json, JsonObject } from '../../core/model.js';

export type Scalar = string | number | boolean | null;
export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/**
 * A metadata filter, parsed once; every adapter translates this tree and nothing else. A leaf is true only where the
 * member is present and of the operand's type; `$ne` and `$nin` are `not` of their positive form.
 */
export type Filter =
  | { readonly kind: 'and'; readonly parts: readonly Filter[] }
  | { readonly kind: 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | Leaf;

/** A test of one member. `path` holds the names from the outside in; arrays are not entered. */
export type Leaf =
  | { readonly kind: 'in'; readonly path: readonly string[]; readonly values: readonly Scalar[] }
  | { readonly kind: Comparison; readonly path: readonly string[]; readonly value: string | number };

const MAX_DEPTH = 100;
const MAX_LEAVES = 1000;
/** Values of all lists of a filter. */
const MAX_VALUES = 10_000;
/** Characters of the name of a member, with those that it lies in. */
const MAX_NAME = 1000;
const COMPARISONS: Readonly<Record<string, Comparison>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' };
const OPERATORS = '$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $and, $or, $not';

/** Parses the wire form of a filter; throws `invalid_input` naming the member, also for more than 100 levels. */
export function parseFilter(wire: unknown): Filter {
  const budget = { leaves: 0, values: 0 };
  return parseObject(wire, 'filter', 1, budget);
}

/** Returns whether the filter passes everything, such as `{}`. */
export function passesAll(filter: Filter): boolean {
  if (filter.kind === 'or') return filter.parts.some(passesAll);
  return filter.kind === 'and' && filter.parts.every(passesAll);
}

interface NodeBudget {
  leaves: number;
  values: number;
}

function parseObject(wire: unknown, at: string, depth: number, budget: NodeBudget): Filter {
  if (depth > MAX_DEPTH) throw invalid(at, `is nested deeper than ${MAX_DEPTH} levels; flatten it`);
  if (!isObject(wire)) throw invalid(at, 'must be a JSON object');
  const parts = Object.entries(wire).map(([name, value]) => parseMember(name, value, { at, depth, budget }));
  return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
}

interface ParsePosition {
  readonly at: string;
  readonly depth: number;
  readonly budget: NodeBudget;
}

function parseMember(name: string, value: unknown, place: ParsePosition): Filter {
  const at = positionOf(name, place);
  if (name === '$and' || name === '$or') {
    if (!Array.isArray(value) || value.length === 0) throw invalid(at, 'must be a list of at least one filter');
    const parts = value.map((part) => parseObject(part, at, place.depth + 1, place.budget));
    return { kind: name === '$and' ? 'and' : 'or', parts };
  }
  if (name === '$not') return { kind: 'not', part: parseObject(value, at, place.depth + 1, place.budget) };
  if (name.startsWith('$')) throw invalid(at, `is not a known operator; use ${OPERATORS}`);
  const path = name.split('.');
  if (path.includes('')) throw invalid(at, 'is not a member name; write nested members as a.b');
  return parseTest(path, value, { ...place, at });
}

/** Returns what messages call a name at this place; a long name is refused before it stands in one. */
function positionOf(name: string, { at, depth }: ParsePosition): string {
  if (name.length > MAX_NAME) throw invalid('filter', `has a name of more than ${MAX_NAME} characters`);
  return depth > 6 ? at : `${at}.${name}`;
}

function parseTest(path: readonly string[], value: unknown, place: ParsePosition): Filter {
  if (isScalar(value)) return leaf({ kind: 'in', path, values: [value] }, place);
  if (!isObject(value))
    throw invalid(place.at, 'must be compared with a text, number, boolean or null, or by operators');
  const entries = Object.entries(value);
  if (entries.length === 0) throw invalid(place.at, `must name an operator: ${OPERATORS}`);
  const parts = entries.map(([operator, operand]) => parseOperator(path, operator, { operand, place }));
  return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
}

function parseOperator(
  path: readonly string[],
  operator: string,
  spec: { operand: unknown; place: ParsePosition },
): Filter {
  const { operand, place } = spec;
  const at = positionOf(operator, place);
  if (operator === '$eq' || operator === '$ne') {
    if (!isScalar(operand)) throw invalid(at, 'must be a text, number, boolean or null');
    return negatedIf(operator === '$ne', leaf({ kind: 'in', path, values: [operand] }, place));
  }
  if (operator === '$in' || operator === '$nin') {
    if (Array.isArray(operand)) spendValues(operand.length, place);
    if (!Array.isArray(operand) || !operand.every(isScalar)) {
      throw invalid(at, 'must be a list of texts, numbers, booleans or nulls');
    }
    return negatedIf(operator === '$nin', leaf({ kind: 'in', path, values: [...new Set(operand)] }, place));
  }
  if (operator === '$not') {
    if (place.depth >= MAX_DEPTH) throw invalid(at, `is nested deeper than ${MAX_DEPTH} levels; flatten it`);
    return { kind: 'not', part: parseTest(path, operand, { ...place, at, depth: place.depth + 1 }) };
  }
  const comparison = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
  if (comparison === undefined) {
    const hint = operator.startsWith('$') ? `use ${OPERATORS}` : 'write nested members as a.b';
    throw invalid(at, `is not a known operator; ${hint}`);
  }
  if (typeof operand !== 'string' && !isFiniteNumber(operand)) throw invalid(at, 'must be a text or a number');
  return leaf({ kind: comparison, path, value: operand }, place);
}

function leaf(value: Leaf, place: ParsePosition): Leaf {
  place.budget.leaves += 1;
  if (place.budget.leaves > MAX_LEAVES) throw invalid('filter', `has more than ${MAX_LEAVES} conditions; use $in`);
  return value;
}

function spendValues(count: number, { budget }: ParsePosition): void {
  budget.values += count;
  if (budget.values <= MAX_VALUES) return;
  throw invalid('filter', `lists more than ${MAX_VALUES} values after $in and $nin; ask in parts`);
}

function negatedIf(negative: boolean, filter: Filter): Filter {
  return negative ? { kind: 'not', part: filter } : filter;
}

/** Returns the reference meaning of a filter. */
export function matches(filter: Filter, metadata: JsonObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, metadata));
    case 'or':
      return filter.parts.some((part) => matches(part, metadata));
    case 'not':
      return !matches(filter.part, metadata);
    default:
      return leafMatches(filter, valueAt(metadata, filter.path));
  }
}

/** Returns the test of a leaf on the value at its path; `undefined` means missing. */
export function leafMatches(test: Leaf, value: Json | undefined): boolean {
  if (test.kind === 'in') return isScalar(value) && valuesOf(test).has(value);
  if (typeof value !== typeof test.value) return false;
  const order =
    typeof value === 'string' ? compareText(value, test.value as string) : (value as number) - (test.value as number);
  if (test.kind === 'gt') return order > 0;
  if (test.kind === 'gte') return order >= 0;
  return test.kind === 'lt' ? order < 0 : order <= 0;
}

const sets = new WeakMap<object, ReadonlySet<Scalar>>();

/** Returns the values of a list test; a long list is searched once for each distinct value of its member. */
function valuesOf(test: Leaf & { readonly kind: 'in' }): ReadonlySet<Scalar> {
  let values = sets.get(test);
  if (values === undefined) {
    values = new Set(test.values);
    sets.set(test, values);
  }
  return values;
}

/** Returns the member at a path of names; `undefined` when a step is missing or not an object. */
export function valueAt(metadata: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = metadata;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Compares by code point, which is the byte order of UTF-8 that the databases use. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates (above U+FFFF) sort after the rest of the basic plane.
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || isFiniteNumber(value);
}

function invalid(at: string, what: string): SvcError {
  return new SvcError('invalid_input', `${at} ${what}.`, { member: 'filter' });
}
