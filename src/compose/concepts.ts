import type { Clock } from '../core/clock.js';
import { ConceptIndexes } from '../ingest/index/concept-indexes.js';
import { removeLeftovers } from '../ingest/index/retired-indexes.js';
import type { Logger } from '../telemetry/logger.js';
import { CONCEPTS, conceptIndex } from './concept-index.js';
import type { Engines } from './open-engines.js';

/** Finds the concept index that serves, and clears what killed reindexes left. */
export async function openConcepts(engines: Engines, clock: Clock, log: Logger): Promise<ConceptIndexes> {
  const { store, vectors, graph, embedding, record } = engines;
  const concepts = new ConceptIndexes({
    store,
    vectors,
    clock,
    embedding,
    record,
    open: engines.open,
    nameOf: conceptIndex,
    prefix: CONCEPTS,
  });
  await concepts.start(async () => {
    const { concepts: known, passages } = await graph.statistics();
    return known + passages === 0;
  });
  await removeLeftovers(concepts);
  const logLimits = async (): Promise<void> => {
    await concepts.counted();
    for (const { message, passed } of await vectors.limits()) log[passed ? 'warn' : 'info'](message);
  };
  logLimits().catch((error: unknown) => log.warn({ err: error }, 'the limits of vectors cannot be read'));
  const problem = concepts.problem();
  if (problem !== null) log.warn(problem);
  return concepts;
}
