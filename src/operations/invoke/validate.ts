import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import type { Operation } from '../operation.js';
import { checkConstraints } from '../schema/constraints.js';
import { cleanText } from './clean-text.js';
import { invalidInput } from './invalid-input.js';
import { countLengthsOnDemand } from './lengths.js';
import { domainAsList, schemaFor } from './one-domain.js';

// The schemas are our own: tests check them against their meta-schema, not each process at its first calls.
const ajv = new Ajv2020({
  useDefaults: true,
  allErrors: false,
  verbose: true,
  strict: false,
  allowUnionTypes: true,
  meta: false,
  validateSchema: false,
});
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
countLengthsOnDemand(ajv);
const compiled = new WeakMap<TSchema, ValidateFunction>();

type Input = Record<string, unknown>;

/** Returns the input as the operation receives it; throws `invalid_input` naming the member and the fix. */
export function validated(operation: Operation, input: unknown): Input {
  const given = objectOf(operation, input);
  const schema = schemaFor(operation.input, given);
  const copy = withoutNulls(given, schema);
  validate(schema, copy);
  // A text that held nothing but stray characters is empty now.
  if (cleanText(copy)) validate(schema, copy);
  return checked(operation, schema, copy);
}

/** Returns an input that is valid by this schema as the operation receives it, once it holds to what no schema says. */
function checked(operation: Operation, schema: TSchema, valid: Input): Input {
  const received = schema === operation.input ? valid : domainAsList(valid);
  checkConstraints(received, operation.input);
  operation.check?.(received);
  return received;
}

/** Elements of a list that is validated in slices, and of a slice. */
const LONG = 500;
const SLICE = 100;

/** Does the same as `validated`, and gives way to the event loop between the elements of long lists. */
export async function validatedInSlices(operation: Operation, input: unknown): Promise<Input> {
  const given = objectOf(operation, input);
  const schema = schemaFor(operation.input, given);
  const long = Object.entries(given).filter(
    (entry): entry is [string, unknown[]] => isLong(entry[1]) && mayHave(schema, entry[0]),
  );
  if (long.length === 0) return validated(operation, input);
  for (const [name, list] of long) {
    const most = (propertiesOf(schema)[name]?.maxItems ?? Number.POSITIVE_INFINITY) as number;
    // The length is checked before any element.
    if (list.length > most) validate(schema, { ...given });
  }
  // Each slice is validated with the other members beside it, of which long lists stand with one element.
  const others = withoutNulls(
    { ...given, ...Object.fromEntries(long.map(([name, list]) => [name, [list[0]]])) },
    schema,
  );
  const whole: Input = {};
  let rest: Input = others;
  for (const [name, list] of long) {
    const found = await eachSlice(schema, rest, { name, list });
    whole[name] = found.list;
    rest = found.rest;
  }
  return checked(operation, schema, { ...rest, ...whole });
}

function mayHave(schema: TSchema, name: string): boolean {
  return Object.hasOwn(propertiesOf(schema), name) || schema.additionalProperties !== undefined;
}

function isLong(value: unknown): boolean {
  return Array.isArray(value) && value.length > LONG;
}

/** Returns the elements of a list, and the other members with their defaults. */
async function eachSlice(
  schema: TSchema,
  others: Input,
  { name, list }: { readonly name: string; readonly list: readonly unknown[] },
): Promise<{ list: unknown[]; rest: Input }> {
  const pause = slicer();
  const member = propertiesOf(schema)[name];
  const valid: unknown[] = [];
  let rest = others;
  for (let start = 0; start < list.length; start += SLICE) {
    const part = list.slice(start, start + SLICE);
    const slice: Input = { ...rest, [name]: member === undefined ? part : copied(part, member) };
    const at = { name, start };
    validate(schema, slice, at);
    // The other members are clean after the first slice.
    const unclean = start === 0 ? slice : { [name]: slice[name] };
    if (cleanText(unclean)) validate(schema, Object.assign(slice, unclean), at);
    for (const element of slice[name] as unknown[]) valid.push(element);
    rest = slice;
    await pause();
  }
  return { list: valid, rest };
}

function objectOf({ name }: Operation, input: unknown): Input {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Input;
  throw new SvcError('invalid_input', `The input of ${name} must be a JSON object.`);
}

/** Fills defaults in; throws `invalid_input`. `part`: of which list these are the elements from `start` on. */
function validate(schema: TSchema, input: Input, part?: { readonly name: string; readonly start: number }): void {
  const check = validatorOf(schema);
  if (check(input)) return;
  const errors = check.errors ?? [];
  throw invalidInput(part === undefined ? errors : errors.map((error) => moved(error, part)));
}

/** Returns the error with its element's place in the whole list. */
function moved(error: ErrorObject, { name, start }: { readonly name: string; readonly start: number }): ErrorObject {
  const [, member, index, ...deeper] = error.instancePath.split('/');
  if (member !== name || index === undefined) return error;
  return { ...error, instancePath: ['', member, String(Number(index) + start), ...deeper].join('/') };
}

/** Returns the compiled validator of a schema, compiled once. */
export function validatorOf(schema: TSchema): ValidateFunction {
  let check = compiled.get(schema);
  if (check === undefined) {
    // Nested defaults apply to a copy made in `withoutNulls`, so the caller's value stays untouched.
    check = ajv.compile(schema);
    compiled.set(schema, check);
  }
  return check;
}

/**
 * Returns a deep copy in which an explicit null for an optional member means absent; required members keep theirs and fail.
 * Members that the schema does not know are left out, unless it says that there may be others. Where it says that there
 * may be none, unknown members and nulls stay and fail.
 */
function withoutNulls(input: Input, schema: TSchema): Input {
  const properties = propertiesOf(schema);
  const required = new Set((schema.required ?? []) as string[]);
  const copy: Input = {};
  for (const [name, value] of Object.entries(input)) {
    const known = Object.hasOwn(properties, name);
    if (!mayHave(schema, name)) continue;
    if (
      value === null &&
      known &&
      !isClosed(schema) &&
      (!required.has(name) || properties[name]?.default !== undefined)
    )
      continue;
    copy[name] = known ? copied(value, properties[name]!) : value;
  }
  return copy;
}

/** Returns whether an object takes its members only, and no null for one that is left out. */
export function isClosed(schema: TSchema): boolean {
  return schema.additionalProperties === false;
}

function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return (schema.properties ?? {}) as Record<string, TSchema>;
}

function copied(value: unknown, schema: TSchema): unknown {
  if (Array.isArray(value)) {
    const items = schema.items as TSchema | undefined;
    return items === undefined || !isStructured(items) ? value : value.map((item: unknown) => copied(item, items));
  }
  if (typeof value === 'object' && value !== null && schema.properties !== undefined) {
    return withoutNulls(value as Input, schema);
  }
  return value;
}

/** Returns whether a schema knows members or elements itself. */
export function isStructured(schema: TSchema): boolean {
  return schema.properties !== undefined || schema.items !== undefined;
}
