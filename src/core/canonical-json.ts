/**
 * Returns JSON with sorted member names and no white space: equal for equal values, whatever the order of their
 * members. As in `JSON.stringify`, members that JSON cannot hold are left out and such items are null.
 */
export function canonicalJson(value: unknown): string {
  return written(value) ?? 'null';
}

function written(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = written((value as Record<string, unknown>)[name]);
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${member}`);
  }
  return `{${members.join(',')}}`;
}
