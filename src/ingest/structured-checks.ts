import { SvcError } from '../core/errors.js';
import type { ConceptAssertion, EdgeAssertion, JsonObject, RuleAssertion } from '../core/model.js';
import { cleanText } from '../core/text/clean.js';

const RELATION = /^[A-Za-z][A-Za-z0-9_]{0,63}$/u;

/** Longest texts of a batch, in characters; of properties and metadata as JSON. */
export const LONGEST = { name: 500, id: 512, description: 100_000, rule: 10_000, properties: 100_000 } as const;

type Members = Readonly<Record<string, unknown>>;

/** Reads `{name, description?, id?, properties?, confidence?}`; throws `invalid_input` naming `concepts.<i>.<member>`. */
export function checkConcept(value: unknown, index: number): ConceptAssertion {
  const at = `concepts.${index}`;
  const members = objectAt(value, at);
  return {
    name: requiredText(members, 'name', at, LONGEST.name),
    ...given('id', optionalText(members, 'id', at)),
    ...given('description', optionalText(members, 'description', at, { most: LONGEST.description, mayBeEmpty: true })),
    ...given('properties', optionalObject(members, 'properties', at)),
    confidence: confidenceAt(members, at),
  };
}

/** Reads `{source, target, relation | relation_type, confidence?, properties?}`; the relation in capitals. */
export function checkEdge(value: unknown, index: number): EdgeAssertion {
  const at = `edges.${index}`;
  const members = objectAt(value, at);
  return {
    source: requiredText(members, 'source', at),
    target: requiredText(members, 'target', at),
    relation: relationAt(members, at),
    ...given('properties', optionalObject(members, 'properties', at)),
    confidence: confidenceAt(members, at),
  };
}

/** What a rule says of itself, which its metadata keeps and a rule set shows. */
const RULE_TEXTS = ['context', 'antipattern', 'rationale'] as const;

/** Reads `{text, category?, name?, confidence?, concepts?, context?, antipattern?, rationale?, tags?, metadata?}`. */
export function checkRule(value: unknown, index: number): RuleAssertion {
  const at = `rules.${index}`;
  const members = objectAt(value, at);
  return {
    text: requiredText(members, 'text', at, LONGEST.rule),
    ...given('name', optionalText(members, 'name', at)),
    ...given('category', optionalText(members, 'category', at)),
    ...given('concepts', textsAt(members, 'concepts', at, 'name or id')),
    ...given('metadata', ruleMetadata(members, at)),
    confidence: confidenceAt(members, at),
  };
}

/** Returns the metadata of a rule, with what it says of itself as members of its own. */
function ruleMetadata(members: Members, at: string): JsonObject | undefined {
  const texts = RULE_TEXTS.flatMap((key) => {
    const text = optionalText(members, key, at, { most: LONGEST.rule });
    return text === undefined ? [] : [[key, text] as const];
  });
  const tags = textsAt(members, 'tags', at, 'word');
  const own = { ...Object.fromEntries(texts), ...given('tags', tags) };
  const metadata = optionalObject(members, 'metadata', at);
  return metadata === undefined && Object.keys(own).length === 0 ? undefined : { ...metadata, ...own };
}

function bad(path: string, problem: string): SvcError {
  return new SvcError('invalid_input', `${path} ${problem}.`, { member: path });
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

function objectAt(value: unknown, at: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(at, 'must be an object');
  return value as Members;
}

function requiredText(members: Members, key: string, at: string, most: number = LONGEST.id): string {
  const text = optionalText(members, key, at, { most });
  if (text === undefined) throw bad(`${at}.${key}`, 'is missing; give a string');
  return text;
}

function optionalText(
  members: Members,
  key: string,
  at: string,
  { most = LONGEST.id, mayBeEmpty = false }: { readonly most?: number; readonly mayBeEmpty?: boolean } = {},
): string | undefined {
  const value = members[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw bad(`${at}.${key}`, 'must be a string');
  if (isLonger(value, most)) throw bad(`${at}.${key}`, `has ${value.length} characters; at most ${most} are allowed`);
  const text = cleanText(value).trim();
  if (text === '' && !mayBeEmpty) throw bad(`${at}.${key}`, 'is empty; give a string with a word in it');
  return text;
}

/** Returns true for more than `most` characters; counts them as JSON Schema does, a surrogate pair once. */
export function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && [...text].length > most);
}

function optionalObject(members: Members, key: string, at: string): JsonObject | undefined {
  const value = members[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw bad(`${at}.${key}`, 'must be an object');
  const { length } = JSON.stringify(value);
  if (length > LONGEST.properties) {
    throw bad(`${at}.${key}`, `has ${length} characters as JSON; at most ${LONGEST.properties} are allowed`);
  }
  return value as JsonObject;
}

function textsAt(members: Members, key: string, at: string, what: string): string[] | undefined {
  const value = members[key];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw bad(`${at}.${key}`, `must be a list of ${what}s`);
  return value.map((text, i) => {
    if (typeof text !== 'string' || text.trim() === '') throw bad(`${at}.${key}.${i}`, `must be a ${what}`);
    return cleanText(text).trim();
  });
}

function confidenceAt(members: Members, at: string): number {
  const value = members.confidence;
  if (value === undefined || value === null) return 1;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw bad(`${at}.confidence`, 'must be a number from 0 to 1');
  }
  return value;
}

function relationAt(members: Members, at: string): string {
  const key = members.relation === undefined || members.relation === null ? 'relation_type' : 'relation';
  const value = members[key];
  if (value === undefined || value === null) throw bad(`${at}.relation`, 'is missing; name the relation');
  if (typeof value !== 'string' || !RELATION.test(value)) {
    throw bad(`${at}.${key}`, 'must be one of a-z, A-Z followed by up to 63 of these, 0-9 and underscores');
  }
  const other = members.relation_type ?? value;
  if (typeof other !== 'string' || other.toUpperCase() !== value.toUpperCase()) {
    throw bad(`${at}.relation_type`, 'differs from relation, which means the same; leave one of them out');
  }
  return value.toUpperCase();
}
