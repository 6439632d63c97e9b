import type { TSchema } from '@sinclair/typebox';
import { SvcError } from '../../core/errors.js';

type Members = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, TSchema>>;

/** A rule over several members of one object, once as JSON Schema and once as a check that explains itself. */
export interface Constraint {
  /** Returns the keywords that say it, for documents; `properties` are the members of the object. */
  readonly keywords: (properties: Properties) => Members;
  /** Returns what is wrong with the members (nulls left out) and which member to mend; nothing where all is well. */
  readonly complaint: (members: Members) => { readonly member: string; readonly sentence: string } | undefined;
}

/** Under this key a schema carries its constraints. JSON and validators do not see it: some tool-calling APIs refuse `oneOf`. */
const CONSTRAINTS = Symbol('constraints');

/** Returns the schema of an object with rules over several of its members. */
export function constrained<T extends TSchema>(schema: T, ...constraints: readonly Constraint[]): T {
  return { ...schema, [CONSTRAINTS]: constraints };
}

/** Returns the rules over several members that an object's schema carries. */
export function constraintsOf(schema: TSchema): readonly Constraint[] {
  return (schema as { readonly [CONSTRAINTS]?: readonly Constraint[] })[CONSTRAINTS] ?? [];
}

/** Throws `invalid_input` for the first constraint that `value` breaks, here or in the objects and lists inside it. */
export function checkConstraints(value: unknown, schema: TSchema, path = ''): void {
  if (!isConstrained(schema)) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) checkConstraints(item, schema.items as TSchema, `${path}${i}.`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const { complaint } of constraintsOf(schema)) {
    const found = complaint(value as Members);
    if (found === undefined) continue;
    throw new SvcError('invalid_input', `${path}${found.sentence}`, { member: `${path}${found.member}` });
  }
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Properties)) {
    checkConstraints((value as Members)[name], member, `${path}${name}.`);
  }
}

const carriers = new WeakMap<TSchema, boolean>();

/** Tells whether a schema or one inside it carries constraints; most do not, and their values are not walked. */
function isConstrained(schema: TSchema | undefined): boolean {
  if (schema === undefined) return false;
  let known = carriers.get(schema);
  if (known === undefined) {
    known =
      constraintsOf(schema).length > 0 ||
      isConstrained(schema.items as TSchema | undefined) ||
      Object.values((schema.properties ?? {}) as Properties).some(isConstrained);
    carriers.set(schema, known);
  }
  return known;
}

/** Formats `a, b and c`. */
const IN_WORDS = new Intl.ListFormat('en-GB');

/** Requires exactly one of the members. */
export function exactlyOne(...names: readonly string[]): Constraint {
  return {
    keywords: (properties) => ({ oneOf: names.map((name) => given(name, properties)) }),
    complaint: (members) => {
      const count = countOf(names, members);
      if (count === 1) return undefined;
      return { member: names[0]!, sentence: `Send exactly one of ${IN_WORDS.format(names)}; ${count} were given.` };
    },
  };
}

/** Requires at least one of the members. */
export function atLeastOne(...names: readonly string[]): Constraint {
  return {
    keywords: (properties) => ({ anyOf: names.map((name) => given(name, properties)) }),
    complaint: (members) => {
      if (countOf(names, members) > 0) return undefined;
      const sentence = `${names[0]} is missing; send ${names.join(' or ')}.`;
      return { member: names[0]!, sentence };
    },
  };
}

/** Allows at most one of the members. */
export function atMostOne(...names: readonly string[]): Constraint {
  return {
    keywords: (properties) => ({
      not: { allOf: names.map((name) => given(name, properties)) },
    }),
    complaint: (members) => {
      if (countOf(names, members) < 2) return undefined;
      return { member: names.at(-1)!, sentence: `Send ${names.join(' or ')}, not both.` };
    },
  };
}

/** Requires the second member where the first is given; `because` ends the sentence that says so. */
export function needs(name: string, other: string, because: string): Constraint {
  return {
    keywords: (properties) => ({
      anyOf: [{ properties: { [name]: { type: 'null' } } }, given(other, properties)],
    }),
    complaint: (members) => {
      if (members[name] === undefined || members[other] !== undefined) return undefined;
      return { member: other, sentence: `${name} needs ${other}, ${because}.` };
    },
  };
}

function countOf(names: readonly string[], members: Members): number {
  return names.filter((name) => members[name] !== undefined).length;
}

/** Says that a member is there and is not null, which counts as absent. */
function given(name: string, properties: Properties): Members {
  const type = properties[name]?.type as string | undefined;
  return { required: [name], properties: { [name]: type === undefined ? { not: { type: 'null' } } : { type } } };
}
