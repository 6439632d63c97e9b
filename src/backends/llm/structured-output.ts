import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonrepair } from 'jsonrepair';
import { SvcError } from '../../core/errors.js';
import type { Llm, LlmRequest, LlmUsage } from './port.js';

/** A value as the schema has it, and what it cost; `attempts` is 2 where the first answer was invalid. */
export interface Structured<T> {
  readonly value: T;
  readonly usage: LlmUsage;
  readonly attempts: number;
}

/** Characters of a wrong answer that the model is shown again. */
const SHOWN = 2000;
/** Longer answers are not searched for JSON. */
const LONGEST = 1_000_000;

/** Is thrown where two answers were invalid; carries what they cost. */
export class UnusableAnswer extends SvcError {
  constructor(
    model: string,
    reason: string,
    readonly usage: LlmUsage,
  ) {
    super('unavailable', `The model ${model} did not answer with the requested JSON, twice: ${reason}.`);
  }
}

/** Returns what makes the check of a schema of our own when it is first asked for: most processes ask no model. */
export function checkOf<T>(schema: object): () => ValidateFunction<T> {
  let check: ValidateFunction<T> | undefined;
  return () => {
    check ??= new Ajv2020({ strict: false, allowUnionTypes: true, meta: false, validateSchema: false }).compile<T>(
      schema,
    );
    return check;
  };
}

/**
 * Asks for JSON of a schema. Prose and code fences around it, trailing commas, single quotes and a cut-off end are mended;
 * an answer that still does not fit is shown to the model once, with the reason. Throws `UnusableAnswer` after that.
 */
export async function structured<T>(
  llm: Llm,
  request: LlmRequest,
  validate: ValidateFunction<T>,
): Promise<Structured<T>> {
  const first = await llm.complete(request);
  const read = readAnswer(first.text, validate);
  if (read.reason === undefined) return { value: read.value, usage: first.usage, attempts: 1 };
  const prompt = `${request.prompt}\n\nYour answer before was:\n${first.text.slice(0, SHOWN)}\n\nIt cannot be used: ${read.reason}. Answer again, with nothing but the JSON.`;
  const second = await llm.complete({ ...request, prompt });
  const usage = {
    input_tokens: first.usage.input_tokens + second.usage.input_tokens,
    output_tokens: first.usage.output_tokens + second.usage.output_tokens,
  };
  const again = readAnswer(second.text, validate);
  if (again.reason === undefined) return { value: again.value, usage, attempts: 2 };
  throw new UnusableAnswer(llm.name, again.reason, usage);
}

type ReadAnswer<T> = { readonly value: T; readonly reason?: undefined } | { readonly reason: string };

/** Reads one answer; gives the reason where it is invalid. */
export function readAnswer<T>(text: string, validate: ValidateFunction<T>): ReadAnswer<T> {
  const readings = readingsOf(text);
  if (readings.length === 0) return { reason: 'it holds no JSON' };
  let reason: string | undefined;
  for (const value of readings.flatMap(parsed)) {
    if (validate(value)) return { value };
    const [error] = validate.errors ?? [];
    reason ??= `${error?.instancePath || 'the answer'} ${error?.message ?? 'does not fit the schema'}`;
  }
  return { reason: reason ?? 'its JSON is broken' };
}

/**
 * Returns the parts of an answer that may be its JSON: from the first bracket to the last one that closes, and to the end
 * for a cut-off answer.
 */
function readingsOf(text: string): string[] {
  if (text.length > LONGEST) return [];
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1] ?? text;
  const start = fenced.search(/[{[]/);
  if (start < 0) return [];
  const end = fenced.lastIndexOf(fenced[start] === '{' ? '}' : ']');
  const whole = fenced.slice(start);
  return end > start && end < fenced.length - 1 ? [fenced.slice(start, end + 1), whole] : [whole];
}

/** Returns the value of a text, or of the text once it is mended; none where it cannot be. */
function parsed(json: string): unknown[] {
  for (const read of [() => json, () => jsonrepair(json)]) {
    try {
      return [JSON.parse(read()) as unknown];
    } catch {
      // The next way of reading it may do.
    }
  }
  return [];
}
