/** Answers give six decimals; sums in another order may round the last one the other way. */
const TOLERANCE = 2e-6;

/**
 * Lists where two answers differ, as paths with both values. Numbers may differ by the tolerance; items that score
 * alike within it may stand in either order.
 */
export function differences(a: unknown, b: unknown, path = ''): string[] {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= TOLERANCE ? [] : [`${path}: ${a} and ${b}`];
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return [`${path}: ${named(a)} and ${named(b)}`];
    const [left, right] = a.every(hasId) && b.every(hasId) ? [[...a].sort(byId), [...b].sort(byId)] : [a, b];
    return left.flatMap((value, i) => differences(value, right[i], `${path}[${i}]`)).concat(disorder(a, path));
  }
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differences(a[key], b[key], `${path}.${key}`));
  }
  return a === b ? [] : [`${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`];
}

interface Item {
  readonly id: string;
  readonly score?: number;
}

function hasId(value: unknown): value is Item {
  return isObject(value) && typeof value.id === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byId(a: Item, b: Item): number {
  return a.id < b.id ? -1 : 1;
}

/** A list of scored items that is not in the order of its scores. */
function disorder(items: readonly unknown[], path: string): string[] {
  const scores = items.flatMap((item) => (hasId(item) && typeof item.score === 'number' ? [item.score] : []));
  return scores.some((score, i) => i > 0 && score > scores[i - 1]!) ? [`${path}: scores do not fall`] : [];
}

function named(items: readonly unknown[]): string {
  return JSON.stringify(items.map((item) => (hasId(item) ? item.id : item)));
}
