/** Paths such as `items[].id` that a value lacks; an empty list lacks nothing of its elements. */
export function missing(value: unknown, paths: string): string[] {
  return paths.split(' ').filter((path) => !has(value, path.replaceAll('[]', '.*').split('.')));
}

function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (name === '*') return Array.isArray(value) && value.every((one) => has(one, rest));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return has((value as Record<string, unknown>)[name], rest);
}
