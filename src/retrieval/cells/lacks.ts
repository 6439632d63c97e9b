import type { GraphNode } from '../../core/model.js';
import { emptyCells } from './empty-cells.js';
import { missingColumns } from './missing-columns.js';
import { openTasks } from './open-tasks.js';
import { type Lack, type LackContext, rowsAmong } from './row-labels.js';
import { wantedLacks } from './wanted-lacks.js';
import { mayLack } from './without-words.js';

/**
 * Returns item → what it lacks of what the question asks for, rows alone; where the question wants what lacks something, also the rows
 * that have it, and of tasks the open and the done ones. None where either may answer. Pure.
 */
export function lacksOf(nodes: readonly GraphNode[], context: LackContext): ReadonlyMap<string, Lack> {
  return new Map([...ofRows(nodes, context), ...openTasks(nodes, context.question)]);
}

function ofRows(nodes: readonly GraphNode[], context: LackContext): Iterable<readonly [string, Lack]> {
  const { question } = context;
  if (question.open.size === 0) return [];
  if (mayLack(question)) return wantedLacks(nodes, context);
  const rows = rowsAmong(nodes);
  return [...missingColumns(rows, context), ...emptyCells(rows, context)];
}
