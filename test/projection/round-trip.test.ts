import { basename } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultInteropConfig } from '../../src/interop/config.js';
import type { Consumed } from '../../src/interop/consume.js';
import { readSeedFile } from '../../src/interop/seeds.js';
import { validateSeed } from '../../src/interop/validate.js';
import { watchPending } from '../../src/interop/watch.js';
import { openService, type TestService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';

/** The service that projects, and the one that takes rule sets back. */
let a: TestService;
let b: TestService;
/** What the watching consumer of `a` took in. */
const consumed: Consumed[] = [];
const stop = new AbortController();
let watching: Promise<void>;

beforeAll(async () => {
  [a, b] = await Promise.all([openService({ SVC_EMBEDDING: 'none' }), openService({ SVC_EMBEDDING: 'none' })]);
  watching = watchPending({
    config: defaultInteropConfig(a.directory),
    versions: new Set([1]),
    source: 'test',
    clock: Date.now,
    signal: stop.signal,
    interval: 20,
    onConsumed: (one) => consumed.push(one),
  });
}, 60_000);
afterAll(async () => {
  stop.abort();
  await watching;
  await Promise.all([a.close(), b.close()]);
});

/** More of them by hand: `ROUND_TRIP_RUNS=500`. */
const RUNS = Number(process.env.ROUND_TRIP_RUNS ?? 25);
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

it('projects any graph to a valid rule set; write, watch, processed and ingest give the same rules wholly', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(graph, { minLength: 1, maxLength: 2 }), async (graphs) => {
      number += 1;
      const domains = graphs.map((_, i) => `d${number}.${i}`);
      for (const [i, { names, edges, rules }] of graphs.entries()) {
        const endpoint = (n: number) => names[n % names.length]!;
        const shape = {
          domain: domains[i],
          concepts: names.map((name) => ({ name })),
          edges: edges.map(([from, relation, to]) => ({ source: endpoint(from), relation, target: endpoint(to) })),
        };
        expect((await a.post('/v1/ingest/structured', { ...shape, rules })).status).toBe(200);
        expect((await b.post('/v1/ingest/structured', shape)).status).toBe(200);
      }
      const project = async (service: TestService, pending: boolean) =>
        (await service.post('/v1/project', { persona: `P ${number}`, domains, pending })).body;
      const { ruleset, path } = await project(a, true);
      expect(validateSeed(ruleset)).toEqual([]);
      const taken = await waitFor(
        () => {
          const found = consumed.find((one) => basename(one.path) === basename(path));
          if (found === undefined) throw new Error(`${path} was not taken in.`);
          return found;
        },
        { timeout: 20_000, interval: 5 },
      );
      expect(taken).toMatchObject({ outcome: 'processed', persona: `P ${number}`, rule_count: ruleset.rules.length });
      const seed = readSeedFile(taken.path);
      expect(seed).toEqual(ruleset);
      expect((await b.post('/v1/ingest/seed', { seed, name: `seed ${number}` })).status).toBe(200);
      // Texts, categories, severities, relations, domains, concepts, contradictions and ids: all but the times.
      expect(withoutTimes((await project(b, false)).ruleset)).toEqual(withoutTimes(ruleset));
      expect(ruleset.rules.filter(isExplicit)).toHaveLength(await explicitCount(a, domains));
      // The same rule set again changes nothing.
      await b.post('/v1/ingest/seed', { seed, name: `seed ${number}` });
      expect(await explicitCount(b, domains)).toBe(await explicitCount(a, domains));
    }),
    { numRuns: RUNS },
  );
}, 600_000);

interface SeedRule {
  readonly provenance: { readonly derivation: string; readonly graph_version?: unknown };
}

function isExplicit({ provenance }: SeedRule): boolean {
  return provenance.derivation === 'explicit';
}

function withoutTimes({ metadata, rules, ...rest }: { metadata: object; rules: SeedRule[] }) {
  return {
    ...rest,
    metadata: { ...metadata, projected_at: null },
    rules: rules.map(({ provenance, ...rule }) => ({ ...rule, provenance: { ...provenance, graph_version: null } })),
  };
}

async function explicitCount(service: TestService, domains: readonly string[]): Promise<number> {
  const { body } = await service.post('/v1/rules', { domains, include_derived: false });
  return body.total;
}
