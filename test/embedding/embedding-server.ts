import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';

export interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly texts: string[];
}

export interface EmbeddingServer {
  readonly url: string;
  readonly received: Received[];
  /** Returns the next requests instead of the model, one each. */
  readonly interventions: Array<(response: ServerResponse) => void>;
  close(): Promise<void>;
}

/** Tokens that the server says each text took. */
export const TOKENS_PER_TEXT = 3;

/** A server on a free port that speaks both dialects and answers with the vectors of a real model. */
export async function serveEmbeddings(model: EmbeddingModel): Promise<EmbeddingServer> {
  const received: Received[] = [];
  const interventions: Array<(response: ServerResponse) => void> = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const part of request) body += part;
    const { model: name, input } = JSON.parse(body) as { model: string; input: string[] };
    received.push({ path: request.url ?? '', authorization: request.headers.authorization, model: name, texts: input });
    const intervene = interventions.shift();
    if (intervene !== undefined) {
      intervene(response);
      return;
    }
    const vectors = await model.embed(input);
    // Longer than one, and the OpenAI form out of order: both happen.
    const lists = vectors.map((vector) => Array.from(vector, (value) => value * 3));
    const data = lists.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
    response.setHeader('content-type', 'application/json');
    const tokens = input.length * TOKENS_PER_TEXT;
    response.end(
      JSON.stringify(
        request.url === '/api/embed'
          ? { model: name, embeddings: lists, prompt_eval_count: tokens }
          : { data, model: name, usage: { prompt_tokens: tokens, total_tokens: tokens } },
      ),
    );
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    interventions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function status(code: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
