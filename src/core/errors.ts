/** Every failure the service reports has one of these codes; `statusOf` is the only table from code to HTTP status. */
const STATUS = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  domain_not_found: 404,
  node_not_found: 404,
  query_not_found: 404,
  index_not_found: 404,
  source_not_found: 404,
  session_not_found: 404,
  job_not_found: 404,
  checkpoint_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  /** The caller hung up or cancelled; no caller receives the status. */
  cancelled: 499,
  internal: 500,
  unsupported: 501,
  unavailable: 503,
  disabled: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** Characters of a message; one that quotes what a caller sent ends there. */
const MAX_MESSAGE = 2000;

export interface SvcErrorOptions {
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense (sent as Retry-After). */
  readonly retryAfter?: number;
  /** True when the same call may succeed later without a change by the caller. */
  readonly retriable?: boolean;
}

/** Returns whether an error means that what was called does not answer. */
export function isUnavailable(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === 'unavailable';
}

/** The one error class: a code, a sentence that names what was wrong and what to do, optional details for machines. */
export class SvcError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;
  readonly retriable: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    details?: Readonly<Record<string, unknown>>,
    options: SvcErrorOptions = {},
  ) {
    super(shortened(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SvcError';
    this.code = code;
    this.details = details;
    this.retryAfter = options.retryAfter;
    this.retriable = options.retriable ?? false;
  }
}

function shortened(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}… (shortened)`;
}

/** What the error of a domain that does not exist tells machines beside its name: the member that names it, and names that may be meant. */
export interface AbsentDomain {
  readonly member?: string;
  readonly near?: readonly string[];
}

/** Returns the error of a domain that does not exist; `help` says what to do as a surface has it. */
export function domainNotFound(
  domain: string,
  details?: AbsentDomain,
  help = 'list the domains to see their names, or ingest into it first',
): SvcError {
  const near = details?.near?.map((name) => `"${name}"`) ?? [];
  const meant = near.length === 0 ? '' : `did you mean ${near.join(' or ')}? Else `;
  const message = `The domain "${domain}" does not exist; ${meant}${help}.`;
  return new SvcError('domain_not_found', message, { ...details, domain });
}

/** Throws `invalid_input` for a member of what a caller gave; `must` says what it must be. */
export function wrongMember(member: string, must: string): never {
  throw new SvcError('invalid_input', `${member} ${must}.`, { member });
}

/** A concept that stands for one that was merged into it. */
export interface StandIn {
  readonly id: string;
  readonly name: string;
}

/** Returns the error for the id of a node that does not exist, or was merged into `standIn`, which it names. */
export function nodeNotFound(
  id: string,
  standIn?: StandIn | null,
  details?: Readonly<Record<string, unknown>>,
): SvcError {
  const merged = standIn == null ? undefined : { merged_into: standIn };
  const all = details === undefined && merged === undefined ? undefined : { ...details, ...merged };
  return new SvcError('node_not_found', `Node ${id} does not exist${mergedInto(standIn)}.`, all);
}

/** Returns how a sentence that a concept does not exist ends where it was merged into another one. */
export function mergedInto(standIn: StandIn | null | undefined): string {
  return standIn == null ? '' : ` now: it was merged into ${standIn.name}, ${standIn.id}`;
}

/** Returns the HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code];
}

/** Returns whether it is a code of the table: used when an error comes back over the wire. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(STATUS, value);
}

/**
 * Returns `error` itself when it is ours, else an `internal` error that hides everything but its cause (kept for the
 * log).
 */
export function toSvcError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  return new SvcError('internal', 'The service failed unexpectedly; its log has the details.', undefined, {
    cause: error,
  });
}

/** Returns `error` with the member that it names as the caller knows it; any other error as it is. */
export function renamedMember(error: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof SvcError)) return error;
  const { code, message, details, cause, retryAfter, retriable } = error;
  const member = names[String(details?.member)];
  if (member === undefined) return error;
  const after = retryAfter === undefined ? {} : { retryAfter };
  return new SvcError(code, message, { ...details, member }, { cause, retriable, ...after });
}

/** Returns the body that variants A and B, the tools and the command line send for an error. */
export function errorBody(error: SvcError): { error: string; code: ErrorCode; details?: unknown } {
  return {
    error: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** Returns an error that the store itself causes, such as a full disk; undefined for any other. */
export function storeProblem(thrown: unknown): SvcError | undefined {
  const error = toSvcError(thrown);
  return error.details?.part === 'store' ? error : undefined;
}
