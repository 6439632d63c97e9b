import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultInteropConfig } from '../../src/interop/config.js';
import { consumePending } from '../../src/interop/consume.js';
import { readSeedFile } from '../../src/interop/seeds.js';
import { validateSeed } from '../../src/interop/validate.js';
import { openService, type TestService } from '../service/harness.js';

let a: TestService;
let b: TestService;
beforeAll(async () => {
  [a, b] = await Promise.all([openService({ SVC_EMBEDDING: 'none' }), openService({ SVC_EMBEDDING: 'none' })]);
}, 60_000);
afterAll(() => Promise.all([a.close(), b.close()]));

const RELATIONS = ['requires', 'USES', 'Part_Of', 'contradicts', 'instance_of', 'PAYS_FOR'];
/** Texts with a letter; control characters are no part of any. */
const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
      fc.constantFrom(
        '# not a heading',
        '- item',
        'a: b',
        '---',
        '!!js/function "x"',
        '&a *a',
        '{{x}}',
        '`rm -rf`',
        'no',
      ),
    )
    .map((given) => `R${given}`);
const graph = fc.record({
  names: fc.uniqueArray(text(30), {
    minLength: 1,
    maxLength: 6,
    selector: (name) => name.normalize('NFKC').toLowerCase(),
  }),
  edges: fc.array(fc.tuple(fc.nat(5), fc.constantFrom(...RELATIONS), fc.nat(5)), { maxLength: 8 }),
  rules: fc.uniqueArray(
    fc.record({
      text: text(120),
      category: fc.constantFrom('general', 'security', 'Ärzte & Co'),
      confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    }),
    { maxLength: 6, selector: (rule) => rule.text.replace(/\s+/g, ' ').trim() },
  ),
});

it('projects any graph to a valid rule set, which travels and comes back with the same explicit rules', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(graph, async ({ names, edges, rules }) => {
      number += 1;
      const domain = `d${number}`;
      const endpoint = (i: number) => names[i % names.length]!;
      const ingested = await a.post('/v1/ingest/structured', {
        domain,
        concepts: names.map((name) => ({ name })),
        edges: edges.map(([from, relation, to]) => ({ source: endpoint(from), relation, target: endpoint(to) })),
        rules,
      });
      expect(ingested.status).toBe(200);
      const { body } = await a.post('/v1/project', { persona: `P ${number}`, domains: [domain], pending: true });
      expect(validateSeed(body.ruleset)).toEqual([]);
      const config = defaultInteropConfig(a.directory);
      const [consumed] = await consumePending({ config, versions: new Set([1]), source: 'test', clock: Date.now });
      expect(consumed).toMatchObject({ outcome: 'processed', rule_count: body.rule_count });
      const seed = readSeedFile(consumed!.path);
      const restored = await b.post('/v1/ingest/seed', { seed, name: domain });
      expect(restored.status).toBe(200);
      expect(await explicitRules(b, domain)).toEqual(explicitOf(body.ruleset as { rules: SeedRule[] }));
      // Nothing is lost: one rule for each that was given, sanitised as every target does.
      expect(explicitOf(body.ruleset as { rules: SeedRule[] })).toHaveLength((await explicitRules(a, domain)).length);
    }),
    { numRuns: 25 },
  );
}, 120_000);

interface SeedRule {
  readonly rule: string;
  readonly category: string;
  readonly provenance: { readonly derivation: string; readonly confidence: number };
}

function explicitOf({ rules }: { readonly rules: readonly SeedRule[] }) {
  return rules
    .filter(({ provenance }) => provenance.derivation === 'explicit')
    .map(({ rule, category, provenance }) => `${rule} | ${category} | ${provenance.confidence}`)
    .sort();
}

async function explicitRules(service: TestService, domain: string): Promise<string[]> {
  const { status, body } = await service.post('/v1/rules', { domains: [domain], include_derived: false });
  if (status === 404) return [];
  const rules = body.rules as Array<{ text: string; category: string; confidence: number }>;
  return rules.map((rule) => `${rule.text} | ${rule.category} | ${rule.confidence}`).sort();
}
