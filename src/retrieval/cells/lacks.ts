import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import type { ItemTexts, LikeWords } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';
import { emptyCells, mayLack } from './empty-cells.js';
import { missingColumns } from './missing-columns.js';
import { type Lack, rowsAmong } from './row-labels.js';

/** What tells whether a row lacks what is asked for. */
export interface LackContext {
  readonly question: Question;
  readonly texts: ItemTexts;
  readonly like: LikeWords;
  /** Whether English has a word; undefined where no table tells which words are alike. */
  readonly vocabulary: RetrievalParts['vocabulary'];
}

/** Returns item → what it lacks of what the question asks for: rows alone, and none where such a row may answer. Pure. */
export function lacksOf(nodes: readonly GraphNode[], context: LackContext): ReadonlyMap<string, Lack> {
  if (context.question.open.size === 0 || mayLack(context.question)) return new Map();
  const rows = rowsAmong(nodes);
  return new Map([...missingColumns(rows, context), ...emptyCells(rows, context)]);
}
