import { storableText } from '../../../core/text/clean.js';
import { isCount } from '../bounds.js';
import type { Attributes, AttributeValue } from './messages.js';

/** Attribute names in the order in which they are read: the conventions first, then what emitters used before them. */
const NAMES = {
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'],
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id'],
  input: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cached: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
  ],
  region: ['cloud.region'],
  host: ['server.address'],
  session: ['gen_ai.conversation.id', 'session.id'],
} as const;

/** Returns a text attribute under the first of its names that is set, at most 256 characters. */
export function textOf(what: keyof typeof NAMES, ...sources: readonly Attributes[]): string | undefined {
  for (const name of NAMES[what]) {
    for (const attributes of sources) {
      const text = shortText(attributes[name]);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/**
 * Returns a text without blanks around it, of at most 256 characters that every store can keep; undefined for an empty
 * one.
 */
export function shortText(value: unknown, limit = 256): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = storableText(value.trim().slice(0, limit));
  return text === '' ? undefined : text;
}

/** Returns a count of tokens under the first of its names that is set; undefined where none is. */
export function countOf(what: 'input' | 'output' | 'cached', attributes: Attributes): number | undefined {
  for (const name of NAMES[what]) {
    const value = tokenCount(attributes[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Reads a whole number of tokens, also as text. */
export function tokenCount(value: AttributeValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return isCount(number) ? number : undefined;
}

/** Returns true where one of the token attributes is there and is no count. */
export function hasBadCount(attributes: Attributes): boolean {
  return [...NAMES.input, ...NAMES.output, ...NAMES.cached].some(
    (name) => attributes[name] !== undefined && tokenCount(attributes[name]) === undefined,
  );
}

const INFERENCE = new Set(['chat', 'text_completion', 'generate_content', 'embeddings']);
const LEGACY_REQUESTS = new Set(['chat', 'completion', 'embedding', 'embeddings', 'text_completion']);

/**
 * Returns whether a span is one model call. Spans of agents, chains and wrappers repeat the sums of the calls below
 * them; of `ai.generateText` and `ai.generateText.doGenerate` the latter is the call.
 */
export function isInference(attributes: Attributes): boolean {
  const operation = attributes['gen_ai.operation.name'];
  const vercel = attributes['ai.operationId'];
  if (typeof vercel === 'string') return /\.do(Generate|Stream|Embed)$/.test(vercel);
  if (typeof operation === 'string') return INFERENCE.has(operation);
  const openInference = attributes['openinference.span.kind'];
  if (typeof openInference === 'string') return openInference === 'LLM' || openInference === 'EMBEDDING';
  const request = attributes['llm.request.type'];
  if (typeof request === 'string') return LEGACY_REQUESTS.has(request);
  if (attributes['traceloop.span.kind'] !== undefined) return false;
  return NAMES.input.some((name) => attributes[name] !== undefined) && textOf('model', attributes) !== undefined;
}

export interface TokenCounts {
  /** Without what was read from a cache; with what was written to one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

/**
 * Returns the token counts of a span. By the conventions input includes the cached tokens; where it is smaller than
 * they are, the emitter counts them apart, as the provider's own interface does.
 */
export function tokensOf(attributes: Attributes): TokenCounts | undefined {
  const input = countOf('input', attributes);
  const output = countOf('output', attributes);
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = countOf('cached', attributes) ?? 0;
  const all = input ?? 0;
  return { input: cacheRead <= all ? all - cacheRead : all, output: output ?? 0, cacheRead };
}
