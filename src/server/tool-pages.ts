import type { Config } from '../config.js';
import { SvcError } from '../core/errors.js';
import { parseJsonBytes } from '../core/json/json-bytes.js';
import { VERSION } from '../core/version.js';
import { dispatchTo } from '../mcp/dispatch.js';
import { StreamableTools } from '../mcp/http.js';
import { parseRefusal } from '../mcp/messages.js';
import { chosenTools } from '../mcp/profile.js';
import { SseTools } from '../mcp/sse.js';
import type { ToolServerOptions } from '../mcp/tool-server.js';
import type { Service } from '../service.js';
import { isProtected, type OriginRules, originRules } from './access.js';
import { receive } from './body/receive.js';
import type { Slots } from './limits/slots.js';
import { inSlots } from './limits/tools.js';
import { checkOrigin } from './middleware/same-origin.js';
import type { Context, Page } from './route.js';

/** Messages of one JSON-RPC batch: each is validated in the step that takes the batch up. */
const BATCH = 100;
/** Characters of an id, a method and the name of a tool: the answer repeats them in one step. */
const NAME = 1000;

export interface ToolPagesOptions extends OriginRules {
  readonly tools: ToolServerOptions;
  /** Largest request body, in bytes. */
  readonly limit: number;
}

export interface ToolPages {
  readonly pages: readonly Page[];
  close(): Promise<void>;
}

/** Makes the tool transports that a configuration asks for, over a service in this process. */
export function toolPagesOf(config: Config, service: Service, slots: Slots): ToolPages {
  return toolPages({
    tools: {
      name: config.name,
      version: VERSION,
      tools: chosenTools(config.tools.profile, config.name),
      dispatch: inSlots(slots, dispatchTo(service, isProtected(config))),
    },
    ...toolGuards(config),
  });
}

/** Returns which callers may address the tools over HTTP, and how much they may send. */
export function toolGuards({ http }: Pick<Config, 'http'>): Omit<ToolPagesOptions, 'tools'> {
  return { limit: http.max_body_bytes, ...originRules({ http }) };
}

/**
 * Makes the tool transports over HTTP: `/mcp` (Streamable HTTP), `/sse` with `/messages`. They stand behind
 * authentication.
 */
export function toolPages(options: ToolPagesOptions): ToolPages {
  const streamable = new StreamableTools(options.tools);
  const sse = new SseTools(options.tools);
  const guarded = (handle: (ctx: Context) => Promise<void>) => async (ctx: Context) => {
    checkOrigin(ctx, options);
    await handle(ctx);
  };
  const stream = guarded(async (ctx) => {
    const body = ctx.method === 'POST' ? await jsonBody(ctx, options.limit) : undefined;
    if (body instanceof NoJson) return refuse(ctx, body);
    takeOver(ctx);
    await streamable.handle(ctx.req, ctx.res, body);
  });
  return {
    pages: [
      { method: 'POST', path: '/mcp', handle: stream },
      { method: 'GET', path: '/mcp', handle: stream },
      { method: 'DELETE', path: '/mcp', handle: stream },
      {
        method: 'GET',
        path: '/sse',
        handle: guarded(async (ctx) => {
          sse.requireRoom();
          takeOver(ctx);
          await sse.open(ctx.res);
        }),
      },
      {
        method: 'POST',
        path: '/messages',
        handle: guarded(async (ctx) => {
          const body = await jsonBody(ctx, options.limit);
          if (body instanceof NoJson) return refuse(ctx, body);
          if (!sse.knows(ctx.req))
            throw new SvcError('not_found', 'sessionId names no open stream; connect to /sse first.');
          takeOver(ctx);
          await sse.message(ctx.req, ctx.res, body);
        }),
      },
    ],
    close: async () => {
      await Promise.all([streamable.close(), sse.close()]);
    },
  };
}

/** Leaves the response to the transport; the headers set so far (CORS) are sent with it. */
function takeOver(ctx: Context): void {
  for (const [name, value] of Object.entries(ctx.response.headers))
    if (value !== undefined) ctx.res.setHeader(name, value as string);
  ctx.res.statusCode = 200;
  ctx.respond = false;
}

/** A body that is not JSON, with the reason. */
class NoJson {
  constructor(readonly reason: string) {}
}

/** Answers a body that is not JSON as the protocol does. */
function refuse(ctx: Context, { reason }: NoJson): void {
  ctx.status = 400;
  ctx.body = parseRefusal(reason);
}

async function jsonBody(ctx: Context, limit: number): Promise<unknown> {
  if (!/^application\/json\b/i.test(ctx.get('Content-Type'))) {
    throw new SvcError('unsupported_media', 'Content-Type must be application/json.');
  }
  const raw = ctx.state.raw ?? (await receive(ctx.req, { limit, spool: false }));
  if (raw.kind !== 'bytes') throw new SvcError('unsupported_media', 'Content-Type must be application/json.');
  const value = await parseJsonBytes(raw.bytes).catch(noJson);
  if (Array.isArray(value) && value.length > BATCH) {
    throw new SvcError('too_large', `The batch holds more than ${BATCH} messages; send them apart.`, { limit: BATCH });
  }
  for (const message of Array.isArray(value) ? value : [value]) requireShortNames(message);
  return value;
}

function noJson(error: unknown): NoJson {
  if (error instanceof SvcError && error.code === 'invalid_input') return new NoJson(error.message);
  throw error;
}

/** Throws `too_large` where a message names itself, its method or its tool at length. */
function requireShortNames(message: unknown): void {
  const { id, method, params } = Object(message) as Record<string, unknown>;
  const named = { id, method, 'params.name': (Object(params) as Record<string, unknown>).name };
  for (const [member, value] of Object.entries(named)) {
    if (typeof value !== 'string' || value.length <= NAME) continue;
    throw new SvcError('too_large', `${member} has more than ${NAME} characters; shorten it.`, { member, limit: NAME });
  }
}
