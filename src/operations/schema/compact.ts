import { WORDS } from '../shapes.js';

type Json = Readonly<Record<string, unknown>>;

/** What a schema says of the size and form of a value: of use to whoever writes one, not to whoever reads it. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'maxProperties',
  'propertyNames',
]);

/** Beyond this a bound is that of the kind of number. */
const LARGEST = 1e30;

/** Returns whether an agent gains by a keyword: one of an answer has no bounds, and a number of 32 bits is described as one. */
function isShown(key: string, value: unknown, of: 'input' | 'output'): boolean {
  if (of === 'output' && BOUNDS.has(key)) return false;
  return typeof value !== 'number' || Math.abs(value) < LARGEST;
}

/** Returns the pattern of a text that says something in its short form: what else it leaves out is hardly written. */
function shortPattern(key: string, value: unknown): unknown {
  return key === 'pattern' && value === WORDS ? '\\S' : value;
}

/**
 * Returns a schema in fewer words, for agents pay for each: values to choose from as one list, and what stands in several places described in the first of
 * them. Of an answer the bounds are left out. Members of the schema itself keep their description, and all that it accepts is accepted still.
 */
export function compactSchema(schema: Json, of: 'input' | 'output'): Json {
  const described = new Set<unknown>();
  const members = (properties: Json, depth: number): Json =>
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, compact(one as Json, depth)]));
  const compact = (one: Json, depth: number): Json => {
    const { description, properties, items, anyOf, additionalProperties, ...others } = one;
    const rest = Object.fromEntries(
      Object.entries(others).flatMap(([key, value]) =>
        isShown(key, value, of) ? [[key, shortPattern(key, value)]] : [],
      ),
    );
    const isRepeated = described.has(description) && (of === 'output' || depth > 1);
    described.add(description);
    const constants = constantsOf(anyOf);
    return {
      ...(description === undefined || isRepeated ? {} : { description }),
      ...(constants === undefined ? {} : { type: 'string', enum: constants }),
      ...rest,
      ...(anyOf === undefined || constants !== undefined
        ? {}
        : { anyOf: (anyOf as Json[]).map((option) => compact(option, depth + 1)) }),
      ...(properties === undefined ? {} : { properties: members(properties as Json, depth + 1) }),
      ...(items === undefined ? {} : { items: compact(items as Json, depth + 1) }),
      ...(isOpen(additionalProperties, of)
        ? {}
        : {
            additionalProperties:
              additionalProperties === false ? false : compact(additionalProperties as Json, depth + 1),
          }),
    };
  };
  return compact(schema, 0);
}

/** Returns the texts that a member is one of; undefined where it may be something else. */
function constantsOf(anyOf: unknown): string[] | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const texts = (anyOf as Json[]).flatMap((one) =>
    typeof one.const === 'string' && Object.keys(one).every((key) => key === 'const' || key === 'type')
      ? [one.const]
      : [],
  );
  return texts.length === anyOf.length ? texts : undefined;
}

/** Without the keyword any further member is allowed; that an answer has some is said. */
function isOpen(additionalProperties: unknown, of: 'input' | 'output'): boolean {
  if (additionalProperties === undefined || typeof additionalProperties !== 'object')
    return additionalProperties !== false;
  return of === 'input' && Object.keys(additionalProperties as object).length === 0;
}
