import { isErrorCode, SvcError } from '../core/errors.js';
import type { CallContext } from '../operations/operation.js';
import { LOCAL_RPC_PATH } from '../server/local-rpc.js';

export type RpcCallOptions = Pick<CallContext, 'signal' | 'progress' | 'trace'>;

interface Line {
  readonly output?: unknown;
  readonly progress?: { readonly done: number; readonly total?: number; readonly message: string };
  readonly error?: string;
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Calls an operation of the service that holds the data directory; rethrows its errors as they were. */
export async function callLocalRpc(
  rpc: { readonly url: string; readonly token: string },
  call: { operation: string; input: unknown; surface: string; authenticated?: boolean },
  { signal, progress, trace }: RpcCallOptions = {},
): Promise<unknown> {
  const response = await fetch(`${rpc.url}${LOCAL_RPC_PATH}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${rpc.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...call, trace }),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw disconnected(cause);
  });
  for await (const line of linesOf(response)) {
    if (line.progress !== undefined) progress?.(line.progress.done, line.progress.total, line.progress.message);
    else if (line.error !== undefined) throw asError(line);
    else if ('output' in line) return line.output;
  }
  throw disconnected(undefined);
}

async function* linesOf(response: Response): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  try {
    for await (const chunk of response.body ?? []) {
      const pieces = decoder.decode(chunk as Uint8Array, { stream: true }).split('\n');
      for (const piece of pieces.slice(0, -1)) {
        const text = [...parts.splice(0), piece].join('');
        if (text !== '') yield JSON.parse(text) as Line;
      }
      parts.push(pieces.at(-1)!);
    }
  } catch (cause) {
    throw cause instanceof SvcError ? cause : disconnected(cause);
  }
}

function asError(line: Line): SvcError {
  return new SvcError(isErrorCode(line.code) ? line.code : 'internal', line.error ?? '', line.details);
}

function disconnected(cause: unknown): SvcError {
  return new SvcError('unavailable', 'The running service stopped answering; look at its log.', undefined, { cause });
}
