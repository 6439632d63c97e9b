import { Type } from '@sinclair/typebox';
import { LAST_MOMENT } from '../../core/clock.js';
import { defaulted, optional } from '../operation.js';

/** Milliseconds since the epoch. */
export const Milliseconds = Type.Integer({ minimum: 0, maximum: LAST_MOMENT });
export const OrNull = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** Optional bounds of a span of time; the end is excluded. */
export const Range = { since: optional(Milliseconds), until: optional(Milliseconds) };

export const Page = {
  limit: defaulted(Type.Integer({ minimum: 0, description: 'At most 1000 are answered.' }), 100),
  offset: defaulted(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 0),
};

export const oneOf = <const T extends readonly string[]>(...values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

export const Interval = Type.Object({ lower: Type.Number(), upper: Type.Number() });
