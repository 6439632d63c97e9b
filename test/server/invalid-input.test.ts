import { describe, expect, it } from '@jest/globals';
import type { TSchema } from '@sinclair/typebox';
import type { SvcError } from '../../src/core/errors.js';
import { operations } from '../../src/operations/index.js';
import { exampleOf } from '../../src/operations/invoke/example.js';
import { PATTERNS } from '../../src/operations/invoke/invalid-input.js';
import { validated, validatedInSlices, validatorOf } from '../../src/operations/invoke/validate.js';
import { checkConstraints } from '../../src/operations/schema/constraints.js';

function complaint(name: keyof typeof operations, input: object): string {
  try {
    validated(operations[name], input);
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('an input that a schema refuses', () => {
  it.each(Object.entries(operations))('has words for every pattern: %s', (_name, operation) => {
    const patterns = JSON.stringify(operation.input).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
    expect([...patterns].map((found) => JSON.parse(found[1]!)).filter((pattern) => !(pattern in PATTERNS))).toEqual([]);
  });

  it.each([
    ['query', { context: 'a', mode: 'magic' }, 'mode must be one of auto, vec, graph.'],
    ['query', { context: ' ' }, 'context must hold more than white space.'],
    ['query', {}, 'context is missing; it is required.'],
    ['query', { context: 'a', top_k: 0 }, 'top_k must be >= 1.'],
    ['query', { context: 'a'.repeat(20_001) }, 'context must not be longer than 20000 characters.'],
    [
      'query',
      { context: 'a', domains: ['ok', '-no'] },
      'domains.1 must begin with one of a-z, A-Z, 0-9 and hold at most 128 of these, spaces and . _ / -.',
    ],
    [
      'ingest_message',
      { text: 'a', session_id: 's', domain: 'd', timestamp: '2024-01-01T10:00:00' },
      'timestamp must be a date and time of ISO 8601 with its zone, as in 2026-03-01T12:30:00Z.',
    ],
    ['ingest_text', { text: 'a', domain: 'd', format: 'html' }, 'format must be one of text, markdown.'],
    ['vector_delete_index', { index_name: 'a\0b' }, 'index_name must hold 1 to 64 of a-z, A-Z, 0-9, _ and -.'],
    ['explore', { node_id: 'd:\ud800' }, 'node_id holds NUL or half a surrogate pair; send well-formed text.'],
    ['query', { context: '\0' }, 'context must not be shorter than 1 character.'],
    [
      'green_export_tcfd',
      { period: '2024-Q5' },
      'period must be a year YYYY, a quarter YYYY-Qn, a month YYYY-MM or an ISO week YYYY-Wnn.',
    ],
    ['source_sync', { source_id: 's', mode: 'all' }, 'mode must be one of full, incremental.'],
    [
      'ingest_message',
      { text: 'a', session_id: 's', domain: 'd', timestamp: 1_709_296_200 },
      'timestamp must be a date and time of ISO 8601 with its zone, as in 2026-03-01T12:30:00Z.',
    ],
    ['query', { context: 'a', domains: 'agent' }, 'domains must be an array, such as ["handbook"].'],
    ['query', { context: 'a', domains: [7] }, 'domains.0 must be a string, such as "handbook".'],
    ['query', { context: 'a', top_k: 'ten' }, 'top_k must be an integer, such as 20.'],
    ['query', { context: 'a', top_k: '3' }, 'top_k must be an integer, such as 20.'],
    ['query', { context: 'a', min_confidence: [] }, 'min_confidence must be a number, such as 0.5.'],
    ['rules', { include_derived: 'yes' }, 'include_derived must be true or false.'],
    [
      'learning_select',
      { learner: 'l', candidates: ['x'] },
      'candidates.0 must be an object, such as {"id":"handbook"}.',
    ],
    [
      'ingest_structured',
      { domain: 'd', concepts: [], edges: [{ from: 'a', to: 'b', type: 'USES' }] },
      'edges.0.source is missing; send it as in {"source":"Cache","target":"Redis","relation":"USES"}.',
    ],
    ['vector_update', { index_name: 'i', filter: {}, metadata: { a: 1 } }, 'filter must hold at least 1 member.'],
    ['learning_select', { learner: 'l', candidates: [] }, 'candidates must hold at least 1 element.'],
    [
      'feedback',
      { query_id: 'q', outcomes: 'good' },
      'outcomes must be an object, such as {"handbook:3f2a9c":"accepted"}.',
    ],
    [
      'ingest_structured',
      { domain: 'd', concepts: [], rules: ['Close it.'] },
      'rules.0 must be an object, such as {"text":"Rinse the filter every Monday."}.',
    ],
    [
      'ingest_structured',
      { domain: 'd', concepts: [], edges: ['a uses b'] },
      'edges.0 must be an object, such as {"source":"Cache","target":"Redis","relation":"USES"}.',
    ],
  ] as const)('names its member and what to send: %s %j', (name, input, message) => {
    expect(complaint(name, input)).toBe(message);
  });

  it('is refused when it is nested absurdly deep, whatever the surface', () => {
    let metadata: object = {};
    for (let level = 0; level < 6000; level += 1) metadata = { a: metadata };
    const input = { index_name: 'i', vectors: [[1]], metadata: [metadata] };
    expect(complaint('vector_upsert', input)).toBe('metadata is nested deeper than 100 levels; flatten it.');
  });

  it('loses NUL and half surrogate pairs where it is prose', () => {
    expect(validated(operations.query, { context: 'a\0 harbour \ud800' })).toMatchObject({
      context: 'a harbour \ufffd',
    });
    const given = { domain: 'd', concepts: [{ name: 'T\0ea', properties: { 'k\0': ['\udfff'] } }] };
    expect(validated(operations.ingest_structured, given)).toMatchObject({
      concepts: [{ name: 'Tea', properties: { k: ['\ufffd'] } }],
    });
  });
});

describe('the example of an error', () => {
  it.each(
    Object.entries(operations).flatMap(([name, { input }]) =>
      Object.entries((input.properties ?? {}) as Record<string, TSchema>)
        .filter(([, schema]) => schema.type !== undefined)
        .map(([member, schema]) => [name, member, schema] as const),
    ),
  )('is allowed where it is shown: %s %s', (_name, member, schema) => {
    const example = exampleOf(schema, member);
    const check = validatorOf(schema);
    expect([check(structuredClone(example)), check.errors, example]).toEqual([true, null, example]);
    expect(() => checkConstraints(example, schema)).not.toThrow();
  });
});

describe('a long list', () => {
  const elements = (bad: number) =>
    Array.from({ length: 1300 }, (_, i) => (i === bad ? { name: 'n', description: 7 } : { name: `n\0${i}`, id: null }));

  it('is read as a short one: nulls, stray characters and defaults', async () => {
    const valid = await validatedInSlices(operations.ingest_structured, {
      domain: 'd',
      concepts: elements(-1),
      rules: null,
    });
    expect(valid).toMatchObject({ domain: 'd', edges: [], rules: [] });
    expect((valid.concepts as unknown[])[1299]).toEqual({ name: 'n1299' });
    expect(valid.concepts).toHaveLength(1300);
  });

  it('is refused by the place of its bad element, and at once where it is too long', async () => {
    const refused = async (input: object) =>
      validatedInSlices(operations.ingest_structured, input).catch((error: SvcError) => error.details?.member);
    expect(await refused({ domain: 'd', concepts: elements(1234) })).toBe('concepts.1234.description');
    expect(await refused({ domain: '', concepts: elements(1234) })).toBe('domain');
    const edges = Array.from({ length: 700 }, () => ({ source: 'a', target: 'b', relation: 'USES' }));
    expect(
      await refused({ domain: 'd', concepts: elements(-1), edges: [...edges, { source: 'a', target: 'b' }] }),
    ).toBe('edges.700.relation');
    expect(await refused({ domain: 'd', concepts: new Array(100_001).fill(7) })).toBe('concepts');
  });
});
