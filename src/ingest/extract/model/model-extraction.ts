import { costOf, type Llm, type TokenPrice } from '../../../backends/llm/port.js';
import { structured, UnusableAnswer } from '../../../backends/llm/structured-output.js';
import { KEPT_ANSWERS, keepAnswer, readAnswers } from '../../../backends/store/caches/model-answers.js';
import type { Store } from '../../../backends/store/scope.js';
import type { Passage } from '../../../core/model.js';
import { type Extracted, type ExtractOptions, extract } from '../extract.js';
import { type CheckedAnswer, checkAnswer, type LeftOut } from './check-answer.js';
import { type ModelChunk, modelChunks } from './chunks.js';
import { joinAnswers } from './join-answers.js';
import { answerCheck, EXTRACTION_VERSION, expectedTokens, extractionRequest, type ModelAnswer } from './request.js';

export interface ModelExtractionSettings {
  /** Relations and rules that the model is less sure of are left out; 0..1. */
  readonly minConfidence: number;
  /** Characters that the model reads at once. */
  readonly chunkChars: number;
  /** Most tokens of one answer. */
  readonly maxTokens: number;
  /** Chunks under way at once. */
  readonly concurrency: number;
  readonly price: TokenPrice | null;
}

export interface ModelExtracted extends Extracted {
  readonly warnings: string[];
  /** False where chunks were read without the model: the same document is worth another try. */
  readonly complete: boolean;
}

/** What an extraction would ask for. Tokens are estimates. */
export interface ExtractionPlan {
  readonly chunks: number;
  /** Chunks the answers to which are kept from before. */
  readonly cached: number;
  /** Requests to the model, where no answer has to be requested twice. */
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** US dollars; null where the configuration names no price. */
  readonly cost_usd: number | null;
}

/** What the passages are read by where the model fails, and how far it has come. */
export interface ExtractionOptions extends ExtractOptions {
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

interface Failure {
  readonly chunk: ModelChunk;
  /** Null where the model was not called any more. */
  readonly reason: string | null;
}

/** Number of consecutive failures after which the model is not called any more. */
const MOST_FAILURES = 5;

/** Extraction of concepts, relations and rules by a language model. */
export class ModelExtraction {
  /** Part of content hashes: the same text is read again by another model, or with other settings. */
  readonly fingerprint: string;
  /** Kind and model, for example `openai-gpt-4o-mini`. */
  readonly model: string;

  constructor(
    private readonly llm: Llm,
    private readonly store: Store,
    private readonly settings: ModelExtractionSettings,
  ) {
    const { minConfidence, chunkChars } = settings;
    this.model = llm.name;
    this.fingerprint = `${EXTRACTION_VERSION} ${llm.name} ${minConfidence} ${chunkChars}`;
  }

  /** Returns what the passages would cost to extract. Asks nothing. */
  async plan(passages: readonly Passage[]): Promise<ExtractionPlan> {
    const chunks = modelChunks(passages, this.settings.chunkChars);
    const kept = await this.kept(chunks);
    const requested = chunks.filter((chunk) => !kept.has(chunk.key));
    const tokens = requested.map((chunk) => expectedTokens(chunk.text, this.settings.maxTokens));
    const usage = {
      input_tokens: tokens.reduce((sum, { input }) => sum + input, 0),
      output_tokens: tokens.reduce((sum, { output }) => sum + output, 0),
    };
    const { price } = this.settings;
    return {
      chunks: chunks.length,
      cached: chunks.length - requested.length,
      calls: requested.length,
      ...usage,
      cost_usd: price === null ? null : costOf(usage, price),
    };
  }

