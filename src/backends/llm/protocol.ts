import type { LlmAnswer, LlmRequest } from './port.js';
import type { LlmServer } from './server.js';

/** How one kind of server is called, and how its answer is read. */
export interface LlmProtocol {
  readonly base: string;
  /** Path of the call below the base address. */
  readonly path: string;
  readonly server: Pick<LlmServer, 'keyHeader' | 'headers'>;
  body(request: LlmRequest, model: string): unknown;
  /** Throws for an answer of another shape. */
  read(answer: unknown): LlmAnswer;
}
