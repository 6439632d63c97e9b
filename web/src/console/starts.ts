import { send } from '../shared/api.js';
import type { Neighbourhood, Rule } from './types.js';

/** A concept worth looking at first. */
export interface Start {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

const RULES_READ = 500;

/** Finds the concepts that most rules speak of, each domain in its turn: where somebody who knows nothing can begin. */
export async function readStarts(count: number): Promise<Start[]> {
  const { rules } = await send<{ rules: Rule[] }>('/v1/rules', { limit: RULES_READ });
  const spoken = new Map<string, Map<string, number>>();
  for (const { domain, source_concepts: concepts } of rules) {
    const counts = spoken.get(domain) ?? new Map<string, number>();
    spoken.set(domain, counts);
    for (const id of concepts) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const ranked = [...spoken.values()].map((counts) => [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id));
  const inTurn = Array.from({ length: 2 * count }, (_, place) => ranked.flatMap((ids) => ids[place] ?? [])).flat();
  // Some are passages, which have no name to ask for.
  const found = await Promise.all(inTurn.slice(0, 2 * count).map((id) => send<Neighbourhood>('/v1/explore', { node_id: id, limit: 1 }).catch(() => ({ node: null }))));
  return found
    .flatMap(({ node }) => (node === null || node.name === '' || node.properties.kind === 'passage' ? [] : [{ id: node.id, name: node.name, domain: node.domain }]))
    .slice(0, count);
}
