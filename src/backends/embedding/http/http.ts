import { SvcError } from '../../../core/errors.js';
import { postJson } from '../../http-request.js';
import type { EmbeddingModel, SpannedText } from '../port.js';

export interface HttpEmbeddingOptions {
  readonly kind: 'openai' | 'ollama';
  /** Base address, with or without the path of the call. */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** Known from before: then opening sends no request, and another dimension is refused. */
  readonly dimension?: number;
  /** Milliseconds for one request; default 30,000. */
  readonly timeout?: number;
  /** Texts in one request; default 64. */
  readonly batch?: number;
  /** Attempts on 429 and 503; default 5. */
  readonly attempts?: number;
  /** Receives the tokens of each request, as the server counts them; it is not called where the server does not. */
  readonly onTokens?: (tokens: number) => void;
}

/** About 2,000 tokens of Latin text, 8,000 of Chinese: what the common models take. */
const MOST_CHARACTERS = 8000;
const PATHS = { openai: '/v1/embeddings', ollama: '/api/embed' } as const;

/** Milliseconds after an answer for which a server counts as healthy. */
const FRESH_MS = 5000;

/**
 * Opens a model behind an OpenAI-compatible or Ollama server. Opening requests one vector to learn the dimension,
 * unless it is given. Sentences are embedded on their own. Throws `invalid_input` for a bad address, `unavailable` when
 * the server does not answer as it should.
 */
export async function openHttp(options: HttpEmbeddingOptions): Promise<EmbeddingModel> {
  const url = endpoint(options);
  const closing = new AbortController();
  const batch = options.batch ?? 64;
  let dimension = options.dimension;
  let answeredAt = Number.NEGATIVE_INFINITY;

  const send = async (texts: readonly string[], call: { signal?: AbortSignal | undefined; attempts: number }) => {
    const answer = await postJson(
      { model: options.model, input: texts.map(sendable) },
      {
        url,
        server: 'embedding server',
        setting: 'SVC_EMBEDDING',
        key: options.key,
        timeout: options.timeout ?? 30_000,
        attempts: call.attempts,
        signal: call.signal === undefined ? closing.signal : AbortSignal.any([call.signal, closing.signal]),
      },
    );
    const vectors = readVectors(answer, texts.length, url);
    const tokens = tokensOf(answer);
    if (tokens > 0) options.onTokens?.(tokens);
    dimension ??= vectors[0]!.length;
    for (const vector of vectors) {
      if (vector.length !== dimension) throw otherDimension(options.model, vector.length, dimension);
    }
    return vectors;
  };
  const request: typeof send = async (texts, call) => {
    try {
      const vectors = await send(texts, call);
      answeredAt = performance.now();
      return vectors;
    } catch (error) {
      answeredAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  };
  const embed = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    signal?.throwIfAborted();
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += batch) {
      const part = texts.slice(start, start + batch);
      vectors.push(...(await request(part, { signal, attempts: options.attempts ?? 5 })));
    }
    return vectors;
  };
  const health = async (): Promise<void> => {
    // A frequent health check must cost nothing: the server may charge for each text.
    if (performance.now() - answeredAt < FRESH_MS) return;
    await request(['health'], { attempts: 1 });
  };

  if (dimension === undefined) await embed(['dimension']);
  return {
    name: httpModelName(options),
    dimension: dimension!,
    embed,
    async embedSpanned(texts: readonly SpannedText[], signal) {
      const flat = texts.flatMap(({ text, spans }) => [text, ...spans.map((span) => text.slice(...span))]);
      const vectors = await embed(flat, signal);
      let next = 0;
      return texts.map(({ spans }) => {
        const vector = vectors[next++]!;
        return { vector, spans: spans.map(() => vectors[next++]!) };
      });
    },
    health,
    remote: true,
    close: async () => closing.abort(new SvcError('unavailable', 'The embedding model was closed.')),
  };
}

/** Returns the name of a model behind a server: kind and model, with the characters that an index name may hold. */
export function httpModelName({ kind, model }: Pick<HttpEmbeddingOptions, 'kind' | 'model'>): string {
  return `${kind}-${model}`.replace(/[^\w.-]+/g, '-');
}

function endpoint({ kind, url: base }: HttpEmbeddingOptions): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SvcError('invalid_input', 'SVC_EMBEDDING_URL must be an http or https address.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new SvcError('invalid_input', 'SVC_EMBEDDING_URL must hold no user or password; use SVC_EMBEDDING_KEY.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const [first, last] = PATHS[kind].split(/(?=\/\w+$)/) as [string, string];
  if (path.endsWith(`${first}${last}`)) url.pathname = path;
  else url.pathname = path.endsWith(first) ? `${path}${last}` : `${path}${first}${last}`;
  return url;
}

/**
 * Returns a text that servers accept: they refuse empty texts, broken surrogates and texts over their model's length.
 */
function sendable(text: string): string {
  const clean = text.slice(0, MOST_CHARACTERS).replace(/\p{Surrogate}/gu, '\ufffd');
  return clean.trim() === '' ? '.' : clean;
}

/**
 * Returns the tokens that the request took: `usage` of OpenAI-compatible servers, `prompt_eval_count` of Ollama; 0
 * without either.
 */
function tokensOf(answer: unknown): number {
  const { usage, prompt_eval_count: evaluated } = (answer ?? {}) as {
    usage?: { prompt_tokens?: unknown; total_tokens?: unknown } | null;
    prompt_eval_count?: unknown;
  };
  const found = [usage?.prompt_tokens, usage?.total_tokens, evaluated].find((value) => Number.isSafeInteger(value));
  return Math.max(0, Number(found ?? 0));
}

function readVectors(answer: unknown, count: number, url: URL): Float32Array[] {
  const { data, embeddings } = (answer ?? {}) as { data?: unknown; embeddings?: unknown };
  const lists = Array.isArray(data) ? inOrder(data) : embeddings;
  if (!Array.isArray(lists) || lists.length !== count) {
    throw new SvcError('unavailable', `The embedding server at ${url.host} did not answer with one vector a text.`);
  }
  return lists.map((list: unknown) => unitVector(list, url));
}

function inOrder(data: readonly unknown[]): unknown[] {
  const entries = data as ReadonlyArray<{ index?: number; embedding?: unknown } | null>;
  return entries
    .map((entry, i) => ({ at: entry?.index ?? i, embedding: entry?.embedding }))
    .sort((a, b) => a.at - b.at)
    .map(({ embedding }) => embedding);
}

function unitVector(list: unknown, url: URL): Float32Array {
  const vector = Array.isArray(list) ? Float64Array.from(list as number[]) : new Float64Array(0);
  const length = Math.hypot(...vector);
  if (!(length > 0) || !Number.isFinite(length)) {
    throw new SvcError(
      'unavailable',
      `The embedding server at ${url.host} answered with a vector without a direction.`,
    );
  }
  return Float32Array.from(vector, (value) => value / length);
}

function otherDimension(model: string, got: number, expected: number): SvcError {
  return new SvcError(
    'conflict',
    `The model ${model} answers with ${got} dimensions, ${expected} were expected; choose the former model, or name the new one differently.`,
  );
}
