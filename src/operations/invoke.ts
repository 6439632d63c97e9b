import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SvcError, toSvcError } from '../core/errors.js';
import type { Service } from '../service.js';
import { withSpan } from '../telemetry/span.js';
import { cleanText } from './invoke/clean-text.js';
import { invalidInput } from './invoke/invalid-input.js';
import { loopSlot } from './invoke/loop-slot.js';
import type { CallContext, Operation } from './operation.js';
import { checkConstraints } from './schema/constraints.js';

const ajv = new Ajv2020({ useDefaults: true, allErrors: false, verbose: true, strict: false, allowUnionTypes: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Calls an operation: drops nulls and unknown members, fills defaults, validates, checks, traces, runs, maps errors. Never changes `input`. */
export async function invoke(
  service: Service,
  operation: Operation,
  input: unknown,
  context: CallContext,
): Promise<unknown> {
  const valid = validated(operation, input);
  return withSpan(
    `operation ${operation.name}`,
    { 'svc.operation': operation.name, 'svc.surface': context.surface },
    async () => {
      try {
        await loopSlot();
        return await operation.run(service, valid, context);
      } catch (error) {
        throw context.signal?.aborted === true && !(error instanceof SvcError)
          ? cancelled(operation, error)
          : toSvcError(error);
      }
    },
  );
}

function cancelled({ name }: Operation, cause: unknown): SvcError {
  return new SvcError('cancelled', `${name} was cancelled; call it again to finish the work.`, undefined, { cause });
}

/** Returns the input as the operation receives it; throws `invalid_input` naming the member and the fix. */
export function validated(operation: Operation, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new SvcError('invalid_input', `The input of ${operation.name} must be a JSON object.`);
  }
  const copy = withoutNulls(input as Record<string, unknown>, operation.input);
  const validate = validatorOf(operation.input);
  if (!validate(copy)) {
    throw invalidInput(validate.errors ?? []);
  }
  // A text that held nothing but stray characters is empty now.
  if (cleanText(copy) && !validate(copy)) throw invalidInput(validate.errors ?? []);
  checkConstraints(copy, operation.input as TSchema);
  operation.check?.(copy);
  return copy;
}

/** Returns the compiled validator of a schema, compiled once. */
export function validatorOf(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    // Nested defaults apply to a copy made in `withoutNulls`, so the caller's value stays untouched.
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

/**
 * Returns a deep copy in which an explicit null for an optional member means absent; required members keep theirs and fail.
 * Members that the schema does not know are left out, unless it says that there may be others.
 */
function withoutNulls(input: Record<string, unknown>, schema: TSchema): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const known = Object.hasOwn(properties, name);
    if (!known && schema.additionalProperties === undefined) continue;
    if (value === null && known && (!required.has(name) || properties[name]?.default !== undefined)) continue;
    copy[name] = known ? copied(value, properties[name]!) : value;
  }
  return copy;
}

function copied(value: unknown, schema: TSchema): unknown {
  if (Array.isArray(value)) {
    const items = schema.items as TSchema | undefined;
    return items === undefined || !isStructured(items) ? value : value.map((item: unknown) => copied(item, items));
  }
  if (typeof value === 'object' && value !== null && schema.properties !== undefined) {
    return withoutNulls(value as Record<string, unknown>, schema);
  }
  return value;
}

function isStructured(schema: TSchema): boolean {
  return schema.properties !== undefined || schema.items !== undefined;
}
