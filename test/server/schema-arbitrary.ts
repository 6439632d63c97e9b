import fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;
type Values = fc.Arbitrary<unknown>;

/** Text that JSON and URLs can carry. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((one) => one.replace(/\0|\p{Surrogate}/gu, '?'));
const STORABLE = '^[^\\u0000]*$';
const WORDS = '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ufeff]';

/** Generates values of JSON Schema as our documents use it; references are looked up in `components`. */
export class SchemaValues {
  constructor(private readonly components: Readonly<Record<string, Schema>>) {}

  /** Values that the schema's types and bounds allow; rules over several members are for the caller to filter. */
  of(schema: Schema, depth = 0): Values {
    const reference = schema.$ref as string | undefined;
    if (reference !== undefined) return this.of(this.components[reference.split('/').at(-1)!]!, depth + 1);
    if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]));
    if ('const' in schema) return fc.constant(schema.const);
    const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (branches !== undefined && schema.type === undefined) {
      // Beyond a few levels the first branch, which is the simplest, ends a recursion.
      return this.oneOf(depth > 4 ? branches.slice(0, 1) : branches, depth);
    }
    if (Array.isArray(schema.type))
      return this.oneOf(
        (schema.type as string[]).map((type) => ({ ...schema, type })),
        depth,
      );
    return this.typed(schema, depth);
  }

  private oneOf(schemas: readonly Schema[], depth: number): Values {
    return fc.oneof(...schemas.map((one) => this.of(one, depth + 1)));
  }

  private typed(schema: Schema, depth: number): Values {
    switch (schema.type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({
          min: (schema.minimum as number | undefined) ?? -1e9,
          max: Math.min((schema.maximum as number | undefined) ?? 1e9, Number.MAX_SAFE_INTEGER),
        });
      case 'number':
        return numbers(schema);
      case 'string':
        return texts(schema);
      case 'array':
        return fc.array(this.of((schema.items ?? {}) as Schema, depth + 1), {
          minLength: (schema.minItems as number | undefined) ?? 0,
          maxLength: Math.max((schema.minItems as number | undefined) ?? 0, depth > 4 ? 0 : 3),
        });
      case 'object':
        return this.object(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('\\u0000'));
    }
  }

  private object(schema: Schema, depth: number): Values {
    const cases = casesOf(schema);
    if (cases.length > 0) return fc.oneof(...cases.map((one) => this.object(one, depth)));
    const properties = (schema.properties ?? {}) as Record<string, Schema>;
    const required = new Set((schema.required ?? []) as string[]);
    // Deep inside only what must be there, so that a recursion ends.
    const members = Object.entries(properties).filter(([name]) => depth <= 4 || required.has(name));
    const known = fc.record(Object.fromEntries(members.map(([name, one]) => [name, this.of(one, depth + 1)])), {
      requiredKeys: [...required],
    });
    const others = schema.additionalProperties;
    if (others === false) return known;
    const names = namesOf((schema.propertyNames as Schema | undefined)?.pattern as string | undefined);
    const few = { minKeys: (schema.minProperties as number | undefined) ?? 0, maxKeys: depth > 4 ? 0 : 2 };
    if (typeof others === 'object' && others !== null && Object.keys(properties).length === 0) {
      return fc.dictionary(names, this.of(others as Schema, depth + 1), {
        ...few,
        maxKeys: Math.max(few.minKeys, few.maxKeys),
      });
    }
    const more =
      typeof others === 'object' && others !== null
        ? fc.dictionary(names, this.of(others as Schema, depth + 1), { maxKeys: few.maxKeys })
        : fc.constantFrom({}, { unknown_member: 'x\0' });
    return fc.tuple(more, known).map(([extra, own]) => ({ ...extra, ...own }));
  }
}

/** An object of several cases (`allOf` of `oneOf`, each with `anyOf` of its own), each case as a schema by itself. */
function casesOf(schema: Schema): Schema[] {
  const choices = ((schema.allOf ?? []) as Schema[]).flatMap((one) => (one.oneOf ?? []) as Schema[]);
  return choices.flatMap((choice) =>
    ((choice.anyOf ?? [{}]) as Schema[]).map((way) => ({
      ...narrowed(narrowed(schema, choice), way),
      allOf: undefined,
    })),
  );
}

/** A schema whose members also keep to those of another. */
function narrowed(schema: Schema, by: Schema): Schema {
  const properties: Record<string, Schema> = { ...(schema.properties as Record<string, Schema>) };
  for (const [name, one] of Object.entries((by.properties ?? {}) as Record<string, Schema>))
    properties[name] = { ...properties[name], ...one };
  return {
    ...schema,
    properties,
    required: [...((schema.required ?? []) as string[]), ...((by.required ?? []) as string[])],
  };
}

function namesOf(pattern: string | undefined): fc.Arbitrary<string> {
  const allowed = new RegExp(pattern ?? '', 'u');
  return fc
    .oneof(fc.constantFrom('a', 'kind', 'a.b', 'größe'), text)
    .filter((name) => name !== '__proto__' && allowed.test(name));
}

function numbers(schema: Schema): Values {
  const above = schema.exclusiveMinimum as number | undefined;
  return fc.double({
    min: above ?? (schema.minimum as number | undefined) ?? -1e6,
    max: (schema.maximum as number | undefined) ?? 1e6,
    minExcluded: above !== undefined,
    noNaN: true,
  });
}

function texts(schema: Schema): Values {
  const {
    minLength = 0,
    maxLength = 1e6,
    pattern,
    format,
  } = schema as {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    format?: string;
  };
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  const fits = (one: string) => [...one].length >= minLength && [...one].length <= maxLength;
  if (pattern === undefined || pattern === STORABLE) return text.map((one) => one.padEnd(minLength, 'x')).filter(fits);
  if (pattern === WORDS || pattern === '\\S') {
    return fc
      .tuple(text, fc.constantFrom('word', '?', '日本', '🍵'))
      .map(([before, word]) => `${before} ${word}`)
      .filter(fits);
  }
  return fc.stringMatching(new RegExp(pattern)).filter(fits);
}
