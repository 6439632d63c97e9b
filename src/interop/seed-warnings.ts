import { slipsIn } from '../core/text/edit-distance.js';
import { SEED_SCHEMA, schemaText } from './schemas.js';

/** Warnings that are listed; a file can hold more. */
const MOST_WARNINGS = 100;

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Returns what the schema of rule sets lets be and is most likely a slip, each as `<path>: <reason>`: members that are a few
 * letters from one which it names, and rules with the id of another.
 */
export function seedWarnings(seed: unknown): string[] {
  const root = JSON.parse(schemaText(SEED_SCHEMA)) as Schema;
  const found: string[] = [];
  addMisspelt(seed, { schema: root, path: '', root }, found);
  addRepeatedIds(seed, found);
  return found;
}

function addMisspelt(value: unknown, at: { schema: Schema; path: string; root: Schema }, found: string[]): void {
  const { path, root } = at;
  const schema = at.schema.$ref === undefined ? at.schema : (root.$defs?.[at.schema.$ref.split('/').at(-1)!] ?? {});
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [i, item] of value.entries()) {
      if (found.length >= MOST_WARNINGS) return;
      addMisspelt(item, { schema: schema.items, path: `${path}/${i}`, root }, found);
    }
    return;
  }
  const { properties } = schema;
  if (properties === undefined || typeof value !== 'object' || value === null) return;
  for (const { name, meant } of slipsIn(value, Object.keys(properties))) {
    if (found.length >= MOST_WARNINGS) return;
    found.push(`${path === '' ? '/' : path}: ${name} is no member and is ignored; did you mean ${meant}?`);
  }
  for (const [name, member] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) {
      addMisspelt((value as Record<string, unknown>)[name], { schema: member, path: `${path}/${name}`, root }, found);
    }
  }
}

function addRepeatedIds(seed: unknown, found: string[]): void {
  const { rules } = (seed ?? {}) as { readonly rules?: unknown };
  if (!Array.isArray(rules)) return;
  const first = new Map<string, number>();
  for (const [i, rule] of rules.entries()) {
    const id = (rule as { provenance?: { id?: unknown } | null } | null)?.provenance?.id;
    if (typeof id !== 'string') continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, i);
    else if (found.length >= MOST_WARNINGS) return;
    else {
      found.push(
        `/rules/${i}/provenance/id: ${id} is the id of /rules/${before}, too; give each rule an id of its own`,
      );
    }
  }
}
