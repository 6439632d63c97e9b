import { clearPending, writeConceptIndex } from '../../backends/store/concept-index.js';
import { deleteSentencesOfModel } from '../../backends/store/sentences.js';
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
