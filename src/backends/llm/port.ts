/** One request to a language model. */
export interface LlmRequest {
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer, for servers that accept one; the caller checks the answer all the same. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Another model of the same server than the one that it was opened with. */
  readonly model?: string | undefined;
  /** Most tokens of the answer; default 2,000. */
  readonly maxTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tokens of one or more calls, as the server counts them; 0 where it does not say. */
export interface LlmUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** US dollars for a million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** Returns what tokens cost, in US dollars. */
export function costOf({ input_tokens, output_tokens }: LlmUsage, price: TokenPrice): number {
  return (input_tokens * price.input + output_tokens * price.output) / 1e6;
}

export interface LlmAnswer {
  readonly text: string;
  readonly usage: LlmUsage;
}

/** A language model. `test/llm/llm.test.ts` holds every implementation to this. */
export interface Llm {
  /** Kind and model, for example `openai-gpt-4o-mini`: part of cache keys. */
  readonly name: string;
  /**
   * Returns the model's answer. Waits and tries again on 429, 503 and 529 (Retry-After counts). Throws `unavailable` with
   * the host and what to do, never with the key; an abort throws the signal's reason.
   */
  complete(request: LlmRequest): Promise<LlmAnswer>;
  /** Throws `unavailable` with a reason when the server does not answer. */
  health(): Promise<void>;
  close(): Promise<void>;
}
