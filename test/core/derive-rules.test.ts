import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { deriveRule, readTemplates } from '../../src/core/derive-rules.js';
import { edgeId, type GraphEdge, type JsonObject } from '../../src/core/model.js';

const templates = readTemplates(parse(readFileSync('config/edge-templates.yaml', 'utf8')));
const [template] = templates;

function edge(source_id: string, target_id: string, properties: JsonObject = {}): GraphEdge {
  const id = edgeId(source_id, 'REQUIRES', target_id);
  return { id, source_id, target_id, relation_type: 'REQUIRES', confidence: 1, properties };
}

const derived = (of: GraphEdge, source = 'Filter', target = 'Pump') =>
  deriveRule(of, { domain: 'd', source, target }, template!);

describe('rules derived from edges', () => {
  it('come from edges between named concepts', () => {
    expect(derived(edge('d:a', 'd:b'))?.text).toBe('Always provide Pump when you use Filter.');
  });

  it('never come from self-loops, nor from two concepts of one name', () => {
    expect(derived(edge('d:a', 'd:a'))).toBeNull();
    expect(derived(edge('d:a', 'd:b'), 'Pump', 'Pump')).toBeNull();
  });

  it('come from edges of databases only where the source asks for them, and never from what was learned', () => {
    expect(derived(edge('d:a', 'd:b', { provenance: 'row' }))).toBeNull();
    expect(derived(edge('d:a', 'd:b', { provenance: 'row', derive_rules: true }))).not.toBeNull();
    expect(derived(edge('d:a', 'd:b', { provenance: 'interoception', sightings: 2 }))).toBeNull();
    expect(derived(edge('d:a', 'd:b', { provenance: 'schema' }))).toBeNull();
  });

  it('end with one full stop, however the names end', () => {
    expect(derived(edge('d:a', 'd:b'), 'Example Inc.', 'Pump...')?.text).toBe(
      'Always provide Pump when you use Example Inc.',
    );
  });

  it('name each endpoint at most once', () => {
    for (const { id, text } of templates) {
      for (const place of ['{source}', '{target}']) expect([id, text.split(place).length]).not.toEqual([id, 3]);
      expect(text).toMatch(/[^.]\.$/);
    }
  });
});
