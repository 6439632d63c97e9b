import { SvcError } from '../../core/errors.js';
import { parseJsonObject } from '../body/json.js';
import { parseMultipart } from '../body/multipart.js';
import { discard, type RawBody, receive } from '../body/receive.js';
import { bodyOf, type Input, isRow, type Row } from '../route.js';
import type { Context, Middleware } from '../state.js';

/** Bytes. */
export interface BodyLimits {
  readonly json: number;
  readonly upload: number;
}

/** Reads and parses the body where the row takes one; nothing of it stays on disk after the request. */
export function body(limits: BodyLimits): Middleware {
  return async (ctx, next) => {
    ctx.state.body = {};
    const { route } = ctx.state.match;
    if (!isRow(route) || bodyOf(route) === 'none') return next();
    requireType(ctx, route);
    const mine = ctx.state.raw === undefined;
    const spool = spools(ctx);
    ctx.state.raw ??= await receive(ctx.req, { limit: spool ? limits.upload : limits.json, spool });
    try {
      ctx.state.body = await parsed(ctx, ctx.state.raw);
      await next();
    } finally {
      if (mine) await discard(ctx.state.raw);
    }
  };
}

/** True where the body goes to a temporary file: multipart, to a row that takes it. */
export function spools(ctx: Context): boolean {
  const { route } = ctx.state.match;
  return isRow(route) && bodyOf(route) === 'multipart' && typeOf(ctx) === 'multipart/form-data';
}

function typeOf(ctx: Context): string {
  return (ctx.get('Content-Type').split(';', 1)[0] ?? '').trim().toLowerCase();
}

function requireType(ctx: Context, row: Row): void {
  const encoding = ctx.get('Content-Encoding').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw new SvcError('unsupported_media', `Content-Encoding ${encoding} is not supported; send the body as it is.`);
  }
  const type = typeOf(ctx);
  if (bodyOf(row) === 'multipart') {
    if (type !== 'multipart/form-data') {
      throw new SvcError('unsupported_media', 'Content-Type must be multipart/form-data.');
    }
    return;
  }
  if (type === '' && !announcesBody(ctx)) return;
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new SvcError('unsupported_media', 'Content-Type must be application/json.');
  }
  const charset = /charset="?([^";\s]+)/i.exec(ctx.get('Content-Type'))?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new SvcError('unsupported_media', `Charset ${charset} is not supported; send UTF-8.`);
  }
}

function announcesBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
}

async function parsed(ctx: Context, raw: RawBody): Promise<Input> {
  if (raw.kind === 'file') return parseMultipart(raw, ctx.get('Content-Type'));
  // Neither a type nor a body: a call without input, such as a sync that names its source in the path.
  if (typeOf(ctx) === '' && raw.bytes.length === 0) return {};
  return parseJsonObject(raw.bytes);
}
