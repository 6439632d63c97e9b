import { describe, expect, it } from '@jest/globals';
import type { GraphRule } from '../../src/core/model.js';
import { shippedTemplates } from '../../src/index.js';
import { TemplateEnricher } from '../../src/projection/enrich-template.js';
import { EnrichmentPipeline } from '../../src/projection/enrichment.js';
import { TemplateRegistry } from '../../src/projection/templates.js';
import { derivedRule, explicitRule } from './rules.js';

const templates = new TemplateRegistry(shippedTemplates());
const namesOf = async () =>
  new Map([
    ['ops:a', 'Filter'],
    ['ops:b', 'Pump'],
  ]);

describe('the template registry', () => {
  it('finds templates by id, without case, and renders them', () => {
    const template = templates.getTemplate('REQUIRES:imperative');
    expect(template?.render('Filter', 'Pump')).toBe('Always provide Pump when you use Filter.');
    expect(templates.getTemplate('requires:poetic')).toBeUndefined();
  });

  it('holds three variants of each of the 13 relations, the first of them imperative, all with category and severity', () => {
    const relations = new Map<string, string[]>();
    for (const { relation, variant, category, severity } of templates.list()) {
      relations.set(relation, [...(relations.get(relation) ?? []), variant]);
      expect(category).not.toBe('');
      expect(['error', 'warning', 'info']).toContain(severity);
    }
    expect([...relations.keys()].sort()).toEqual(
      'alternative_to belongs_to challenges contains contradicts implements instance_of part_of refines requires similar_to supports uses'.split(
        ' ',
      ),
    );
    for (const variants of relations.values()) {
      expect(variants).toHaveLength(3);
      expect(variants[0]).toBe('imperative');
    }
  });

  it('selects the requested variant, the first one where there is no such, and nothing for an unknown relation', () => {
    const edge = { relation_type: 'REQUIRES' };
    expect(templates.selectTemplate(edge, 'conditional')?.id).toBe('requires:conditional');
    expect(templates.selectTemplate(edge, 'poetic')?.id).toBe('requires:imperative');
    expect(templates.selectTemplate(edge)?.id).toBe('requires:imperative');
    expect(templates.selectTemplate({ relation_type: 'ORBITS' })).toBeUndefined();
  });

  it('forgets what was registered when it is reset', () => {
    const own = new TemplateRegistry(shippedTemplates());
    own.register({ ...own.getTemplate('requires:imperative')!, text: '{source} wants {target}.' });
    expect(own.selectTemplate({ relation_type: 'requires' })?.render('A', 'B')).toBe('A wants B.');
    own.reset();
    expect(own.getTemplate('requires:imperative')?.render('A', 'B')).toBe('Always provide B when you use A.');
  });
});

describe('the template enricher', () => {
  const enricher = new TemplateEnricher('ops', { templates, namesOf });

  it('takes what a derived rule lacks from its relation', async () => {
    const [enriched] = await enricher.enrich([derivedRule]);
    expect(enriched).toMatchObject({
      context: 'When Filter is planned, set up or changed.',
      antipattern: 'Filter is used while Pump is missing.',
      rationale: 'Filter does not work without Pump.',
      tags: ['ops', 'dependency', 'requires', 'filter', 'pump'],
    });
  });

  it('keeps what a rule says itself', async () => {
    const rule = explicitRule({
      text: 'Rinse the filter.',
      source_concepts: ['ops:a'],
      metadata: { rationale: 'Dust blocks it.', tags: ['Cleaning'] },
    });
    expect(await enricher.enrich([rule])).toEqual([
      {
        rule,
        context: 'When working with Filter.',
        rationale: 'Dust blocks it.',
        tags: ['cleaning', 'ops', 'general', 'filter'],
      },
    ]);
  });

  it('gives the same each time', async () => {
    expect(await enricher.enrich([derivedRule])).toEqual(await enricher.enrich([derivedRule]));
  });
});

describe('the enrichment pipeline', () => {
  it('falls back to templates where the backend fails, batch by batch, and counts both', async () => {
    const rules = [1, 2, 3].map((n) => explicitRule({ id: `rule:${n}`, text: `Rule ${n}.` }));
    const failures: unknown[] = [];
    const pipeline = new EnrichmentPipeline(new TemplateEnricher(), {
      batch: 2,
      backend: {
        enrichBatch: async (batch) => {
          if (batch.length === 1) throw new Error('out of tokens');
          return batch.map((rule) => ({ rule, context: 'By a model.', tags: [] }));
        },
      },
      onFailure: (error) => failures.push(error),
    });
    const enriched = await pipeline.enrich(rules);
    expect(enriched.map(({ rule }) => rule.id)).toEqual(['rule:1', 'rule:2', 'rule:3']);
    expect(enriched.map(({ context }) => context)).toEqual(['By a model.', 'By a model.', undefined]);
    expect(pipeline.stats).toEqual({ succeeded: 2, failed: 1 });
    expect(failures).toHaveLength(1);
  });

  it('calls a backend by the name of the specification, with rules and domain, as its method', async () => {
    class Backend {
      readonly seen: unknown[] = [];
      async enrich_batch(rules: readonly GraphRule[], domain: string) {
        this.seen.push([rules.length, domain]);
        return rules.map((rule) => ({ rule, context: 'By a model.', tags: [] }));
      }
    }
    const backend = new Backend();
    const pipeline = new EnrichmentPipeline(new TemplateEnricher(), { backend });
    const [enriched] = await pipeline.enrich([explicitRule({ text: 'One.' })]);
    expect(enriched!.context).toBe('By a model.');
    expect([backend.seen, pipeline.stats]).toEqual([[[1, enriched!.rule.domain]], { succeeded: 1, failed: 0 }]);
    const other = { backend: { enrich: () => [] } } as never;
    expect(() => new EnrichmentPipeline(new TemplateEnricher(), other)).toThrow(/enrich_batch/);
  });

  it('counts a backend that answers for fewer rules as failed', async () => {
    const pipeline = new EnrichmentPipeline(new TemplateEnricher(), { backend: { enrichBatch: async () => [] } });
    await pipeline.enrich([explicitRule({ text: 'One.' })]);
    expect(pipeline.stats).toEqual({ succeeded: 0, failed: 1 });
  });
});
