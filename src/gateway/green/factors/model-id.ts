const DATE = /[-@]?(20\d{2}-\d{2}-\d{2}|20\d{6}|\d{4}-\d{2})(?=$|-)/g;

/**
 * Returns a model id without the names of hosts in front of it, in lower case: `us.anthropic.claude-x-v1:0` of Bedrock,
 * `azure/gpt-x`, `accounts/fireworks/models/x`, `publishers/google/models/x`, `claude-x@date` of Vertex all read like the
 * maker's own id.
 */
export function withoutHost(id: string): string {
  const last = id.trim().toLowerCase().split('/').at(-1) ?? '';
  const bare = last
    .replace(/^(?:us|eu|apac|global|au|jp|ca|us-gov)\./, '')
    .replace(/^(?:anthropic|meta|mistral|cohere|amazon|deepseek|ai21|openai|qwen|moonshot|moonshotai|google)\./, '')
    .replace(/(?:-v\d+)?(?::\d+(?::\w+)?)$/, '')
    .replace(/^meta-(?=llama)/, '')
    .replace(/(?<=.)@/, '-');
  // `llama3.1:70b`, `llama3-1-70b` and `llama-3.1-70b` are one model.
  return bare.replace(/^llama-?(\d)[.-](\d)[-:](?=\d+b)/, 'llama-$1.$2-');
}

/** Returns a model id without dates and `-latest`. */
export function withoutDate(id: string): string {
  return id.replace(DATE, '').replace(/[-:@]latest$/, '');
}

const MAKERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/claude|anthropic/, 'anthropic'],
  [/^gpt|^o\d|^chatgpt|openai|davinci/, 'openai'],
  [/gemini|vertex|google|gcp/, 'gcp.gemini'],
  [/mistral|ministral|mixtral|codestral|magistral|devstral|pixtral/, 'mistral_ai'],
  [/llama|meta/, 'meta'],
  [/deepseek/, 'deepseek'],
  [/qwen|qwq|alibaba|dashscope/, 'alibaba'],
  [/kimi|moonshot/, 'moonshot_ai'],
  [/command|cohere/, 'cohere'],
  [/grok|x_?ai/, 'x_ai'],
];

/** Returns who made a model: by its id, else by the provider's name; undefined where neither tells. */
export function makerOf(model: string, provider: string): string | undefined {
  const id = withoutHost(model);
  for (const text of [id, provider.toLowerCase()]) {
    const found = MAKERS.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

const SMALL = /embed|mini|nano|small|lite|tiny|flash|haiku|micro|(?:^|[-_.:])(?:0\.\d|\d|1[0-4])b(?:$|[-_.:])/;
const LARGE = /large|ultra|max|opus|(?:^|[-_.])pro(?:$|[-_.])|(?:^|[-_.:])\d{3,}b/;

/** Returns the class of a model that no row knows, by hints in its name. */
export function sizeHint(model: string): 'unknown' | 'unknown:large' | 'unknown:small' {
  const id = withoutHost(model);
  if (SMALL.test(id)) return 'unknown:small';
  return LARGE.test(id) ? 'unknown:large' : 'unknown';
}

/** Returns whether an id is of an embedding model: these are far smaller than the chat models of their maker. */
export function isEmbedding(model: string): boolean {
  return /embed/.test(model.toLowerCase());
}
