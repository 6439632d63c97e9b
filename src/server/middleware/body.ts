import { SvcError } from '../../core/errors.js';
import { readForm, readJsonBody } from '../body/parse.js';
import { bodyStream, gathered, hasBody, makeUploadFolder, rawStream, removeUploadFolder } from '../body/receive.js';
import { type Context, isRow, type Middleware } from '../route.js';
import { bodyOf, type Input, type RouteRow } from '../routes/row.js';

/** Bytes. */
export interface BodyLimits {
  readonly json: number;
  readonly upload: number;
}

/** Bytes of a body without members, at most. */
const NO_MEMBERS = 1024;

/** Reads and parses the body where the row takes one; nothing of it stays on disk after the request. */
export function body(limits: BodyLimits): Middleware {
  return async (ctx, next) => {
    ctx.state.body = {};
    const { route } = ctx.state.match;
    if (!isRow(route)) return next();
    if (bodyOf(route) === 'none') {
      if (route.method === 'DELETE') await requireNoMembers(ctx);
      return next();
    }
    requireType(ctx, route);
    if (isForm(ctx)) return withForm(ctx, { limit: limits.upload, many: bodyOf(route) === 'json-or-files' }, next);
    ctx.state.body = await jsonInput(ctx, Math.min(limits.json, route.bodyLimit ?? limits.json));
    return next();
  };
}

/** Returns whether the row takes a multipart form and the request carries one. */
export function isForm(ctx: Context): boolean {
  const { route } = ctx.state.match;
  const takesForm = isRow(route) && ['multipart', 'json-or-files'].includes(bodyOf(route));
  return takesForm && typeOf(ctx) === 'multipart/form-data';
}

async function withForm(
  ctx: Context,
  { limit, many }: { readonly limit: number; readonly many: boolean },
  next: () => Promise<unknown>,
): Promise<void> {
  const folder = await makeUploadFolder();
  try {
    ctx.state.body = await readForm(ctx, bodySource(ctx, limit), { folder, many });
    await next();
  } finally {
    await removeUploadFolder(folder);
  }
}

async function jsonInput(ctx: Context, limit: number): Promise<Input> {
  // A call without input, such as a sync that names its source in the path.
  if (!hasBody(ctx.req)) return {};
  return readJsonBody(ctx, bodySource(ctx, limit));
}

/** Refuses a body that would be ignored: its `dry_run` would delete what was only to be looked at. `{}` says nothing. */
async function requireNoMembers(ctx: Context): Promise<void> {
  if (!hasBody(ctx.req)) return;
  const text = (await gathered(bodySource(ctx, NO_MEMBERS))).toString().trim();
  if (text === '' || /^\{\s*\}$/.test(text)) return;
  const sentence =
    'DELETE takes its members from the path and the query string, such as ?dry_run=true; send no body. Nothing was changed.';
  throw new SvcError('invalid_input', sentence);
}

/** Returns the bytes that authentication verified, else the request itself. */
function bodySource(ctx: Context, limit: number) {
  return ctx.state.raw === undefined ? bodyStream(ctx.req, { limit }) : rawStream(ctx.state.raw);
}

function typeOf(ctx: Context): string {
  return (ctx.get('Content-Type').split(';', 1)[0] ?? '').trim().toLowerCase();
}

function requireType(ctx: Context, row: RouteRow): void {
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
  if ((type === '' && !hasBody(ctx.req)) || isForm(ctx)) return;
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new SvcError('unsupported_media', 'Content-Type must be application/json.');
  }
  const charset = /charset="?([^";\s]+)/i.exec(ctx.get('Content-Type'))?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new SvcError('unsupported_media', `Charset ${charset} is not supported; send UTF-8.`);
  }
}
