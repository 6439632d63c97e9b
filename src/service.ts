import type { EmbeddingModel } from './backends/embedding/port.js';
import type { GraphBackend } from './backends/graph/port.js';
import type { Store } from './backends/store/scope.js';
import type { TextIndex } from './backends/text/port.js';
import type { VectorBackend } from './backends/vector/port.js';
import type { Clock } from './core/clock.js';
import type { Learning } from './learning/learning.js';

/** What operations may call. Built by `compose.ts`; nothing else names an adapter. */
export interface Service {
  readonly clock: Clock;
  readonly store: Store;
  readonly graph: GraphBackend;
  readonly vectors: VectorBackend;
  readonly text: TextIndex;
  /** Null with `SVC_EMBEDDING=none`. */
  readonly embedding: EmbeddingModel | null;
  readonly learning: Learning;
}
