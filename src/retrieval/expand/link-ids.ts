import { edgeId } from '../../core/model.js';

/** Derived links and mentions are no typed edges, but feedback acts on them too: these ids name them. */
export function linkId(from: string, to: string): string {
  return edgeId(from, 'LINKS_TO', to);
}

export function mentionId(passage: string, entity: string): string {
  return edgeId(passage, 'MENTIONS', entity);
}
