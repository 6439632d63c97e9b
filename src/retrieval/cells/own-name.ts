import { normaliseName } from '../../core/ids.js';
import type { GraphNode } from '../../core/model.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { rowsAmong } from './row-labels.js';

/**
 * Returns the name that distinguishes an item from others with the same words: that of a concept, and that of a row of a table
 * ("Copper kettle" of "stock > Copper kettle"). Things of different names often have the same cells. It is empty for every other
 * passage, because a copy of a text may stand under any title. Pure.
 */
export function ownName(node: GraphNode): string {
  const { kind, name } = node;
  if (kind !== 'passage') return normaliseName(name);
  if (rowsAmong([node]).length === 0) return '';
  const at = name.lastIndexOf(PATH_SEPARATOR);
  return at === -1 ? '' : normaliseName(name.slice(at + PATH_SEPARATOR.length));
}
