import { compare } from '../../../../src/ledger/manifest/asserted.js';
import { type Counts, noCounts } from '../../../../src/ledger/read/counts.js';
import { pendingWarnings } from '../../../../src/ledger/read/sources/read-sources.js';
import type { Effects } from '../../../../src/ledger/types.js';
import { equal, type Source } from './state.js';
import { aboutOf, type DomainView } from './view.js';

/** What now exists because of a source. */
export function sourceCounts(view: DomainView, source: Source | undefined): Counts {
  if (source === undefined) return noCounts();
  const concepts = new Set(source.concepts.keys());
  for (const passage of source.passages.values()) {
    for (const mention of passage.mentions) concepts.add(view.keys.get(mention.key)!.node!);
  }
  const edges = new Set<string>();
  for (const edge of source.edges.values()) {
    const from = view.resolve(edge.source);
    const to = view.resolve(edge.target);
    if (from !== null && to !== null) edges.add(`${from}\0${edge.relation}\0${to}`);
  }
  return { concepts: concepts.size, edges: edges.size, rules: source.rules.size, passages: source.passages.size };
}

/** Sentences about edges of the source whose endpoints do not exist. */
export function pendingWarningsOf(view: DomainView, source: Source | undefined): string[] {
  const missing = new Map<string, number>();
  for (const edge of source?.edges.values() ?? []) {
    for (const end of new Set([edge.source, edge.target])) {
      if (view.resolve(end) === null) missing.set(end, (missing.get(end) ?? 0) + 1);
    }
  }
  return pendingWarnings(missing);
}

/** Difference of two views of a domain, as text, vectors and linking follow it. */
export function differences(before: DomainView, after: DomainView): Effects {
  const changed: string[] = [];
  for (const [id, node] of after.nodes) {
    if (node.kind === 'entity') continue;
    const old = before.nodes.get(id);
    const same =
      old !== undefined &&
      old.kind !== 'entity' &&
      old.name === node.name &&
      old.description === node.description &&
      equal(old.passage?.sentences, node.passage?.sentences);
    if (!same) changed.push(id);
  }
  const removed: string[] = [];
  for (const [id, node] of before.nodes) {
    if (node.kind !== 'entity' && (after.nodes.get(id)?.kind ?? 'entity') === 'entity') removed.push(id);
  }
  const keys = new Set([...before.keys.keys(), ...after.keys.keys()]);
  const flipped = [...keys].filter((key) => isActive(before, key) !== isActive(after, key));
  return { changed: changed.sort(compare), removed: removed.sort(compare), keys: flipped.sort(compare) };
}

export function isActive(view: DomainView, key: string): boolean {
  const state = view.keys.get(key);
  return state !== undefined && aboutOf(state).size > 0;
}
