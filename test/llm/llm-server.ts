import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LlmKind } from '../../src/backends/llm/open.js';

export interface LlmServer {
  readonly url: string;
  /** The requests, in order. */
  readonly requests: Array<{
    readonly path: string;
    readonly headers: Record<string, unknown>;
    readonly body: Record<string, unknown>;
  }>;
  /** Texts of the same requests. */
  readonly prompts: Array<{ readonly system: string; readonly prompt: string }>;
  /** What the next requests get, one each; the last one stays. A text is answered in the form of the kind. */
  script: Array<string | ((response: ServerResponse) => void)>;
  close(): Promise<void>;
}

/** Tokens that the server says each answer cost. */
export const USAGE = { input_tokens: 11, output_tokens: 7 };

const FORMS: Readonly<Record<LlmKind, (text: string) => unknown>> = {
  openai: (text) => ({
    choices: [{ message: { content: text } }],
    usage: { prompt_tokens: USAGE.input_tokens, completion_tokens: USAGE.output_tokens },
  }),
  anthropic: (text) => ({ content: [{ type: 'text', text }], usage: USAGE }),
  ollama: (text) => ({
    message: { content: text },
    prompt_eval_count: USAGE.input_tokens,
    eval_count: USAGE.output_tokens,
  }),
};

/** A server on a free port that says what a test wants a language model to say. */
export async function serveLlm(kind: LlmKind, script: LlmServer['script']): Promise<LlmServer> {
  const served: LlmServer = { url: '', requests: [], prompts: [], script, close: async () => undefined };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      served.requests.push({ path: request.url ?? '', headers: request.headers, body });
      served.prompts.push(promptsIn(body));
      const step = served.script.length > 1 ? served.script.shift()! : served.script[0]!;
      if (typeof step !== 'string') return step(response);
      replyTo(response, kind, step);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(served, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** Answers with a text, in the form of the kind. */
export function replyTo(response: ServerResponse, kind: LlmKind, text: string): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(FORMS[kind](text)));
}

/** System text and prompt of a request; one kind of server gets them apart, the others as messages. */
function promptsIn(body: Record<string, unknown>): { readonly system: string; readonly prompt: string } {
  const messages = (body.messages ?? []) as ReadonlyArray<{ readonly role: string; readonly content: string }>;
  const of = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
  return { system: typeof body.system === 'string' ? body.system : of('system'), prompt: of('user') };
}

/** Answers with a status, a body and headers. */
export function status(
  code: number,
  body: unknown = { error: { message: 'no' } },
  headers: Record<string, string> = {},
) {
  return (response: ServerResponse): void => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Never answers. */
export function silence(): void {}
