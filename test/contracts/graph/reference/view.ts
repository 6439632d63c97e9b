import { conceptId, normaliseName } from '../../../../src/core/ids.js';
import { edgeId, type GraphEdge, type GraphNode, type GraphRule } from '../../../../src/core/model.js';
import { nameKey } from '../../../../src/core/text/keys.js';
import { MAX_ALIASES } from '../../../../src/ledger/key-limits.js';
import {
  aboutKeys,
  byConceptRank,
  byRank,
  compare,
  ENTITY_CONFIDENCE,
  isNamedById,
  type RankedAssertion,
} from '../../../../src/ledger/manifest/asserted.js';
import { endpointOf, resolveEndpoint } from '../../../../src/ledger/manifest/endpoints.js';
import { ruleKeys } from '../../../../src/ledger/manifest/rule-change.js';
import type { KnownPassage, Source } from './state.js';

/** A key with all that carries it. */
export interface KeyView {
  readonly titles: Set<string>;
  readonly aliases: Set<string>;
  /** Passage id → how often it mentions the key. */
  readonly mentions: Map<string, number>;
  /** The node that stands for it where something mentions it. */
  node: string | null;
}

/** One domain as it is seen: a pure function of what its sources assert. */
export interface DomainView {
  readonly nodes: Map<string, GraphNode>;
  readonly passages: Map<string, KnownPassage & { readonly source_id: string }>;
  /** Concept → the source whose assertion is visible. */
  readonly conceptSources: Map<string, string>;
  readonly edges: Map<string, GraphEdge>;
  readonly rules: Map<string, GraphRule>;
  readonly keys: Map<string, KeyView>;
  readonly resolve: (end: string) => string | null;
}

/** Nodes that are about a key now. */
export function aboutOf(key: KeyView): ReadonlySet<string> {
  if (key.titles.size > 0) return key.titles;
  return key.aliases.size <= MAX_ALIASES ? key.aliases : new Set();
}

/** Passages that mention a key or are about it. */
export function passagesOfKey(view: DomainView, key: KeyView): Set<string> {
  const all = new Set(key.mentions.keys());
  for (const id of aboutOf(key)) if (view.passages.has(id)) all.add(id);
  return all;
}

export function deriveView(domain: string, sources: readonly Source[]): DomainView {
  const view: Omit<DomainView, 'resolve'> = {
    nodes: new Map(),
    passages: new Map(),
    conceptSources: new Map(),
    edges: new Map(),
    rules: new Map(),
    keys: new Map(),
  };
  const named = new Map<string, string[]>();
  addConcepts(domain, view, { sources, named });
  addPassages(domain, view, sources);
  addEntities(domain, view);
  const resolve = (end: string): string | null =>
    resolveEndpoint(endpointOf(domain, end), {
      named: (norm) => named.get(norm) ?? [],
      has: (id) => view.nodes.has(id) && view.nodes.get(id)!.kind !== 'entity',
    });
  addEdges(view, sources, resolve);
  addRules(domain, view, { sources, resolve });
  return { ...view, resolve };
}

type Building = Omit<DomainView, 'resolve'>;

function addConcepts(
  domain: string,
  view: Building,
  { sources, named }: { sources: readonly Source[]; named: Map<string, string[]> },
): void {
  for (const best of winners(sources, (source) => source.concepts, byConceptRank).values()) {
    const { id, name, description, confidence, properties } = best;
    view.conceptSources.set(id, best.source_id);
    view.nodes.set(id, { id, kind: 'concept', name, description, domain, confidence, properties });
    const norm = normaliseName(name);
    named.set(norm, [...(named.get(norm) ?? []), id]);
    keyOf(view, nameKey(name)).titles.add(id);
  }
}

function addPassages(domain: string, view: Building, sources: readonly Source[]): void {
  for (const source of sources) {
    for (const [id, passage] of source.passages) {
      view.passages.set(id, { ...passage, source_id: source.id });
      view.nodes.set(id, {
        id,
        kind: 'passage',
        name: passage.title,
        description: passage.text,
        domain,
        confidence: 1,
        properties: {},
        passage: {
          source_id: source.id,
          order: passage.order,
          sentences: passage.sentences,
          about: passage.about,
          ...(passage.message === undefined ? {} : { message: passage.message }),
        },
      });
      for (const [key, alias] of aboutKeys(passage.about)) {
        const state = keyOf(view, key);
        (alias ? state.aliases : state.titles).add(id);
      }
      for (const mention of passage.mentions) {
        const { mentions } = keyOf(view, mention.key);
        mentions.set(id, (mentions.get(id) ?? 0) + 1);
      }
    }
  }
}

