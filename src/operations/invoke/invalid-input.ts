import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { SvcError } from '../../core/errors.js';
import { counted } from '../../core/wording/counted.js';
import { exampleOf, TIME } from './example.js';

/** What each pattern of an operation's schema asks for, in words. */
export const PATTERNS: Readonly<Record<string, string>> = {
  '\\S': 'hold more than white space',
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ufeff]': 'hold more than white space and control characters',
  '^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,127}$':
    'begin with one of a-z, A-Z, 0-9 and hold at most 128 of these, spaces and . _ / -',
  '^[A-Za-z0-9][A-Za-z0-9 ._:@/%+-]{0,127}$':
    'begin with one of a-z, A-Z, 0-9 and hold at most 128 of these, spaces and . _ : @ / % + -',
  '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$': 'begin with one of a-z, A-Z, 0-9 and hold at most 64 of these and _ . -',
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$': 'begin with one of a-z, A-Z, 0-9 and hold at most 128 of these and . _ -',
  '^((postgres|postgresql|mysql|mariadb)://|sqlite:|env:[A-Za-z_])[^\\u0000]*$':
    'begin with postgres://, mysql://, mariadb://, sqlite: or env: with the name of a variable',
  '^(19[7-9][0-9]|[2-9][0-9]{3})(-(Q[1-4]|W(0[1-9]|[1-4][0-9]|5[0-3])|(0[1-9]|1[0-2])))?$':
    'be a year YYYY, a quarter YYYY-Qn, a month YYYY-MM or an ISO week YYYY-Wnn',
  '^[\\x21-\\x7e]{1,255}$': 'hold 1 to 255 printable ASCII characters without spaces',
  '^[A-Za-z0-9_-]{1,64}$': 'hold 1 to 64 of a-z, A-Z, 0-9, _ and -',
  '^[A-Za-z][A-Za-z0-9_]{0,63}$': 'begin with one of a-z, A-Z and hold at most 64 of these, 0-9 and _, as in PART_OF',
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': `be a date and time of ISO 8601 with its zone, as in ${TIME}`,
};

/** Returns the error for an input that its schema refuses: the member first, then what to send. */
export function invalidInput(errors: readonly ErrorObject[]): SvcError {
  // Every branch of a union reports what it lacks; the union itself is reported last.
  const error = errors.at(-1);
  if (error === undefined) return new SvcError('invalid_input', 'The input is invalid.', { member: '' });
  const member = memberOf(error);
  const subject = member === '' ? 'The input' : member;
  return new SvcError('invalid_input', `${subject} ${complaint(error)}.`, { member });
}

function memberOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
  if (error.keyword === 'required') return join(path, String(error.params.missingProperty));
  if (error.keyword === 'additionalProperties') return join(path, String(error.params.additionalProperty));
  return path;
}

function join(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`;
}

function complaint(error: ErrorObject): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    case 'required':
      return error.instancePath === '' ? 'is missing; it is required' : `is missing; send it as in ${shown(error)}`;
    case 'type':
      return `must ${typeWanted(error)}`;
    case 'additionalProperties':
      return 'is not known here; leave it out or correct its name';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${String(params.allowedValue)}`;
    case 'anyOf':
      return `must be one of ${branches(error.schema).join(', ')}`;
    case 'minLength':
      return `must not be shorter than ${counted(Number(params.limit), 'character')}`;
    case 'maxLength':
      return `must not be longer than ${counted(Number(params.limit), 'character')}`;
    case 'pattern':
      return `must ${PATTERNS[String(params.pattern)] ?? `match ${String(params.pattern)}`}`;
    case 'format':
      return `must ${FORMATS[String(params.format)] ?? `be of the format ${String(params.format)}`}`;
    case 'minItems':
      return `must hold at least ${counted(Number(params.limit), 'element')}`;
    case 'maxItems':
      return `must hold at most ${counted(Number(params.limit), 'element')}`;
    case 'minProperties':
      return `must hold at least ${counted(Number(params.limit), 'member')}`;
    case 'maxProperties':
      return `must hold at most ${counted(Number(params.limit), 'member')}`;
    default:
      return message ?? 'is invalid';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  array: 'an array',
  object: 'an object',
};

/** Returns what a member of a wrong type must be, with a small value of the right one. */
function typeWanted(error: ErrorObject): string {
  const { type, format } = error.parentSchema as TSchema;
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  if (type === 'boolean') return 'be true or false';
  const words = TYPES[String(type)];
  return words === undefined ? `be ${String(type)}` : `be ${words}, such as ${shown(error)}`;
}

/** Returns a value that the schema of an error allows, as JSON. */
function shown({ parentSchema, instancePath }: ErrorObject): string {
  const name = instancePath.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part));
  return JSON.stringify(exampleOf(parentSchema as TSchema, name));
}

/** Returns the values or types that a union takes. */
function branches(schema: unknown): string[] {
  return (schema as ReadonlyArray<{ readonly const?: unknown; readonly type?: unknown }>).map((branch) =>
    String(branch.const ?? branch.type ?? 'another form'),
  );
}
