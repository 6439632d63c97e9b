import type { GraphNode } from '../../core/model.js';
import { emptyCells, mayLack } from './empty-cells.js';
import { missingColumns } from './missing-columns.js';
import { type Lack, type LackContext, rowsAmong } from './row-labels.js';

/** Returns item → what it lacks of what the question asks for: rows alone, and none where such a row may answer. Pure. */
export function lacksOf(nodes: readonly GraphNode[], context: LackContext): ReadonlyMap<string, Lack> {
  if (context.question.open.size === 0 || mayLack(context.question)) return new Map();
  const rows = rowsAmong(nodes);
  return new Map([...missingColumns(rows, context), ...emptyCells(rows, context)]);
}
