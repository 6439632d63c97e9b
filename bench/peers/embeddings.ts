import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';

/** What was asked of the endpoint since it was last read. */
export interface Asked {
  readonly requests: number;
  readonly texts: number;
}

export interface EmbeddingsEndpoint {
  /** With `/v1`, as clients of OpenAI expect it. */
  readonly url: string;
  readonly dimension: number;
  take(): Asked;
  close(): Promise<void>;
}

/** `POST /v1/embeddings` on the loopback interface, answered by this project's own `minilm`. */
export async function serveEmbeddings(): Promise<EmbeddingsEndpoint> {
  const model = openBuiltin('minilm');
  await model.health();
  let asked: Asked = { requests: 0, texts: 0 };
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const texts = typeof body.input === 'string' ? [body.input] : body.input;
    asked = { requests: asked.requests + 1, texts: asked.texts + texts.length };
    const vectors = await model.embed(texts);
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: body.encoding_format === 'base64' ? base64(vector) : [...vector],
    }));
    response.setHeader('content-type', 'application/json');
    const usage = { prompt_tokens: 0, total_tokens: 0 };
    response.end(JSON.stringify({ object: 'list', model: 'minilm', data, usage }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    dimension: model.dimension,
    take: () => {
      const taken = asked;
      asked = { requests: 0, texts: 0 };
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await model.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<{ input: string | string[]; encoding_format?: string }> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as { input: string | string[] };
}

function base64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}
