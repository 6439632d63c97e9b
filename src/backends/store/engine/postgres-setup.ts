import { SvcError } from '../../../core/errors.js';

/** Node's codes of certificates that it does not trust (nodejs.org/api/tls.html, X509 certificate error codes). */
const CERTIFICATE = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/**
 * Returns what an administrator of PostgreSQL has to set up, for an error that says so: rights, the extension, TLS;
 * undefined for any other error. SQLSTATE codes: PostgreSQL's manual, appendix A.
 */
export function setupProblem(error: unknown): SvcError | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const sentence = sentenceFor(String(code ?? ''), String(message ?? ''));
  return sentence === undefined ? undefined : new SvcError('unavailable', sentence, undefined, { cause: error });
}

function sentenceFor(code: string, message: string): string | undefined {
  if (/extension "vector" is not available/.test(message))
    return 'PostgreSQL has no pgvector; install it on the server, or set SVC_VEC=qdrant.';
  if (code === '42501') {
    return /extension/.test(message)
      ? 'The user of DATABASE_URL may not make the extension vector; let an administrator run `create extension vector` in the database once.'
      : 'The user of DATABASE_URL lacks a right in the database; let it own the database, or grant it usage and create on the schema public.';
  }
  if (/does not support SSL/.test(message))
    return 'PostgreSQL offers no TLS; leave sslmode out of DATABASE_URL, or turn TLS on at the server.';
  if (CERTIFICATE.test(code)) {
    return `PostgreSQL's certificate is not trusted (${code}); name its authority in NODE_EXTRA_CA_CERTS, or say sslmode=no-verify in DATABASE_URL on a network that you trust.`;
  }
  if (code !== '28000' || !/no encryption|SSL off/.test(message)) return undefined;
  return 'PostgreSQL refused the login without TLS; add sslmode=require to DATABASE_URL, and check user and database.';
}
