import fc from 'fast-check';
import type { JsonObject } from '../../src/core/model.js';

/** Few names and values, so that random filters and random metadata meet. */
const name = fc.constantFrom('a', 'b', 'c.d', 'c.e', 'c', 'list', 'né"x\'');
const text = fc.constantFrom('', 'x', 'y', 'X', 'true', '1', 'é', '\u{1F600}', '\uFF5E', "o'b", '%_', 'a\\b');
const number = fc.constantFrom(0, -0, 1, -1, 1.5, 2, 1e21, -1e-7, 123456789012);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const ordered = fc.oneof(text, number);

const operators = fc.oneof(
  fc.record({ $eq: scalar }),
  fc.record({ $ne: scalar }),
  fc.record({ $gt: ordered }),
  fc.record({ $gte: ordered, $lt: ordered }),
  fc.record({ $lt: ordered }),
  fc.record({ $lte: ordered }),
  fc.record({ $in: fc.array(scalar, { maxLength: 4 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 4 }) }),
);
const test = fc.oneof(
  { weight: 2, arbitrary: scalar },
  { weight: 4, arbitrary: operators },
  { weight: 1, arbitrary: fc.record({ $not: operators }) },
);

/** Random filters in wire form. */
export const anyFilter: fc.Arbitrary<object> = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.dictionary(name, test, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    fc.record({ $not: tie('filter') }),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  ),
})).filter;

const value = fc.oneof({ weight: 6, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) });

/** Random metadata over the same names. */
export const anyMetadata: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      a: value,
      b: value,
      c: fc.oneof(scalar, fc.record({ d: value, e: value }, { requiredKeys: [] })),
      list: value,
      'né"x\'': value,
    },
    { requiredKeys: [] },
  )
  .map((metadata) => JSON.parse(JSON.stringify(metadata)) as JsonObject);
