/**
 * Past usage, as providers report it for an organisation, counted by the emissions module:
 *
 *   npx tsx docs/recipes/usage-exports.ts usage.json |
 *     curl -s http://127.0.0.1:8400/__gateway__/api/green/ingest -H 'Content-Type: application/x-ndjson' --data-binary @-
 *
 * `usage.json` is what OpenAI's `/v1/organization/usage/completions` or Anthropic's `/v1/organizations/usage_report/messages` answers,
 * asked with `group_by[]=model`; several pages may stand in one list. Each bucket of a model becomes one row, and counts as one call:
 * grams, millilitres and tokens are right, figures per call are per bucket. A row that was sent counts once, so export days that are over.
 */
import { readFileSync } from 'node:fs';

type Amounts = Readonly<Record<string, unknown>>;
interface Bucket {
  /** Seconds (OpenAI), or ISO 8601 (Anthropic). */
  readonly start_time?: number;
  readonly starting_at?: string;
  readonly results: readonly Amounts[];
}

const [file = '', region] = process.argv.slice(2);
const content = JSON.parse(readFileSync(file, 'utf8')) as { data: Bucket[] } | Array<{ data: Bucket[] }>;

for (const { data } of [content].flat()) {
  for (const bucket of data) {
    for (const result of bucket.results) console.log(JSON.stringify(rowOf(bucket, result)));
  }
}

function rowOf(bucket: Bucket, result: Amounts) {
  const isOpenAi = bucket.start_time !== undefined;
  const timestamp = isOpenAi ? bucket.start_time * 1000 : Date.parse(bucket.starting_at ?? '');
  const provider = isOpenAi ? 'openai' : 'anthropic';
  // What the export is grouped by tells one result of a bucket from another.
  const groups = Object.values(result).filter((value) => typeof value === 'string' || typeof value === 'boolean');
  const cached = count(result.input_cached_tokens) + count(result.cache_read_input_tokens);
  const written = Object.values((result.cache_creation ?? {}) as Amounts).reduce((sum: number, n) => sum + count(n), 0);
  return {
    traceId: [provider, timestamp, ...groups].join(':'),
    timestamp,
    provider,
    model: result.model ?? 'unknown',
    // OpenAI counts tokens from the cache among the input, Anthropic beside it; what is written to the cache is input.
    inputTokens: isOpenAi ? count(result.input_tokens) - cached : count(result.uncached_input_tokens) + written,
    outputTokens: count(result.output_tokens),
    cacheReadTokens: cached,
    ...(region === undefined ? {} : { region }),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
