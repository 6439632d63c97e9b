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

/** A JSON Schema, as far as `undeclared` reads it. */
export interface DeclaredMembers {
  readonly properties?: Readonly<Record<string, DeclaredMembers>>;
  readonly additionalProperties?: unknown;
  readonly items?: DeclaredMembers;
  readonly anyOf?: readonly DeclaredMembers[];
}

/** Paths of the members of an answer that its schema does not declare; a schema without members allows all. */
export function undeclared(value: unknown, schema: DeclaredMembers, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const choices = [schema, ...(schema.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = choices.find((choice) => choice.items !== undefined)?.items ?? {};
    return [...new Set(value.flatMap((one) => undeclared(one, items, `${path}[]`)))];
  }
  const declared = Object.assign({}, ...choices.map((choice) => choice.properties)) as Record<string, DeclaredMembers>;
  const others =
    typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as DeclaredMembers) : null;
  if (others === null && Object.keys(declared).length === 0) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const of = declared[name] ?? others;
    return of === null ? [`${path}.${name}`] : undeclared(member, of, `${path}.${name}`);
  });
}