/** A mentioned key is the concept of its name without a caller's id (lowest id of several), else a bare entity. */
function addEntities(domain: string, view: Building): void {
  for (const [key, state] of view.keys) {
    if (state.mentions.size === 0) continue;
    const concepts = [...state.titles].filter((id) => {
      const node = view.nodes.get(id)!;
      return node.kind === 'concept' && isNamedById(domain, node);
    });
    if (concepts.length > 0) {
      state.node = concepts.sort(compare)[0]!;
      continue;
    }
    const id = conceptId(domain, key);
    state.node = id;
    // A caller may have chosen this very id for something of another name.
    if (view.nodes.has(id)) continue;
    const first = [...state.mentions.keys()].sort(compare)[0]!;
    const name = view.passages.get(first)!.mentions.find((mention) => mention.key === key)!.name;
    view.nodes.set(id, {
      id,
      kind: 'entity',
      name,
      description: '',
      domain,
      confidence: ENTITY_CONFIDENCE,
      properties: {},
    });
  }
}

function addEdges(view: Building, sources: readonly Source[], resolve: (end: string) => string | null): void {
  const groups = new Map<string, Array<RankedAssertion & { readonly edge: GraphEdge; readonly given: string }>>();
  for (const source of sources) {
    for (const [given, asserted] of source.edges) {
      const from = resolve(asserted.source);
      const to = resolve(asserted.target);
      if (from === null || to === null) continue;
      const id = edgeId(from, asserted.relation, to);
      const { confidence, properties, version, relation } = asserted;
      const edge = { id, source_id: from, target_id: to, relation_type: relation, confidence, properties };
      groups.set(id, [...(groups.get(id) ?? []), { edge, given, confidence, version, source_id: source.id }]);
    }
  }
  for (const [id, group] of groups) {
    group.sort((a, b) => byRank(a, b) || compare(a.given, b.given));
    view.edges.set(id, group[0]!.edge);
  }
}

function addRules(
  domain: string,
  view: Building,
  { sources, resolve }: { sources: readonly Source[]; resolve: (end: string) => string | null },
): void {
  for (const best of winners(sources, (source) => source.rules, byRank).values()) {
    const { id, text, category, confidence, metadata } = best;
    const touched = new Set<string>();
    if (best.concepts !== null) {
      for (const end of best.concepts) {
        const found = resolve(end);
        if (found !== null) touched.add(found);
      }
    } else {
      for (const key of ruleKeys(text)) {
        for (const title of view.keys.get(key)?.titles ?? []) {
          if (view.nodes.get(title)!.kind === 'concept') touched.add(title);
        }
      }
    }
    const isPassage = (node: string) => view.nodes.get(node)!.kind === 'passage';
    const concepts = [...touched].filter((node) => !isPassage(node)).sort(compare);
    const passages = [...touched].filter(isPassage).sort(compare);
    const source_concepts = concepts.length > 0 ? concepts : passages;
    const about = { source_concepts, ...(passages.length > 0 ? { passages } : {}) };
    view.rules.set(id, { id, text, domain, category, confidence, derivation: 'explicit', ...about, metadata });
  }
}

/** The visible one of all assertions of each thing. */
function winners<T extends { readonly confidence: number; readonly version: number }>(
  sources: readonly Source[],
  part: (source: Source) => ReadonlyMap<string, T>,
  order: (a: T & RankedAssertion, b: T & RankedAssertion) => number,
): Map<string, T & RankedAssertion> {
  const best = new Map<string, T & RankedAssertion>();
  for (const source of sources) {
    for (const [key, item] of part(source)) {
      const candidate = { ...item, source_id: source.id };
      const known = best.get(key);
      if (known === undefined || order(candidate, known) < 0) best.set(key, candidate);
    }
  }
  return best;
}

function keyOf(view: Building, key: string): KeyView {
  let state = view.keys.get(key);
  if (state === undefined) {
    state = { titles: new Set(), aliases: new Set(), mentions: new Map(), node: null };
    view.keys.set(key, state);
  }
  return state;
}
