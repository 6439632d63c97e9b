import { signRequest } from '../../src/core/hmac.js';

export const SECRET = 'a good secret';
/** Seconds since the epoch by the clock of these tests. */
export const NOW = 1_900_000_000;

export interface Signable {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

/** Returns the headers of a signature over a request; `over` replaces what is signed. */
export function signature(
  sent: Partial<Signable>,
  over: Partial<Signable> & { timestamp?: number; nonce?: string; secret?: string } = {},
): Record<string, string> & { 'X-Svc-Timestamp': string; 'X-Svc-Signature': string } {
  const { method = 'GET', target = '/', body = '' } = { ...sent, ...over };
  const timestamp = String(over.timestamp ?? NOW);
  const parts = { timestamp, method, target, nonce: over.nonce };
  return {
    'X-Svc-Timestamp': timestamp,
    'X-Svc-Signature': signRequest(over.secret ?? SECRET, parts, body),
    ...(over.nonce === undefined ? {} : { 'X-Svc-Nonce': over.nonce }),
  };
}
