import { isErrorCode, SvcError } from '../core/errors.js';
import type { ClientRule } from './protocol.js';
import { Attempt } from './retry.js';

/** Returns an answer whose rules carry `derivation` as a member; variant B keeps it in their metadata. */
export function withDerivation<T extends { readonly rules: ClientRule[] }>(answer: T): T {
  const given: { readonly rules?: unknown } | null = answer;
  checkedList(given?.rules);
  const rules = answer.rules.map(({ metadata: { derivation, ...metadata }, ...rule }) => ({
    ...rule,
    derivation: derivation as ClientRule['derivation'],
    metadata,
  }));
  return { ...answer, rules };
}

/** Returns the list of an answer. One that has none did not come from the service: `internal`. */
export function checkedList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw errorOf(200, '');
  return value;
}

/** Parses the body of a success. One that is no JSON did not come from the service: `internal`. */
export function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return new Attempt(errorOf(status, ''), false);
  }
}

/** Statuses after which the same call may succeed later. */
const TRY_LATER: ReadonlySet<number> = new Set([429, 503]);

/** Returns the service's own error, as the same class with the same code; `retryAfter` in seconds. */
export function errorOf(status: number, text: string, retryAfter?: number): SvcError {
  const later = { retriable: TRY_LATER.has(status), ...(retryAfter === undefined ? {} : { retryAfter }) };
  try {
    const body = JSON.parse(text) as { error?: unknown; code?: unknown; details?: unknown };
    if (typeof body.error === 'string' && isErrorCode(body.code)) {
      // Variant A answers too, and has none of the paths of this client.
      const isOther = body.code === 'not_found' && /is not a path of this service/.test(body.error);
      const hint = isOther ? ' This client speaks variant B (port 8741 by default); check the base address.' : '';
      const details = body.details as Record<string, unknown> | undefined;
      return new SvcError(body.code, `${body.error}${hint}`, details, later);
    }
  } catch {
    // Not our JSON: a proxy answered.
  }
  return new SvcError(
    status === 503 ? 'unavailable' : 'internal',
    `What answered (${status}) is not the service, or not through a clear way; check the base address.`,
    undefined,
    later,
  );
}

/** Returns what to do about a request that got no answer within `seconds`, or no connection. */
export function unreachable(cause: unknown, seconds: number): Attempt {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const message = timedOut
    ? `The service did not answer within ${seconds} s.`
    : 'The service cannot be reached; check the base address and that it runs.';
  return new Attempt(new SvcError('unavailable', message, undefined, { cause, retriable: true }), !timedOut);
}
