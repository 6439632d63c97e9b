import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ComparedEntity, matchEntities } from '../../src/ingest/entities/match.js';
import { nameForms } from '../../src/ingest/entities/name-forms.js';

interface Side {
  readonly name: string;
  readonly type: string;
  readonly passages: readonly number[];
  readonly quotes: readonly string[];
}

export interface LabelledPair {
  readonly same: boolean;
  readonly kind: string;
  readonly split: 'development' | 'held-out';
  readonly a: Side;
  readonly b: Side;
}

export const PAIRS = readFileSync(join(import.meta.dirname, '../fixtures/musique/merge-pairs.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LabelledPair);

function compared({ name, type, passages, quotes }: Side): ComparedEntity {
  return {
    name,
    forms: nameForms(name),
    type,
    aliases: new Set(),
    description: '',
    quotes,
    passages: new Set(passages.map(String)),
  };
}

/** Precision and recall of merging the pairs of a split, and those that are decided wrongly. */
export function measure(
  split: LabelledPair['split'],
  { threshold, context, homonym }: { threshold: number; context: number; homonym: number },
) {
  const wrong: string[] = [];
  let [right, merged, same] = [0, 0, 0];
  for (const pair of PAIRS.filter((one) => one.split === split)) {
    const match = matchEntities(compared(pair.a), compared(pair.b), { context, homonym });
    const merges = match !== null && match.score >= threshold;
    if (merges) merged += 1;
    if (pair.same) same += 1;
    if (merges && pair.same) right += 1;
    if (merges !== pair.same) {
      wrong.push(
        `${pair.same ? 'missed' : 'merged'} ${pair.kind}: ${pair.a.name} | ${pair.b.name} (${match?.method} ${match?.score})`,
      );
    }
  }
  return { precision: merged === 0 ? 1 : right / merged, recall: right / same, wrong };
}
