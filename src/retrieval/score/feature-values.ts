import { createHash } from 'node:crypto';
import type { FeatureTable, ItemFeatures, ItemKind } from '../../learning/feedback/adjustments.js';
import type { Sign } from '../../learning/ranker/solve.js';
import { MESSAGE_FEATURES } from '../conversation/message-features.js';
import { DOCUMENT_FEATURES, type Feature } from './document-features.js';
import type { RankedItem } from './rank.js';

/** Features that speak against an item, and those that may do either; all others speak for it. */
const AGAINST = new Set(['name_only', 'unheld', 'questions']);
const EITHER = new Set(['concept']);

/** Returns the sign that a feature's weight must have: more evidence for one of two items never lowers it against the other. */
export function signOf(name: string): Sign {
  if (EITHER.has(name)) return 0;
  return AGAINST.has(name) ? -1 : 1;
}

/** The features of each kind of item, in the order of their values. */
export const FEATURE_TABLES: Readonly<Record<ItemKind, FeatureTable>> = {
  document: tableOf(DOCUMENT_FEATURES),
  message: tableOf(MESSAGE_FEATURES),
};

/** Returns what an item was ranked by; null in mode vec. */
export function featureValues({ features, message }: Pick<RankedItem, 'features' | 'message'>): ItemFeatures | null {
  if (message !== null) {
    const values = MESSAGE_FEATURES.map(({ value }) => value(message));
    return { kind: 'message', table: FEATURE_TABLES.message.key, values };
  }
  if (features === null) return null;
  const values = DOCUMENT_FEATURES.map(({ value }) => value(features));
  return { kind: 'document', table: FEATURE_TABLES.document.key, values };
}

function tableOf(features: ReadonlyArray<Omit<Feature<never>, 'value'>>): FeatureTable {
  const names = features.map(({ name }) => name);
  return {
    key: createHash('sha256').update(names.join('\n')).digest().readInt16LE(),
    names,
    meanings: features.map(({ meaning }) => meaning),
    signs: features.map(({ name, group }) => (group === 'answer' ? 0 : signOf(name))),
  };
}
