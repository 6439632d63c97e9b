import { describe, expect, it } from '@jest/globals';
import { moreTools } from '../../src/mcp/profile.js';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { compactSchema } from '../../src/operations/schema/compact.js';
import { WORDS } from '../../src/operations/shapes.js';

type Schema = Record<string, unknown>;

/** Schemas of a listed schema: itself, and those of its members, items and choices. */
function* schemasIn(schema: Schema): Generator<Schema> {
  yield schema;
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const members = [...Object.values(properties as Schema), items, ...(anyOf as unknown[]), additionalProperties];
  for (const one of members) if (typeof one === 'object' && one !== null) yield* schemasIn(one as Schema);
}

const listed = [...tools, ...moreTools].map((tool) => listing(tool, 'svc'));

describe('the schemas of tools', () => {
  it.each(listed.map((tool) => [tool.name, tool] as const))('say nothing twice: %s', (_, tool) => {
    const answer = [...schemasIn(tool.outputSchema)];
    for (const schema of schemasIn(tool.inputSchema)) expect(schema.additionalProperties).not.toEqual({});
    const described = answer.flatMap(({ description }) => (description === undefined ? [] : [description]));
    expect(described).toEqual([...new Set(described)]);
    for (const schema of answer) {
      expect(Object.keys(schema)).not.toContain('maxProperties');
      expect(Object.keys(schema)).not.toContain('pattern');
    }
    for (const schema of [...schemasIn(tool.inputSchema), ...answer]) {
      const choices = (schema.anyOf ?? [{}]) as Schema[];
      expect(choices.every((one) => typeof one.const === 'string')).toBe(false);
    }
  });

  it('keep what an agent writes by: bounds, choices, and a description of each parameter', () => {
    const size = { type: 'integer', minimum: 1, maximum: 9, description: 'How many.' };
    const float = { type: 'number', minimum: -3.4e38, maximum: 3.4e38 };
    const input = {
      type: 'object',
      required: ['mode'],
      properties: {
        mode: { anyOf: [{ const: 'a' }, { const: 'b', type: 'string' }], description: 'How.', default: 'a' },
        text: { type: 'string', pattern: WORDS, maxLength: 5, description: 'What.' },
        size,
        other: { ...size },
        rows: { type: 'array', items: { type: 'object', properties: { size, float }, additionalProperties: false } },
        free: { type: 'object', additionalProperties: {}, maxProperties: 9 },
        ids: { type: 'object', additionalProperties: size },
        either: { anyOf: [{ type: 'string', pattern: 'x' }, { type: 'null' }] },
      },
    };
    const { description: _, ...shortSize } = size;
    expect(compactSchema(input, 'input')).toEqual({
      type: 'object',
      required: ['mode'],
      properties: {
        mode: { type: 'string', enum: ['a', 'b'], description: 'How.', default: 'a' },
        text: { type: 'string', pattern: '\\S', maxLength: 5, description: 'What.' },
        size,
        other: size,
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { size: shortSize, float: { type: 'number' } },
            additionalProperties: false,
          },
        },
        free: { type: 'object', maxProperties: 9 },
        ids: { type: 'object', additionalProperties: shortSize },
        either: { anyOf: [{ type: 'string', pattern: 'x' }, { type: 'null' }] },
      },
    });
  });
});
