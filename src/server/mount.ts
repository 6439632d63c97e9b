import { SvcError } from '../core/errors.js';
import { invoke } from '../operations/invoke.js';
import type { Service } from '../service.js';
import { gather } from './gather.js';
import { isRow } from './route.js';
import type { Context, Middleware } from './state.js';

/** The end of the line: gather → accept → invoke → reply. */
export function mount(service: Service | undefined): Middleware {
  return async (ctx) => {
    const { route } = ctx.state.match;
    if (route === undefined) throw nowhere(ctx);
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (!isRow(route)) {
      await route.handle(ctx);
      return;
    }
    if (service === undefined) throw new SvcError('internal', 'A row was mounted without a service.');
    const gathered = gather(ctx, route);
    const input = route.accept?.(gathered) ?? gathered;
    const output = await invoke(service, route.operation, input, {
      surface: 'http',
      authenticated: ctx.state.caller.authenticated,
      signal: goneSignal(ctx),
    });
    ctx.set('Cache-Control', 'no-store');
    ctx.status = route.status ?? 200;
    ctx.body = route.reply === undefined ? output : route.reply(output, input);
  };
}

function nowhere(ctx: Context): SvcError {
  const { allowed } = ctx.state.match;
  if (allowed.length === 0) return new SvcError('not_found', `${ctx.path} is not a path of this service.`);
  ctx.set('Allow', allowed.join(', '));
  return new SvcError(
    'method_not_allowed',
    `${ctx.method} is not allowed on ${ctx.path}; use ${allowed.join(' or ')}.`,
  );
}

/** Aborted when the caller hangs up before the answer. */
function goneSignal(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}
