import type { LlmAnswer, LlmRequest } from './port.js';
import type { LlmServer } from './server.js';

/** Members of requests that not every model of one kind of server takes. */
export interface BodySettings {
  readonly model: string;
  /** Whether temperature 0 goes with each request; false leaves the model its own. */
  readonly sendTemperature: boolean;
  /** The member that bounds the answer of OpenAI's chat completions; `none` sends no bound. */
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens' | 'none';
}

/** How one kind of server is called, and how its answer is read. */
export interface LlmProtocol {
  readonly base: string;
  /** Path of the call below the base address. */
  readonly path: string;
  /** Whether a base address with a path stands for all but the call, as is the custom of this kind of server. */
  readonly versionInBase?: boolean;
  readonly server: Pick<LlmServer, 'keyHeader' | 'headers'>;
  body(request: LlmRequest, settings: BodySettings): unknown;
  /** Throws for an answer of another shape. */
  read(answer: unknown): LlmAnswer;
}
