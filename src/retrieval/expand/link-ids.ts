import { edgeId } from '../../core/model.js';

/** Returns the id of a derived link or mention: these are no typed edges, but feedback acts on them too. */
export function linkId(from: string, to: string): string {
  return edgeId(from, 'LINKS_TO', to);
}

export function mentionId(passage: string, entity: string): string {
  return edgeId(passage, 'MENTIONS', entity);
}
