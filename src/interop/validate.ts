import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LONGEST_SLIP, MOST_LOOKED_AT, nearest } from '../core/text/edit-distance.js';
import { EVENT_SCHEMA, SEED_SCHEMA, schemaText } from './schemas.js';

/** Errors that are listed; a file can hold more. */
const MOST_ERRORS = 100;
/** Major version of the schema of rule sets. */
const SCHEMA_MAJOR = 1;
/** Members that stood on the rule itself in earlier formats. */
const PROVENANCE = ['id', 'domain', 'derivation', 'confidence', 'relevance', 'source_concepts', 'template_id'];

const compiled = new Map<string, ValidateFunction>();

/**
 * Returns what is wrong with a rule set, each as `<path>: <reason>`; empty when it is valid. Members that the schema does
 * not name are accepted; a `schema_version` may be of a higher minor version, not of another major one.
 */
export function validateSeed(seed: unknown): string[] {
  return [...schemaVersionErrors(seed), ...errorsOf(SEED_SCHEMA, seed)].slice(0, MOST_ERRORS);
}

/** Returns what is wrong with an event, each as `<path>: <reason>`; empty when it is valid. */
export function validateEvent(event: unknown): string[] {
  return errorsOf(EVENT_SCHEMA, event).slice(0, MOST_ERRORS);
}

function errorsOf(name: string, value: unknown): string[] {
  const validate = validatorOf(name);
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, MOST_ERRORS).map((error) => described(error, value));
}

function validatorOf(name: string): ValidateFunction {
  let validate = compiled.get(name);
  if (validate === undefined) {
    const ajv = new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true, verbose: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    validate = ajv.compile(JSON.parse(schemaText(name)) as object);
    compiled.set(name, validate);
  }
  return validate;
}

function described(error: ErrorObject, value: unknown): string {
  const path = error.instancePath === '' ? '/' : error.instancePath;
  return `${path}: ${complaint(error, value)}`;
}

function complaint(error: ErrorObject, value: unknown): string {
  const { keyword, instancePath } = error;
  const { missingProperty, allowedValues } = error.params as { missingProperty?: string; allowedValues?: unknown[] };
  if (missingProperty !== undefined) {
    return `${missingProperty} is missing${hint(missingProperty, valueAt(value, instancePath), error)}`;
  }
  if (allowedValues !== undefined) return `must be one of ${allowedValues.join(', ')}`;
  if (keyword === 'type') return wantedType(error, valueAt(value, instancePath));
  if (keyword === 'minLength') return 'must not be empty';
  if (keyword === 'format' || keyword === 'pattern') return 'must be a date and time such as 2026-01-01T00:00:00Z';
  return error.message ?? 'is not valid';
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'an object',
};

function wantedType({ instancePath, schema, parentSchema }: ErrorObject, found: unknown): string {
  if (instancePath === '/version') return 'must be an integer, such as 1';
  const { required = [] } = parentSchema as { readonly required?: readonly string[] };
  const members = `${required.slice(0, -1).join(', ')} and ${required.at(-1)}`;
  if (instancePath === '' && found === null) return `is empty; write ${members}`;
  const wanted = [schema as string | string[]].flat().map((type) => TYPES[type] ?? type);
  const type = Array.isArray(found) ? 'array' : found === null ? 'null' : typeof found;
  return `must be ${wanted.join(' or ')}${required.length > 1 ? ` with ${members}` : ''}, not ${TYPES[type] ?? type}`;
}

/** Says which member was meant, or what an earlier format did in this place. */
function hint(missing: string, holder: unknown, { parentSchema }: ErrorObject): string {
  const members = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
  if (missing === 'rule' && members.includes('text')) return '; the text of a rule belongs in `rule`, not in `text`';
  if (missing === 'provenance' && members.some((member) => PROVENANCE.includes(member))) {
    return '; id, domain, derivation and confidence belong inside it';
  }
  const known = (parentSchema as { readonly properties?: object } | undefined)?.properties ?? {};
  const slips = members
    .slice(0, MOST_LOOKED_AT)
    .filter((name) => name.length <= LONGEST_SLIP && !Object.hasOwn(known, name));
  const slip = nearest(missing, slips);
  return slip === undefined ? '' : `; ${slip} stands there`;
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], value);
}

function schemaVersionErrors(seed: unknown): string[] {
  const { schema_version: version } = (seed ?? {}) as { schema_version?: unknown };
  if (version === undefined || version === null) return [];
  // YAML reads an unquoted 1.1 as a number.
  const text = typeof version === 'string' || typeof version === 'number' ? String(version) : '';
  const major = /^(\d+)(?:\.\d+){0,2}$/.exec(text)?.[1];
  if (major === undefined) return [`/schema_version: must be a version such as ${SCHEMA_MAJOR}.0`];
  if (Number(major) === SCHEMA_MAJOR) return [];
  return [`/schema_version: is ${text}, but only ${SCHEMA_MAJOR}.x can be read; write the rule set in that version`];
}
