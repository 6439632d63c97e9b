import type { LlmAnswer, LlmRequest } from './port.js';
import type { LlmServer } from './server.js';

/** How one kind of server is called, and how its answer is read. */
export interface LlmProtocol {
  readonly base: string;
  /** Path of the call below the base address. */
  readonly path: string;
  /** Whether a base address with a path stands for all but the call, as is the custom of this kind of server. */
  readonly versionInBase?: boolean;
  readonly server: Pick<LlmServer, 'keyHeader' | 'headers'>;
  body(request: LlmRequest, model: string): unknown;
  /** Throws for an answer of another shape. */
  read(answer: unknown): LlmAnswer;
}
