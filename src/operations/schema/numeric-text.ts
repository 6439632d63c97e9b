import type { TSchema } from '@sinclair/typebox';

/** Each digit fits in one way only: a long text that is no number is refused in one pass. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the number that a text writes where the schema wants one; any other value, and a number beyond all bounds, as it
 * is, for validation to refuse.
 */
export function numberIn(value: unknown, schema: TSchema | undefined): unknown {
  const wanted = schema?.type === 'integer' || schema?.type === 'number';
  if (!wanted || typeof value !== 'string' || !NUMBER.test(value)) return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}
