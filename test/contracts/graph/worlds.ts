import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { GraphBackend } from '../../../src/backends/graph/port.js';
import { contentHash, hash20 } from '../../../src/core/ids.js';
import type { Manifest, Mention, Passage } from '../../../src/core/model.js';
import { edgeId } from '../../../src/core/model.js';
import { nameKey } from '../../../src/core/text/keys.js';

/** Few names, so that sources meet, wait for each other and disagree. */
export const NAMES = ['Alpha', 'alpha', 'Beta', 'Gamma Ray', 'Jay-Z', 'Jay Z', 'C++', 'C', 'Delta', 'Été'];
const RELATIONS = ['requires', 'USES', 'part_of', 'knows'];

const name = fc.constantFrom(...NAMES);
const confidence = fc.constantFrom(0.3, 0.6, 1);
const endpoint = fc.oneof(name, fc.constantFrom('own1', 'd:own1', 'own2'));

const concept = fc.record(
  {
    name,
    id: fc.constantFrom('own1', 'own2', 'd:own1'),
    description: fc.constantFrom('', 'first', 'second'),
    confidence,
  },
  { requiredKeys: ['name'] },
);

const edge = fc.record({ source: endpoint, target: endpoint, relation: fc.constantFrom(...RELATIONS), confidence });

const rule = fc.record(
  {
    text: fc.constantFrom(
      'Never use Alpha with C++.',
      'Jay Z knows the Gamma Ray.',
      'Nothing here.',
      'Beta, alpha, delta!',
    ),
    name: fc.constantFrom('r1', 'r2'),
    concepts: fc.array(endpoint, { maxLength: 2 }),
    confidence,
  },
  { requiredKeys: ['text'] },
);

const passage = fc.record({
  title: fc.constantFrom('', 'Alpha', 'Beta', 'Jay-Z'),
  text: fc.constantFrom('One sentence here.', 'Another. With two.'),
  about: fc.uniqueArray(fc.record({ key: name.map(nameKey), alias: fc.boolean() }), {
    maxLength: 3,
    selector: (a) => a.key,
  }),
  mentions: fc.array(fc.record({ name, sentence: fc.nat(1), token: fc.nat(5) }), { maxLength: 5 }),
});

export interface SourceSpec {
  readonly key: string;
  readonly concepts: Manifest['concepts'];
  readonly edges: Manifest['edges'];
  readonly rules: Manifest['rules'];
  readonly passages: ReadonlyArray<{
    readonly title: string;
    readonly text: string;
    readonly about: Passage['about'];
    readonly mentions: ReadonlyArray<{ name: string; sentence: number; token: number }>;
  }>;
}

export const sourceSpec: fc.Arbitrary<SourceSpec> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'e'),
  concepts: fc.array(concept, { maxLength: 4 }),
  edges: fc.array(edge, { maxLength: 5 }),
  rules: fc.array(rule, { maxLength: 2 }),
  passages: fc.array(passage, { maxLength: 4 }),
}) as fc.Arbitrary<SourceSpec>;

export type Step =
  | { readonly do: 'ingest'; readonly spec: SourceSpec; readonly append: boolean }
  | { readonly do: 'forget'; readonly key: string };

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('ingest' as const), spec: sourceSpec, append: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('forget' as const), key: fc.constantFrom('a', 'b', 'c', 'e') }),
    },
  ),
  { minLength: 1, maxLength: 7 },
);

export function sourceOf(domain: string, key: string): Manifest['source'] {
  return { domain, kind: 'text', key, label: `label of ${key}` };
}

export function idOfSource(domain: string, key: string): string {
  return hash20(domain, 'text', key);
}

export function manifestOf(domain: string, given: SourceSpec, append = false): Manifest {
  const spec = JSON.parse(JSON.stringify(given)) as SourceSpec;
  return {
    domain,
    source: sourceOf(domain, spec.key),
    content_hash: contentHash(JSON.stringify(spec)),
    concepts: spec.concepts,
    edges: spec.edges,
    rules: spec.rules,
    passages: spec.passages.map(({ title, text, about }, order) => ({
      id: `${domain}:${hash20(spec.key, String(order))}`,
      title,
      text,
      sentences: [[0, text.length]],
      about,
      order,
    })),
    warnings: [],
    ...(append ? { append } : {}),
  };
}

export function mentionsOf(domain: string, spec: SourceSpec): Array<{ id: string; mentions: Mention[] }> {
  return spec.passages.map(({ mentions }, order) => ({
    id: `${domain}:${hash20(spec.key, String(order))}`,
    mentions: mentions.map(({ name: written, sentence, token }) => {
      return { key: nameKey(written), name: written, sentence, token, length: 1 };
    }),
  }));
}

/** Ingests as the load path does: graph first, then the mentions. */
export async function ingest(graph: GraphBackend, domain: string, spec: SourceSpec, append = false) {
  const delta = await graph.ingestManifest(manifestOf(domain, spec, append));
  await graph.setMentions(domain, mentionsOf(domain, spec));
  return delta;
}

/** All that a reader can see of a domain, in a form that two graphs can be compared by. */
export async function seen(graph: GraphBackend, domain: string) {
  const nodes = await graph.findNodes({ domain });
  const edges = await graph.getEdges({ domain });
  const ids = nodes.map((node) => node.id);
  const around = await Promise.all(ids.map((id) => graph.neighbourhood(id, 2)));
  const expansion = await graph.expand(ids, { domains: [domain], incoming: true });
  const keys = NAMES.map(nameKey);
  const seeds = ids.map((id, i) => ({ id, weight: 1 + (i % 3) }));
  const active = [...(await graph.activeKeys(domain, keys))].sort();
  const all = await graph.allActiveKeys?.(domain, Number.MAX_SAFE_INTEGER);
  if (all !== undefined) expect([...new Set(keys)].filter((key) => all.has(key)).sort()).toEqual(active);
  const ppr = await graph.personalizedPagerank(seeds.slice(0, 3), { domains: [domain], epsilon: 0 });
  return {
    domain: await graph.getDomain(domain),
    nodes,
    edges,
    rules: await graph.getRules({ domains: [domain] }),
    touching: await graph.getRules({ domains: [domain], concept_ids: ids.slice(0, 2) }),
    page: await graph.pageOfRules({ domains: [domain], min_confidence: 0.5 }, { offset: 1, limit: 3 }),
    around: around.map((part) => ({
      nodes: part.nodes.map((node) => node.id),
      edges: part.edges.map((e) => edgeId(e.source_id, e.relation_type, e.target_id)),
    })),
    expansion: { ...expansion, inlinks: sorted(expansion.inlinks), shared: sorted(expansion.shared) },
    keys: await graph.lookupKeys([domain], keys),
    active,
    mentioning: await graph.passagesMentioning(domain, keys),
    records: await graph.passageRecords(ids),
    sources: (await graph.listSources({ domain })).map(({ updated_at: _, ...source }) => source),
    statistics: await graph.statistics([domain]),
    ppr: [...ppr.scores].map(([id, score]) => [id, Math.round(score * 1e6) / 1e6]).sort(),
  };
}

function sorted<T>(map: ReadonlyMap<string, T>): Array<[string, T]> {
  return [...map].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}
