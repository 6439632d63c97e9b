import { clearPending, writeConceptIndex } from '../../backends/store/concept-index.js';
import { deleteSentencesOfModel } from '../../backends/store/sentences.js';
import { SvcError } from '../../core/errors.js';
import type { ConceptIndexes } from './concept-indexes.js';

/** How long an index that served before stays, for requests that still use it. */
const GRACE_MS = 60_000;

/** Removes indexes that served before, once no request can use them any more, and sentence vectors of their models. */
export async function removeRetired(concepts: ConceptIndexes, grace = GRACE_MS): Promise<void> {
  const { clock, store, vectors } = concepts.options;
  const { retired } = await concepts.read();
  const over = retired.filter(({ at }) => at <= clock() - grace).map(({ index }) => index);
  if (over.length === 0) return;
  for (const index of over) {
    await vectors.deleteIndex(index);
    await store.write(({ db }) => clearPending(db, index));
  }
  await store.write(async ({ db }) => {
    const state = await concepts.read(db, 'update');
    const left = state.retired.filter(({ index }) => !over.includes(index));
    await writeConceptIndex(db, { ...state, retired: left });
    if (left.length > 0) return;
    const models = [state.serving.model, state.building?.model].flatMap((model) => model?.name ?? []);
    await deleteSentencesOfModel(db, { except: models });
  });
}

/**
 * Returns the names of concept indexes in the engine that neither serve nor are being built nor wait for their removal:
 * what processes left that were killed while they indexed.
 */
export async function leftoverIndexes(concepts: ConceptIndexes): Promise<string[]> {
  const { vectors, prefix } = concepts.options;
  const { serving, building, retired } = await concepts.read();
  const known = new Set([serving.index, building?.index, ...retired.map(({ index }) => index)]);
  const names = (await vectors.listIndexes()).map(({ name }) => name);
  return names.filter((name) => name.startsWith(prefix) && !known.has(name)).sort();
}

/**
 * Removes what interrupted reindexes left, at a start: with a store of one process also the retired indexes, which no
 * request can use any more. An engine that does not answer keeps them until the next start or reindex.
 */
export async function removeLeftovers(concepts: ConceptIndexes): Promise<void> {
  const { store, vectors } = concepts.options;
  try {
    await removeRetired(concepts, store.dialect === 'sqlite' ? 0 : GRACE_MS);
    for (const index of await leftoverIndexes(concepts)) {
      await vectors.deleteIndex(index);
      await store.write(({ db }) => clearPending(db, index));
    }
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'unavailable') throw error;
  }
}
