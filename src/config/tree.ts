/** A YAML mapping on its way to a validated configuration. */
export type Tree = { [key: string]: unknown };

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns `over` laid over `base`: mappings member by member, everything else (lists too) replaced. A mapping without a
 * value (`http:`, all its members commented out) sets nothing. Neither is changed.
 */
export function overlay(base: Tree, over: Tree): Tree {
  const result: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const below = result[key];
    if (isTree(below) && value === null) continue;
    result[key] = isTree(below) && isTree(value) ? overlay(below, value) : value;
  }
  return result;
}

/** Returns a copy of `tree` with the value at a dotted path set. */
export function withValue(tree: Tree, path: string, value: unknown): Tree {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...tree, [head]: value };
  const below = tree[head];
  return { ...tree, [head]: withValue(isTree(below) ? below : {}, rest.join('.'), value) };
}

/** Returns the value at a dotted path, or undefined. */
export function valueAt(tree: unknown, path: string): unknown {
  let at = tree;
  for (const part of path.split('.')) {
    if (!isTree(at)) return undefined;
    at = at[part];
  }
  return at;
}

/** Returns the dotted paths of everything that is not a mapping. */
export function leaves(tree: Tree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    isTree(value) ? leaves(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

/** Freezes a value and everything below it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
