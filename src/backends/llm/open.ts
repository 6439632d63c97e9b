import { SvcError } from '../../core/errors.js';
import { Gate } from '../store/engine/gate.js';
import { anthropic } from './anthropic.js';
import { ollama } from './ollama.js';
import { openai } from './openai.js';
import type { Llm, LlmAnswer, LlmRequest } from './port.js';
import type { BodySettings, LlmProtocol } from './protocol.js';
import { type LlmServer, post } from './server.js';

export type LlmKind = 'openai' | 'anthropic' | 'ollama';

export interface LlmOptions {
  readonly kind: LlmKind;
  /** Base address, with or without the path of the call; the vendor's own when none. */
  readonly url?: string | undefined;
  readonly model: string;
  readonly key?: string | undefined;
  /** Milliseconds for one attempt; default 60,000. */
  readonly timeout?: number | undefined;
  /** Attempts on 408, 429 and 5xx; default 4. */
  readonly attempts?: number | undefined;
  /** Default true: see `BodySettings`. */
  readonly sendTemperature?: boolean | undefined;
  /** Default `max_tokens`: see `BodySettings`. */
  readonly tokenLimit?: BodySettings['tokenLimit'] | undefined;
  /** Requests under way at once; default 4. */
  readonly concurrency?: number | undefined;
}

const PROTOCOLS: Readonly<Record<LlmKind, LlmProtocol>> = { openai, anthropic, ollama };

/**
 * Opens a language model behind a server. No request is sent before the first call. Throws `invalid_input` for a bad
 * address.
 */
export function openLlm(options: LlmOptions): Llm {
  const protocol = PROTOCOLS[options.kind];
  const closing = new AbortController();
  const gate = new Gate(options.concurrency ?? 4);
  const server: LlmServer = {
    ...protocol.server,
    url: endpoint(options.url ?? protocol.base, protocol),
    key: options.key,
    timeout: options.timeout ?? 60_000,
    attempts: options.attempts ?? 4,
    closing: closing.signal,
  };
  const complete = (request: LlmRequest): Promise<LlmAnswer> =>
    gate.run(async () => {
      const settings = {
        model: request.model ?? options.model,
        sendTemperature: options.sendTemperature ?? true,
        tokenLimit: options.tokenLimit ?? 'max_tokens',
      };
      const answer = await post(server, protocol.body(request, settings), request.signal);
      try {
        return protocol.read(answer);
      } catch (cause) {
        const message = `The language model server at ${server.url.host} answered in a shape that ${options.kind} does not have; check SVC_LLM and SVC_LLM_URL.`;
        throw new SvcError('unavailable', message, undefined, { cause });
      }
    });
  return {
    name: `${options.kind}-${options.model}`.replace(/[^\w.-]+/g, '-'),
    complete,
    health: async () => {
      await complete({ system: 'Answer with one word.', prompt: 'ok', maxTokens: 5 });
    },
    close: async () => closing.abort(new SvcError('unavailable', 'The language model was closed.')),
  };
}

/** Returns the address of the call: a base address may already hold part of its path, or all of it. */
function endpoint(base: string, { path, versionInBase = false }: LlmProtocol): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SvcError('invalid_input', 'SVC_LLM_URL must be an http or https address.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new SvcError('invalid_input', 'SVC_LLM_URL must hold no user or password; use SVC_LLM_KEY.');
  }
  const [first, ...rest] = path.split('/').filter((part) => part !== '') as [string, ...string[]];
  const given = url.pathname.replace(/\/+$/, '');
  const call = `/${rest.join('/')}`;
  if (given.endsWith(first === 'v1' ? call : path)) url.pathname = given;
  else if (given.endsWith(`/${first}`) || (versionInBase && given !== '')) url.pathname = `${given}${call}`;
  else url.pathname = `${given}${path}`;
  return url;
}
