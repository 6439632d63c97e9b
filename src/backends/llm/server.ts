import { postJson } from '../http-request.js';

export interface LlmServer {
  readonly url: URL;
  readonly key?: string | undefined;
  readonly keyHeader?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  readonly attempts: number;
  /** Aborts what runs when the model is closed. */
  readonly closing: AbortSignal;
}

/** Servers of language models fail for a moment in more ways than others. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Posts a request to the server of a language model and returns its JSON answer. */
export function post({ closing, ...server }: LlmServer, body: unknown, signal?: AbortSignal): Promise<unknown> {
  return postJson(body, {
    ...server,
    server: 'language model server',
    setting: 'SVC_LLM',
    retried: RETRIED,
    signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
  });
}
