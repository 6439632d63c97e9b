import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { SvcError } from '../core/errors.js';
import { operationSeconds } from './metrics.js';

/** Runs an operation in a span of its own and measures it. */
export async function inOperation<T>(operation: string, surface: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const ended = (outcome: string): void =>
    operationSeconds.observe({ operation, outcome }, (performance.now() - started) / 1000);
  try {
    const attributes = { 'svc.operation': operation, 'svc.surface': surface };
    const result = await withSpan(`operation ${operation}`, { attributes }, work);
    ended('ok');
    return result;
  } catch (error) {
    ended(codeOf(error));
    throw error;
  }
}

export interface SpanMore {
  readonly attributes?: Attributes;
  readonly kind?: SpanKind;
  /** Context that the span and its work begin from; default the active one. */
  readonly from?: Context;
}

/** Runs `work` in a span of its own; costs next to nothing while tracing is off. */
export function withSpan<T>(
  name: string,
  { attributes = {}, kind = SpanKind.INTERNAL, from = context.active() }: SpanMore,
  work: () => Promise<T>,
): Promise<T> {
  return trace.getTracer('svc').startActiveSpan(name, { attributes, kind }, from, async (span) => {
    try {
      return await work();
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed, by the error's code: its message may quote what people wrote. */
export function markFailed(span: Span, error: unknown): void {
  const code = codeOf(error);
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

/** Returns the code of an error of ours, else the name of its class. */
export function codeOf(error: unknown): string {
  if (error instanceof SvcError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
