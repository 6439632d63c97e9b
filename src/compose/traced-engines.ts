import { traced } from '../telemetry/traced.js';
import type { Engines } from './open-engines.js';

/** Returns engines whose calls are measured, and, where spans are recorded, traced. The store is so already. */
export function tracedEngines(engines: Engines): Engines {
  const { graph, vectors, text, embedding } = engines;
  return {
    ...engines,
    graph: traced('graph', graph),
    vectors: traced('vector', vectors),
    text: traced('text', text),
    embedding: embedding === null ? null : traced('embedding', embedding),
    open: async (record) => {
      const model = await engines.open(record);
      return model === null ? null : traced('embedding', model);
    },
  };
}
