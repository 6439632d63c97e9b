import { runFor } from '../../core/async/caller-scope.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { checkSignature, type HmacCompat } from '../../core/hmac.js';
import { discard, hasBody, receive } from '../body/receive.js';
import type { FailedAttempts } from '../keys/failed-attempts.js';
import type { KeyRing } from '../keys/key-ring.js';
import { type Caller, type Context, isRow, type Middleware } from '../route.js';
import { bodyOf } from '../routes/row.js';
import type { BodyLimits } from './body.js';
import { isForm } from './body.js';
import { NonceMemory } from './nonces.js';

export interface AuthOptions {
  /** The keys that are admitted; none where no key is configured. */
  readonly keys: KeyRing | undefined;
  /** Failures by address; shared by what serves the same configuration. */
  readonly failed: FailedAttempts;
  readonly hmacSecret: string | null;
  /** Seconds between the sender's clock and ours. */
  readonly hmacMaxAge: number;
  readonly requireNonce: boolean;
  readonly compat: readonly HmacCompat[];
  /** Name of the service, in the headers' names. */
  readonly name: string;
  readonly clock: Clock;
  readonly limits: BodyLimits;
}

interface Signed {
  readonly timestamp: string;
  readonly signature: string;
  readonly nonce: string | undefined;
}

const TIMESTAMP = /^\d{1,12}$/;
/** 32 bytes. */
const SIGNATURE = /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i;
const NONCE = /^[\x21-\x7e]{1,128}$/;

/**
 * Admits requests with an API key or a signature, either suffices; everything is open where neither is configured. An
 * address that failed too often is refused before its body is read, unless it presents a key that is admitted, or one of
 * the few signatures that are verified all the same.
 */
export function authenticate(options: AuthOptions): Middleware {
  const secret = options.hmacSecret;
  const nonces = new NonceMemory(options.clock);

  return async (ctx, next) => {
    const anonymous: Caller = { authenticated: false, id: `address ${ctx.ip}` };
    ctx.state.caller = anonymous;
    if (ctx.state.match.route?.auth === 'open' || (options.keys === undefined && secret === null)) return next();

    const key = bearer(ctx);
    const known = key === undefined ? undefined : options.keys?.find(key);
    if (known !== undefined) {
      const name = known.scope?.name;
      ctx.state.caller = { authenticated: true, id: known.id, ...(name === undefined ? {} : { name }) };
      return runFor(known, next);
    }
    try {
      await admitSigned(ctx, nonces, options);
    } catch (error) {
      if (error instanceof SvcError && error.code === 'unauthorized') options.failed.note(ctx.ip);
      await discard(ctx.state.raw);
      throw error;
    }
    try {
      await runFor({ id: ctx.state.caller.id }, next);
    } finally {
      await discard(ctx.state.raw);
    }
  };
}

/** Reads the body of a signed request and checks the signature. Throws `unauthorized`. */
async function admitSigned(ctx: Context, nonces: NonceMemory, options: AuthOptions): Promise<void> {
  const { hmacSecret: secret, failed } = options;
  const signed = secret === null ? undefined : signatureOf(ctx, options.name);
  const unfit = signed === undefined ? missing(options) : complaintAbout(signed, options);
  if (secret === null || signed === undefined || unfit !== undefined) {
    failed.check(ctx.ip);
    throw refused(ctx, options, unfit ?? missing(options));
  }
  requireNoBody(ctx);
  const wasGood = failed.beginSignature(ctx.ip);
  const parts = { ...signed, method: ctx.method, target: ctx.req.url ?? '' };
  const check = checkSignature(secret, parts, options.compat);
  const spool = isForm(ctx);
  const limit = spool ? options.limits.upload : options.limits.json;
  ctx.state.raw = await receive(ctx.req, { limit, spool, onChunk: (chunk) => check.update(chunk) });
  if (!check.matches(signed.signature)) throw refused(ctx, options, 'The signature does not match the request.');
  if (signed.nonce !== undefined && !nonces.accept(signed.nonce, Number(signed.timestamp) + options.hmacMaxAge)) {
    throw refused(ctx, options, 'The nonce was used before; send a new one with each request.');
  }
  wasGood();
  ctx.state.caller = { authenticated: true, id: 'signature', name: 'signature' };
}

function bearer(ctx: Context): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1];
}

function signatureOf(ctx: Context, name: string): Signed | undefined {
  const timestamp = ctx.get(`X-${name}-Timestamp`);
  const signature = ctx.get(`X-${name}-Signature`);
  if (timestamp === '' || signature === '') return undefined;
  const nonce = ctx.get(`X-${name}-Nonce`);
  return { timestamp, signature, nonce: nonce === '' ? undefined : nonce };
}

/** Returns what is wrong with a signature before the body is read, so that a stale request costs nothing. */
function complaintAbout(signed: Signed, { clock, hmacMaxAge, requireNonce }: AuthOptions): string | undefined {
  if (!TIMESTAMP.test(signed.timestamp)) return 'The timestamp must be Unix seconds, digits only.';
  if (Math.abs(clock() / 1000 - Number(signed.timestamp)) > hmacMaxAge)
    return `The timestamp is more than ${hmacMaxAge} s away from the service's clock.`;
  if (!SIGNATURE.test(signed.signature)) return 'The signature must be 32 bytes in hex or base64.';
  if (signed.nonce === undefined) return requireNonce ? 'A nonce is required.' : undefined;
  return NONCE.test(signed.nonce) ? undefined : 'The nonce must be 1 to 128 printable ASCII characters without spaces.';
}

/**
 * Refuses a body where the row takes none: the signed strings are joined without separators, so the end of a target
 * could else be sent as the body of a shorter one.
 */
function requireNoBody(ctx: Context): void {
  const { route } = ctx.state.match;
  const takesBody = isRow(route) ? bodyOf(route) !== 'none' : route === undefined || route.method === 'POST';
  if (takesBody || !hasBody(ctx.req)) return;
  throw new SvcError('invalid_input', `A signed ${ctx.method} request to ${ctx.path} must have no body.`);
}

function missing({ keys, hmacSecret }: AuthOptions): string {
  const ways = [
    ...(keys !== undefined ? ['a valid API key (Authorization: Bearer …)'] : []),
    ...(hmacSecret === null ? [] : ['a signature']),
  ];
  return `The request needs ${ways.join(' or ')}.`;
}

function refused(ctx: Context, options: AuthOptions, sentence: string): SvcError {
  const challenges = [
    ...(options.keys !== undefined ? [`Bearer realm="${options.name}"`] : []),
    ...(options.hmacSecret === null ? [] : [`HMAC-SHA256 realm="${options.name}"`]),
  ];
  ctx.set('WWW-Authenticate', challenges.join(', '));
  return new SvcError('unauthorized', sentence);
}
