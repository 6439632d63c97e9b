import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { exportSchemas } from '../../src/interop/schemas.js';
import { validateEvent, validateSeed } from '../../src/interop/validate.js';

const provenance = { id: 'rule:one', domain: 'ops', derivation: 'explicit', confidence: 1 };
const rule = { rule: 'Rinse the filter.', category: 'general', provenance };
const seed = { persona: 'operator', version: 1, rules: [rule], metadata: { source: 'svc', rule_count: 1 } };
const event = { event: 'projection_complete', ts: '2026-01-01T00:00:00Z', source: 'svc' };

describe('the validation of rule sets', () => {
  it('accepts a valid one, with members that the schema does not name', () => {
    expect(validateSeed(seed)).toEqual([]);
    expect(
      validateSeed({ ...seed, extra: 1, rules: [{ ...rule, extra: {}, provenance: { ...provenance, more: [] } }] }),
    ).toEqual([]);
  });

  it.each([
    ['no object', [], ['/: must be an object with persona, version, rules and metadata, not a list']],
    ['nothing', null, ['/: is empty; write persona, version, rules and metadata']],
    ['no members', {}, ['persona', 'version', 'rules', 'metadata'].map((name) => `/: ${name} is missing`)],
    ['persona as an object', { ...seed, persona: { name: 'x' } }, ['/persona: must be a string, not an object']],
    ['an empty persona', { ...seed, persona: '' }, ['/persona: must not be empty']],
    ['a semantic version', { ...seed, version: '1.0.0' }, ['/version: must be an integer, such as 1']],
    ['version 0', { ...seed, version: 0 }, ['/version: must be >= 1']],
    [
      '`text` in place of `rule`',
      { ...seed, rules: [{ text: 'x', category: 'c', provenance }] },
      ['/rules/0: rule is missing; the text of a rule belongs in `rule`, not in `text`'],
    ],
    [
      'provenance members on the rule itself',
      { ...seed, rules: [{ rule: 'x', category: 'c', ...provenance }] },
      ['/rules/0: provenance is missing; id, domain, derivation and confidence belong inside it'],
    ],
    [
      'an unknown derivation',
      { ...seed, rules: [{ ...rule, provenance: { ...provenance, derivation: 'guessed' } }] },
      ['/rules/0/provenance/derivation: must be one of explicit, derived'],
    ],
    [
      'a confidence above 1',
      { ...seed, rules: [{ ...rule, provenance: { ...provenance, confidence: 2 } }] },
      ['/rules/0/provenance/confidence: must be <= 1'],
    ],
  ])('names what is wrong with %s', (_name, value, errors) => {
    expect(validateSeed(value)).toEqual(errors);
  });

  it('says the same as the schema about the count of rules, which no schema compares with them', () => {
    expect(validateSeed({ ...seed, metadata: { source: 'svc', rule_count: 2 } })).toEqual([]);
    expect(validateSeed({ ...seed, metadata: { source: 'svc', rule_count: 'two' } })).toEqual([
      '/metadata/rule_count: must be an integer, not a string',
    ]);
  });

  it.each(['1.0', '1.7', '1.2.3', 1, 1.1, null])(
    'accepts the schema version %j, also a higher minor one',
    (version) => {
      expect(validateSeed({ ...seed, schema_version: version })).toEqual([]);
    },
  );

  it.each([
    ['2.0', '/schema_version: is 2.0, but only 1.x can be read; write the rule set in that version'],
    ['0.9', '/schema_version: is 0.9, but only 1.x can be read; write the rule set in that version'],
    [10, '/schema_version: is 10, but only 1.x can be read; write the rule set in that version'],
    ['newest', '/schema_version: must be a version such as 1.0'],
    [{ major: 1 }, '/schema_version: must be a version such as 1.0'],
  ])('refuses the schema version %j', (version, error) => {
    expect(validateSeed({ ...seed, schema_version: version })).toEqual([error]);
  });

  it.each(['2026-01-31T09:30:00.5Z', '2026-01-31T09:30:00+02:00', '2026-01-31T09:30:00.123456', '2026-01-31T09:30'])(
    'accepts the ISO 8601 time of projection %s',
    (projected_at) => {
      expect(validateSeed({ ...seed, metadata: { ...seed.metadata, projected_at } })).toEqual([]);
    },
  );

  it.each(['yesterday', '2026-13-01T00:00:00Z', '2026-01-31', '1769851800'])(
    'refuses the time of projection %s',
    (projected_at) => {
      expect(validateSeed({ ...seed, metadata: { ...seed.metadata, projected_at } })).toEqual([
        '/metadata/projected_at: must be a date and time such as 2026-01-01T00:00:00Z',
      ]);
    },
  );

  it('lists no more than a hundred errors', () => {
    const rules = Array.from({ length: 5000 }, () => ({}));
    expect(validateSeed({ ...seed, rules })).toHaveLength(100);
  });
});

describe('the validation of events', () => {
  it('accepts a valid one, with additional members', () => {
    expect(validateEvent({ ...event, anything: true })).toEqual([]);
  });

  it.each([
    ['an unknown event', { ...event, event: 'seed_eaten' }, '/event: must be one of'],
    ['no time', { event: 'seed_failed', source: 'x' }, '/: ts is missing'],
    ['a time that is none', { ...event, ts: 'yesterday' }, '/ts: must be a date and time such as 2026-01-01T00:00:00Z'],
    ['a negative count', { ...event, rule_count: -1 }, '/rule_count: must be >= 0'],
  ])('names %s', (_name, value, error) => {
    expect(validateEvent(value)[0]).toContain(error);
  });
});

describe('the export of schemas', () => {
  it('writes both and answers their paths', () => {
    const paths = exportSchemas(join(mkdtempSync(join(tmpdir(), 'schemas-')), 'new', 'folder'));
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['seed.v1.schema.json', 'event.v1.schema.json']);
    for (const path of paths) expect(JSON.parse(readFileSync(path, 'utf8')).$schema).toContain('2020-12');
  });
});
