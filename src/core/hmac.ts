import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The strings that a request's signature covers, as they travel. */
export interface SignedParts {
  /** Unix seconds, as sent. */
  readonly timestamp: string;
  /** Appended to the timestamp where one is sent. */
  readonly nonce?: string | undefined;
  readonly method: string;
  /** The request target: path and, if present, `?query`, exactly as on the request line. */
  readonly target: string;
}

export type HmacCompat = 'path-only' | 'timestamp-body';

/**
 * Returns the lower-case hex of HMAC-SHA256 over timestamp (and nonce), method in upper case, request target and body,
 * joined.
 */
export function signRequest(secret: string, parts: SignedParts, body: string | Uint8Array = ''): string {
  return createHmac('sha256', secret).update(prefix(parts)).update(body).digest('hex');
}

/** A verification in progress: the body's bytes as they arrive, then the verdict. */
export interface SignatureCheck {
  update(chunk: Uint8Array): void;
  /**
   * Returns whether the signature (hex or base64) is the one of any accepted form; takes the same time for every wrong
   * one.
   */
  matches(signature: string): boolean;
}

/** Starts to verify a request; `compat` names older forms that are accepted beside the standard one. */
export function checkSignature(secret: string, parts: SignedParts, compat: readonly HmacCompat[] = []): SignatureCheck {
  const forms = [prefix(parts)];
  if (compat.includes('path-only')) forms.push(prefix({ ...parts, target: parts.target.split('?', 1)[0]! }));
  if (compat.includes('timestamp-body')) forms.push(`${parts.timestamp}${parts.nonce ?? ''}.`);
  const hmacs = forms.map((form) => createHmac('sha256', secret).update(form));
  return {
    update: (chunk) => {
      for (const hmac of hmacs) hmac.update(chunk);
    },
    matches: (signature) => {
      const sent = sha256(decoded(signature));
      let equal = 0;
      for (const hmac of hmacs) equal |= timingSafeEqual(sha256(hmac.digest()), sent) ? 1 : 0;
      return equal === 1;
    },
  };
}

/** Returns whether `presented` is one of the keys whose SHA-256 digests are given; looks at every digest. */
export function isKnownKey(presented: string, digests: readonly Uint8Array[]): boolean {
  const sent = sha256(presented);
  let equal = 0;
  for (const digest of digests) equal |= timingSafeEqual(digest, sent) ? 1 : 0;
  return equal === 1;
}

/** Returns the SHA-256 digest: keys are kept and compared in this form. */
export function sha256(value: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(value).digest();
}

function prefix({ timestamp, nonce, method, target }: SignedParts): string {
  return `${timestamp}${nonce ?? ''}${method.toUpperCase()}${target}`;
}

function decoded(signature: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.from(signature, 'base64');
}
