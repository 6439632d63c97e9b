import type { TSchema } from '@sinclair/typebox';
import { LONGEST_SLIP, MOST_LOOKED_AT, nearest } from '../../core/text/edit-distance.js';
import { isStructured } from './validate.js';

/** Sentences that are told. */
const MOST_SENTENCES = 20;
/** Members and elements that are looked at: a slip mostly stands in the first elements of a list. */
const MOST_VISITED = 5000;

/** A slip where it stands first, and how often it comes again in other elements of the same list. */
interface Slip {
  readonly path: string;
  readonly meant: string | undefined;
  again: number;
}

interface Walk {
  /** By path, with `*` in the place of numbers of elements. */
  readonly slips: Map<string, Slip>;
  visited: number;
}

/**
 * Returns a sentence for each member within the lists and objects of an input that its schema does not know and that is a few
 * letters from one which it takes and which is not there. Objects that may have other members are let be. Pure.
 */
export function misspeltWithin(schema: TSchema, given: unknown): string[] {
  const walk: Walk = { slips: new Map(), visited: 0 };
  for (const [name, value, member] of membersWithin(given, schema))
    lookInto(value, member, { path: name, pattern: name, walk });
  return [...walk.slips.values()]
    .filter(({ meant }) => meant !== undefined)
    .slice(0, MOST_SENTENCES)
    .map(({ path, meant, again }) => {
      const more = again === 0 ? '' : ` So it is in ${again} more ${again === 1 ? 'place' : 'places'}.`;
      return `${path} is no member and was ignored; did you mean ${meant}?${more}`;
    });
}

interface Place {
  readonly path: string;
  readonly pattern: string;
  readonly walk: Walk;
}

function lookInto(value: unknown, schema: TSchema, { path, pattern, walk }: Place): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const items = schema.items as TSchema | undefined;
    if (items === undefined || !isStructured(items)) return;
    for (const [i, item] of value.entries()) {
      walk.visited += 1;
      if (walk.visited > MOST_VISITED) return;
      lookInto(item, items, { path: `${path}.${i}`, pattern: `${pattern}.*`, walk });
    }
    return;
  }
  if (schema.properties === undefined) return;
  if (schema.additionalProperties === undefined) addSlips(value, schema, { path, pattern, walk });
  for (const [name, inner, member] of membersWithin(value, schema)) {
    lookInto(inner, member, { path: `${path}.${name}`, pattern: `${pattern}.${name}`, walk });
  }
}

function addSlips(value: object, schema: TSchema, { path, pattern, walk }: Place): void {
  const properties = schema.properties as object;
  for (const name of Object.keys(value)) {
    walk.visited += 1;
    if (walk.visited > MOST_VISITED) return;
    if (name.length > LONGEST_SLIP || Object.hasOwn(properties, name)) continue;
    const key = `${pattern}.${name}`;
    const known = walk.slips.get(key);
    if (known !== undefined) {
      if (known.meant !== undefined && !Object.hasOwn(value, known.meant)) known.again += 1;
    } else if (walk.slips.size < MOST_LOOKED_AT) {
      const left = Object.keys(properties).filter((one) => !Object.hasOwn(value, one));
      walk.slips.set(key, { path: `${path}.${name}`, meant: nearest(name, left), again: 0 });
    }
  }
}

/** Returns the members of an object whose schemas know members or elements themselves, with these schemas. */
function membersWithin(value: unknown, schema: TSchema): Array<[string, unknown, TSchema]> {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, TSchema>>)
    .filter(([name, member]) => isStructured(member) && Object.hasOwn(value, name))
    .map(([name, member]) => [name, (value as Record<string, unknown>)[name], member]);
}