  /**
   * Reads the passages of one document. A chunk that the model fails on is read without it and costs one warning; only
   * an abort throws.
   */
  async extract(passages: readonly Passage[], options: ExtractionOptions = {}): Promise<ModelExtracted> {
    const chunks = modelChunks(passages, this.settings.chunkChars);
    const { answers, failures } = await this.answered(chunks, options);
    const read = chunks.flatMap((chunk) => {
      const answer = answers.get(chunk.number);
      return answer === undefined ? [] : [checkAnswer(answer, { chunk, minConfidence: this.settings.minConfidence })];
    });
    const joined = joinAnswers(read);
    const rest = await extract(
      failures.flatMap(({ chunk }) => chunk.passages),
      options,
    );
    return {
      concepts: [...joined.concepts, ...rest.concepts],
      edges: [...joined.edges, ...rest.edges],
      rules: [...joined.rules, ...rest.rules],
      warnings: [...failureWarnings(failures), ...leftOutWarnings(read), ...joined.warnings],
      complete: failures.length === 0,
    };
  }

  private kept(chunks: readonly ModelChunk[]): Promise<Map<string, string>> {
    return readAnswers(
      this.store.db,
      this.llm.name,
      chunks.map((chunk) => chunk.key),
    );
  }

  private async answered(chunks: readonly ModelChunk[], { signal, progress }: ExtractionOptions) {
    const answers = new Map<number, ModelAnswer>();
    const failures: Failure[] = [];
    const kept = await this.kept(chunks);
    let [next, done, failedInARow] = [0, 0, 0];
    const work = async (): Promise<void> => {
      for (let chunk = chunks[next++]; chunk !== undefined; chunk = chunks[next++]) {
        signal?.throwIfAborted();
        if (failedInARow >= MOST_FAILURES && !kept.has(chunk.key)) failures.push({ chunk, reason: null });
        else {
          try {
            answers.set(chunk.number, await this.answerTo(chunk, kept, signal));
            failedInARow = 0;
          } catch (error) {
            signal?.throwIfAborted();
            // An answer that is of no use comes from a model that works.
            failedInARow = error instanceof UnusableAnswer ? 0 : failedInARow + 1;
            failures.push({ chunk, reason: error instanceof Error ? error.message : String(error) });
          }
        }
        done += 1;
        progress?.(done, chunks.length);
      }
    };
    await Promise.all(Array.from({ length: this.settings.concurrency }, work));
    failures.sort((a, b) => a.chunk.number - b.chunk.number);
    return { answers, failures };
  }

  private async answerTo(
    chunk: ModelChunk,
    kept: ReadonlyMap<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<ModelAnswer> {
    const known = kept.get(chunk.key);
    if (known !== undefined) return JSON.parse(known) as ModelAnswer;
    const request = extractionRequest(chunk.text, {
      maxTokens: this.settings.maxTokens,
      ...(signal === undefined ? {} : { signal }),
    });
    const { value } = await structured(this.llm, request, answerCheck());
    const row = { model: this.llm.name, key: chunk.key, answer: JSON.stringify(value) };
    await this.store.write(({ db }) => keepAnswer(db, row, KEPT_ANSWERS));
    return value;
  }
}

function failureWarnings(failures: readonly Failure[]): string[] {
  const warnings = failures.flatMap(({ chunk, reason }) =>
    reason === null ? [] : [`Chunk ${chunk.number + 1}${placeOf(chunk)} was read without the model: ${reason}`],
  );
  const unasked = failures.length - warnings.length;
  if (unasked === 0) return warnings;
  return [
    ...warnings,
    `The model failed ${MOST_FAILURES} times in a row; ${unasked} more chunks were read without it. Ingest the document again to have them read by the model.`,
  ];
}

function placeOf(chunk: ModelChunk): string {
  const title = chunk.passages[0]?.title ?? '';
  return title === '' ? '' : ` ("${title.slice(0, 80)}")`;
}

function leftOutWarnings(answers: readonly CheckedAnswer[]): string[] {
  const sum = (member: keyof LeftOut) => answers.reduce((total, answer) => total + answer.leftOut[member], 0);
  const reasons = [
    [sum('unquoted'), 'whose quote the text does not hold'],
    [sum('unknownEndpoint'), 'that name a concept which was not extracted'],
    [sum('unsure'), 'that the model was not sure of'],
    [sum('malformed'), 'that were malformed'],
  ] as const;
  const parts = reasons.flatMap(([count, reason]) => (count === 0 ? [] : [`${count} ${reason}`]));
  return parts.length === 0 ? [] : [`Statements of the model were left out: ${parts.join(', ')}.`];
}
