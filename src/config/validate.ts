import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { SvcError } from '../core/errors.js';
import { nearest } from '../core/text/edit-distance.js';
import { Settings } from './schema.js';
import { ADDRESSES, SECRETS, type SettingPath } from './variables.js';

// The schema is our own: a test checks it against its meta-schema, not each process at its start.
const validate = new Ajv2020({
  strict: false,
  verbose: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
}).compile(Settings);

/** Where a setting's value came from: a variable's name, a flag, a file. */
export type Origins = ReadonlyMap<SettingPath, string>;

/** Throws `invalid_input` naming the variable (or the file's member) and what is allowed; never the value of a secret. */
export function validateSettings(settings: unknown, origins: Origins): asserts settings is Settings {
  if (validate(settings)) return;
  const error = mostTelling(validate.errors ?? []);
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const subject = subjectOf(path, origins);
  if (error.keyword === 'additionalProperties') {
    const member = [path, String(error.params.additionalProperty)].filter((part) => part !== '').join('.');
    const subject = originBelow(member, origins) ?? subjectOf(member, origins);
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    const meant = nearest(String(error.params.additionalProperty), known);
    const hint = meant === undefined ? 'see config/default.yaml' : `did you mean ${meant}?`;
    const end = meant === undefined ? '.' : '';
    throw new SvcError('invalid_input', `${subject} is not a setting; ${hint}${end}`);
  }
  const shown = isScalar(error.data) && !isSecret(path) ? `, not ${JSON.stringify(error.data)}` : '';
  throw new SvcError(
    'invalid_input',
    `${subject} must be ${allowed(error)}${shown}.${setElsewhere(error.data, subject)}`,
  );
}

/**
 * Returns the error to show. A union with null fails once for each branch; the branch that is not null says what is
 * allowed.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject {
  const telling = errors.find((error) => error.keyword !== 'anyOf' && error.params.type !== 'null');
  return telling ?? errors[0]!;
}

/** Returns a member and the file that it came from, where the file gives it a mapping. */
function originBelow(member: string, origins: Origins): string | undefined {
  const below = [...origins].find(([path]) => path.startsWith(`${member}.`));
  return below?.[1].replace(/^\S+ of /, `${member} of `);
}

function subjectOf(path: string, origins: Origins): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const origin = origins.get(at);
    if (origin !== undefined) return at === path || !origin.includes(' ') ? origin : `${path} of ${origin}`;
  }
  return path === '' ? 'The configuration' : path;
}

/** Kubernetes and Docker's links set `<NAME>_PORT` for a service called like ours, to `tcp://10.0.0.1:8400`. */
function setElsewhere(value: unknown, subject: string): string {
  if (!subject.endsWith('_PORT') || typeof value !== 'string' || !value.startsWith('tcp://')) return '';
  return ' Kubernetes sets it for a Service of that name: put `enableServiceLinks: false` into the pod, or rename the Service.';
}

/** Tells whether a value is shown: a mapping or a list may hold secrets, and says nothing that its path does not. */
function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Tells whether a value is a secret, is part of one, or stands where a part of the file with one is expected. */
function isSecret(path: string): boolean {
  const within = (inner: string, outer: string): boolean => inner.startsWith(`${outer}.`);
  return [...SECRETS, ...ADDRESSES].some((secret) => path === secret || within(path, secret) || within(secret, path));
}

function allowed(error: ErrorObject): string {
  const schema = error.parentSchema as { description?: string; minimum?: number; maximum?: number } | undefined;
  switch (error.keyword) {
    case 'enum':
      return `one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
    case 'type':
      return typeWords(String(error.params.type), schema);
    case 'minimum':
    case 'maximum':
      return typeWords('number', schema);
    case 'exclusiveMinimum':
      return `greater than ${String(error.params.limit)}`;
    case 'required':
      return `a mapping with ${String(error.params.missingProperty)}`;
    case 'pattern':
      return schema?.description ?? `text that matches ${String(error.params.pattern)}`;
    case 'minItems':
      return 'non-empty';
    case 'minLength':
    case 'maxLength': {
      const limit = Number(error.params.limit);
      return limit === 1
        ? 'non-empty'
        : `at ${error.keyword === 'minLength' ? 'least' : 'most'} ${limit} characters long`;
    }
    default:
      return error.message?.replace(/^must (be )?/, '') ?? 'valid';
  }
}

function typeWords(type: string, schema: { minimum?: number; maximum?: number } | undefined): string {
  if (type === 'boolean') return 'on or off';
  if (type === 'array') return 'a list';
  if (type === 'object') return 'a mapping';
  if (type === 'string') return 'text';
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const { minimum, maximum } = schema ?? {};
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind} of at least ${minimum}`;
  return maximum === undefined ? kind : `${kind} of at most ${maximum}`;
}
