import type { Config } from '../config.js';
import { SvcError } from '../core/errors.js';
import { VERSION } from '../core/version.js';
import { dispatchTo } from '../mcp/dispatch.js';
import { StreamableTools } from '../mcp/http.js';
import { chosenTools } from '../mcp/profile.js';
import { SseTools } from '../mcp/sse.js';
import type { ToolServerOptions } from '../mcp/tool-server.js';
import type { Service } from '../service.js';
import { requireShallow } from './body/json.js';
import { receive } from './body/receive.js';
import type { Context, Page } from './route.js';

export interface ToolPagesOptions {
  readonly tools: ToolServerOptions;
  /** Largest request body, in bytes. */
  readonly limit: number;
  /** Host names under which the service may be addressed, beside those of loopback. */
  readonly hosts: readonly string[];
  /** Origins that may call from a browser, beside those on loopback. */
  readonly origins: readonly string[];
}

export interface ToolPages {
  readonly pages: readonly Page[];
  close(): Promise<void>;
}

/** The tool transports as a configuration asks for them, over a service in this process. */
export function toolPagesOf(config: Config, service: Service): ToolPages {
  return toolPages({
    tools: {
      name: config.name,
      version: VERSION,
      tools: chosenTools(config.tools.profile, config.name),
      dispatch: dispatchTo(service, isProtected(config)),
    },
    ...toolGuards(config),
  });
}

/** Who may address the tools over HTTP, and how much they may send. */
export function toolGuards({ http }: Pick<Config, 'http'>): Omit<ToolPagesOptions, 'tools'> {
  return { limit: http.max_body_bytes, hosts: [http.host, ...http.allowed_hosts], origins: http.cors_origins };
}

/** True where every caller over HTTP has proved who it is. */
export function isProtected({ auth }: Pick<Config, 'auth'>): boolean {
  return auth.api_keys.length > 0 || auth.hmac_secret !== null;
}

/** The tool transports over HTTP: `/mcp` (Streamable HTTP), `/sse` with `/messages`. They stand behind authentication. */
export function toolPages(options: ToolPagesOptions): ToolPages {
  const streamable = new StreamableTools(options.tools);
  const sse = new SseTools(options.tools);
  const guarded = (handle: (ctx: Context) => Promise<void>) => async (ctx: Context) => {
    checkHost(ctx, options);
    await handle(ctx);
  };
  const stream = guarded(async (ctx) => {
    const body = ctx.method === 'POST' ? await jsonBody(ctx, options.limit) : undefined;
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
          takeOver(ctx);
          await sse.open(ctx.res);
        }),
      },
      {
        method: 'POST',
        path: '/messages',
        handle: guarded(async (ctx) => {
          const body = await jsonBody(ctx, options.limit);
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

/** From here on the transport writes the response; the headers set so far (CORS) go with it. */
function takeOver(ctx: Context): void {
  for (const [name, value] of Object.entries(ctx.response.headers))
    if (value !== undefined) ctx.res.setHeader(name, value as string);
  ctx.res.statusCode = 200;
  ctx.respond = false;
}

async function jsonBody(ctx: Context, limit: number): Promise<unknown> {
  if (!/^application\/json\b/i.test(ctx.get('Content-Type'))) {
    throw new SvcError('unsupported_media', 'Content-Type must be application/json.');
  }
  const raw = ctx.state.raw ?? (await receive(ctx.req, { limit, spool: false }));
  if (raw.kind !== 'bytes') throw new SvcError('unsupported_media', 'Content-Type must be application/json.');
  let body: unknown;
  try {
    body = JSON.parse(raw.bytes.toString('utf8'));
  } catch (cause) {
    throw new SvcError('invalid_input', 'The body is not valid JSON.', undefined, { cause });
  }
  if (typeof body === 'object' && body !== null) requireShallow(body);
  return body;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Against DNS rebinding: a page of another site must not reach a service on this machine through a name of its own. */
function checkHost(ctx: Context, { hosts, origins }: ToolPagesOptions): void {
  const allowed = [...LOOPBACK, ...hosts];
  if (!allowed.includes(hostName(ctx.get('Host')))) {
    throw new SvcError(
      'forbidden',
      'The Host header names a host that this service does not serve tools for; add it to SVC_ALLOWED_HOSTS.',
    );
  }
  const origin = ctx.get('Origin');
  if (origin === '' || origins.includes(origin)) return;
  let name: string;
  try {
    name = new URL(origin).hostname;
  } catch {
    throw new SvcError('forbidden', 'The Origin header is not an origin.');
  }
  if (!allowed.includes(name)) {
    throw new SvcError('forbidden', 'The Origin may not use the tools; add it to SVC_CORS_ORIGINS.');
  }
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
