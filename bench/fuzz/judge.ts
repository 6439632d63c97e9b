/** One answer to a generated request. */
export interface Answer {
  /** `POST /v1/query` of variant a, or the name of a tool. */
  readonly target: string;
  /** HTTP status; of a tool the one that its error code stands for. 0 where no answer came. */
  readonly status: number;
  /** The body; of an event stream that was opened nothing. */
  readonly text: string;
}

/** Returns whether an answer is an event stream that a GET opened: its head is the answer, and it ends with the client. */
export function isOpenStream(method: string, { status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return method === 'GET' && status === 200 && /^text\/event-stream\b/u.test(headers.get('content-type') ?? '');
}

/** Operations that reach another server by an address of the request: nothing answers there. */
const REACHES_OUT = /\/sources\b|\bsource_|migrate/;

/**
 * Returns why an answer is a fault, or undefined. 500 always is; 501 says that an engine cannot do what was asked; 503 is
 * meant where a module is off, or where the request names a server that does not answer. Every refusal is JSON.
 */
export function faultOf({ target, status, text }: Answer): string | undefined {
  if (status === 0) return `no answer: ${text}`;
  if (status < 400) return undefined;
  // The specification has it in plain text.
  if (status === 405 && text === 'Method Not Allowed' && target.includes('/__gateway__/api/learning/'))
    return undefined;
  const body = parsed(text);
  if (body === undefined) return `status ${status} without JSON: ${text.slice(0, 200)}`;
  if (typeof body.error !== 'string' && typeof body.error !== 'object') return `status ${status} without a sentence`;
  if (status < 500) return undefined;
  const code = String(body.code ?? '').toLowerCase();
  if (status === 501 && code === 'unsupported') return undefined;
  if (status === 503 && code === 'disabled') return undefined;
  if (status === 503 && code === 'unavailable' && REACHES_OUT.test(target)) return undefined;
  return `status ${status}: ${text.slice(0, 300)}`;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
