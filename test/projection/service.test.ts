import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { defaultInteropConfig } from '../../src/interop/config.js';
import { consumePending } from '../../src/interop/consume.js';
import { readSeedFile } from '../../src/interop/seeds.js';
import { readSignals } from '../../src/interop/signals.js';
import { validateSeed } from '../../src/interop/validate.js';
import { openService, type TestService } from '../service/harness.js';

describe('projection over HTTP', () => {
  let a: TestService;
  let b: TestService;

  beforeAll(async () => {
    a = await openService();
    b = await openService();
    await a.post('/v1/ingest/structured', {
      domain: 'ops',
      concepts: [
        { name: 'Filter', description: 'Keeps dust out.' },
        { name: 'Pump', description: 'Moves water.' },
      ],
      edges: [{ source: 'Filter', target: 'Pump', relation: 'requires' }],
      rules: [
        { text: 'Rinse the Filter every Monday.', category: 'cleaning' },
        { text: 'Never run the Pump dry: "!!js/x" # not a comment\n---' },
      ],
    });
  }, 60_000);

  afterAll(async () => {
    await a.close();
    await b.close();
  });

  it('answers a valid rule set with explicit and derived rules', async () => {
    const { status, body } = await a.post('/v1/project', { persona: 'operator', domains: ['ops'], version: 4 });
    expect(status).toBe(200);
    expect(validateSeed(body.ruleset)).toEqual([]);
    expect(body.ruleset).toMatchObject({ persona: 'operator', version: 4, metadata: { source: 'svc', rule_count: 3 } });
    const derived = body.ruleset.rules.find(
      (rule: { provenance: { derivation: string } }) => rule.provenance.derivation === 'derived',
    );
    expect(derived).toMatchObject({
      rule: 'Always provide Pump when you use Filter.',
      category: 'dependency',
      context: 'When Filter is planned, set up or changed.',
      provenance: { relation_type: 'requires', template_id: 'requires:imperative', template_severity: 'error' },
    });
  });

  it('filters, and reads derived rules in another variant', async () => {
    const { body } = await a.post('/v1/project', {
      persona: 'operator',
      categories: ['dependency'],
      variant: 'conditional',
      target: 'yaml',
    });
    expect(parse(body.content)).toEqual([
      expect.objectContaining({ rule: 'If Filter is used, then Pump must be in place.', severity: 'warning' }),
    ]);
  });

  it('says how sure the surest rule is where none is as sure as was asked for', async () => {
    await b.post('/v1/ingest/structured', {
      domain: 'unsure',
      concepts: [],
      rules: [{ text: 'Close the tap.', confidence: 0.6 }],
    });
    const input = { persona: 'p', domains: ['unsure'], min_confidence: 0.8 };
    const { body } = await b.post('/v1/project', input);
    expect([body.rule_count, body.warnings]).toEqual([0, ['No rule reaches the confidence 0.8; the highest is 0.6.']]);
    const sure = await b.post('/v1/project', { ...input, min_confidence: 0.6 });
    expect([sure.body.rule_count, sure.body.warnings]).toEqual([1, []]);
    const other = await b.post('/v1/project', { ...input, categories: ['none'] });
    expect(other.body.warnings).toEqual(['No rule has the category none; there is general.']);
    await b.delete('/v1/domains/unsure');
  });

  it.each([
    [{ domains: ['ops'] }, 400, 'persona'],
    [{ persona: 'x', target: 'pdf' }, 400, 'target'],
    [{ persona: 'x', version: 0 }, 400, 'version'],
    [{ persona: 'x', variant: 'poetic' }, 400, 'variant must be one of imperative, conditional, declarative'],
    [{ persona: 'x', pending: true, target: 'agents' }, 400, 'pending'],
    [{ persona: 'x', domains: ['nowhere'] }, 404, 'nowhere'],
    [{ persona: 'x', llm: true }, 503, 'SVC_LLM'],
  ])('refuses %j', async (input, status, message) => {
    const answer = await a.post('/v1/project', input);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(message);
  });

  it('goes through the whole life cycle: pending, processed, and back into another graph with the same explicit rules', async () => {
    const { body } = await a.post('/v1/project', { persona: 'Night operator', pending: true });
    expect(existsSync(body.path)).toBe(true);
    expect(body.path).toContain(join('seeds', 'pending', 'Night-operator_'));
    const config = defaultInteropConfig(a.directory);
    const [consumed] = await consumePending({ config, versions: new Set([1]), source: 'test', clock: Date.now });
    expect(consumed).toMatchObject({ outcome: 'processed', persona: 'Night operator', rule_count: 3 });
    expect((await readSignals(config.signals.projections)).map(({ event, domain }) => [event, domain])).toEqual([
      ['projection_complete', 'all'],
      ['seed_ingested', undefined],
    ]);
    const seed = readSeedFile(consumed!.path);
    const restored = await b.post('/v1/ingest/seed', { seed, name: 'night.yaml' });
    expect(restored.body).toMatchObject({ persona: 'Night operator', results: [{ domain: 'ops', rules: 2 }] });
    expect(restored.body.warnings).toEqual(['1 derived rules were left out: the edges of the graph make them again.']);
    const explicit = async (service: TestService) => {
      const { body: answer } = await service.post('/v1/rules', { domains: ['ops'], include_derived: false });
      return answer.rules.map(({ id, text, category, confidence }: Record<string, unknown>) => ({
        id,
        text,
        category,
        confidence,
      }));
    };
    expect(await explicit(b)).toEqual(
      (await explicit(a)).map((rule: { text: string }) => ({
        ...rule,
        text: rule.text.replace(/\s+/g, ' ').trim(),
        id: expect.any(String),
      })),
    );
    expect((await b.post('/v1/ingest/seed', { seed, name: 'night.yaml' })).body.results[0].unchanged).toBe(true);
  });

  it('warns of misspelt members of a rule set and of rules with one id', async () => {
    const { ruleset } = (await a.post('/v1/project', { persona: 'x', include_derived: false })).body;
    const [first, second] = ruleset.rules;
    const rules = [
      { ...first, context: undefined, contxt: 'At night.' },
      { ...second, provenance: { ...second.provenance, id: first.provenance.id } },
    ];
    const { status, body } = await b.post('/v1/ingest/seed', {
      seed: { ...ruleset, rules },
      name: 'slips',
      domain: 'slips',
    });
    expect([status, body.warnings]).toEqual([
      200,
      [
        '/rules/0: contxt is no member and is ignored; did you mean context?',
        expect.stringContaining(`/rules/1/provenance/id: ${first.provenance.id} is the id of /rules/0, too`),
      ],
    ]);
  });

  it('names categories that no rule has, with the one that was meant', async () => {
    const sentences = [
      'No rule has the category cleanin; did you mean cleaning?',
      'No rule has the category security; there is cleaning, dependency, general.',
    ];
    const categories = ['cleanin', 'dependency', 'security'];
    const projected = await a.post('/v1/project', { persona: 'operator', domains: ['ops'], categories });
    expect([projected.body.rule_count, projected.body.warnings]).toEqual([1, sentences]);
    const listed = await a.post('/v1/rules', { domains: ['ops'], categories });
    expect([listed.body.total, listed.body.warnings]).toEqual([1, sentences]);
    const there = await a.post('/v1/rules', {
      domains: ['ops'],
      categories: ['cleaning'],
      min_confidence: 1,
      offset: 9,
    });
    expect(there.body.warnings).toBeUndefined();
  });

  it('refuses a rule set that is not valid, and writes nothing', async () => {
    const answer = await b.post('/v1/ingest/seed', {
      seed: { persona: { name: 'x' }, version: 1, rules: [], metadata: {} },
      name: 'bad',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('/persona: must be a string, not an object');
  });

  it.each([
    ['a domain that none can have', { rule: 'Close the valve.', domain: '' }, 'domain must start with'],
    ['a rule without words', { rule: ' ', domain: 'fine' }, 'must be a text that is not empty'],
    ['a rule that is too long', { rule: 'x'.repeat(10_001), domain: 'fine' }, 'at most 10000 are allowed'],
  ])('refuses %s as a fault of the rule set, before any of its domains is written', async (_name, wrong, sentence) => {
    const ruleOf = ({ rule, domain }: { rule: string; domain: string }) => {
      const provenance = { id: 'rule:one', domain, derivation: 'explicit', confidence: 1 };
      return { rule, category: 'safety', provenance };
    };
    const rules = [ruleOf({ rule: 'Open the valve.', domain: 'untouched' }), ruleOf(wrong)];
    const metadata = { source: 'test', rule_count: 2 };
    const { status, body } = await b.post('/v1/ingest/seed', { seed: { persona: 'x', version: 1, rules, metadata } });
    expect([status, body.details]).toEqual([400, { member: 'seed' }]);
    expect(body.error).toContain(sentence);
    const { domains } = (await b.get('/v1/domains')).body;
    expect(domains.map(({ name }: { name: string }) => name)).not.toContain('untouched');
  });

  it('keeps projections of hostile rules on their lines', async () => {
    const { body } = await a.post('/v1/project', { persona: 'operator', target: 'agents', include_derived: false });
    expect(body.content).toContain('- Never run the Pump dry: "!!js/x" # not a comment ---\n');
    expect(readFileSync(join(process.cwd(), 'schemas', 'seed.v1.schema.json'), 'utf8')).toContain('2020-12');
  });
});

it('names its origin as the service is named, in the rule set and in the event', async () => {
  const test = await openService({ SVC_EMBEDDING: 'none', SVC_NAME: 'acme' });
  try {
    const { body } = await test.post('/v1/project', { persona: 'p', pending: true });
    expect(body.ruleset.metadata.source).toBe('acme');
    expect(readSeedFile(body.path)).toMatchObject({ metadata: { source: 'acme' } });
    const events = await readSignals(defaultInteropConfig(test.directory).signals.projections);
    expect(events.map(({ source }) => source)).toEqual(['acme']);
  } finally {
    await test.close();
  }
}, 60_000);

describe('edge templates of your own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  const file = join(folder, 'templates.yaml');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('replace a relation and add another, in answers and projections; the rest stays as it is shipped', async () => {
    writeFileSync(
      file,
      `requires:
  category: supply
  variants:
    imperative: { severity: warning, text: "Order {target} before {source}." }
pays_for:
  category: money
  variants:
    imperative: { severity: info, text: "Bill {source} for {target}." }
`,
    );
    const test = await openService({ SVC_EMBEDDING: 'none', SVC_EDGE_TEMPLATES: file });
    try {
      await test.post('/v1/ingest/structured', {
        domain: 'ops',
        concepts: [{ name: 'Filter' }, { name: 'Pump' }],
        edges: ['requires', 'pays_for', 'uses'].map((relation) => ({ source: 'Filter', target: 'Pump', relation })),
      });
      const words = [
        'Bill Filter for Pump.',
        'Keep Pump available for Filter, which uses it.',
        'Order Pump before Filter.',
      ];
      const { rules } = (await test.post('/v1/rules', { domains: ['ops'] })).body;
      expect(rules.map(({ text }: { text: string }) => text).sort()).toEqual(words);
      const { ruleset } = (await test.post('/v1/project', { persona: 'p', variant: 'imperative' })).body;
      expect(ruleset.rules.map(({ rule }: { rule: string }) => rule).sort()).toEqual(words);
      const supply = ruleset.rules.find(({ category }: { category: string }) => category === 'supply');
      expect(supply.provenance).toMatchObject({ template_id: 'requires:imperative', template_severity: 'warning' });
      expect(supply).not.toHaveProperty('rationale');
    } finally {
      await test.close();
    }
  }, 60_000);

  it('are refused with the member that is wrong', async () => {
    writeFileSync(file, 'requires: { category: supply, variants: { imperative: { severity: loud, text: "x" } } }\n');
    await expect(openService({ SVC_EMBEDDING: 'none', SVC_EDGE_TEMPLATES: file })).rejects.toThrow(
      'requires.variants.imperative.severity',
    );
  }, 60_000);
});
