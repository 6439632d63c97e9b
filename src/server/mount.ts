import { SvcError } from '../core/errors.js';
import { permit } from '../operations/access/authorize.js';
import { invoke } from '../operations/invoke.js';
import type { Service } from '../service.js';
import { gather } from './gather.js';
import { type Context, isRow, type Middleware, type Route } from './route.js';

/** Returns the handler of routes: a page serves itself, a row goes gather → accept → invoke → reply. */
export function serveRoute(service: Service | undefined): (ctx: Context, route: Route) => Promise<void> {
  return async (ctx, route) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (!isRow(route)) {
      await route.handle(ctx);
      return;
    }
    if (service === undefined) throw new SvcError('internal', 'A row was mounted without a service.');
    // A key that may not call it is told so, whatever the input.
    permit(service, route.operation);
    const gathered = gather(ctx, route);
    const input = route.accept?.(gathered) ?? gathered;
    const output = await invoke(service, route.operation, input, {
      surface: 'http',
      authenticated: ctx.state.caller.authenticated,
      caller: ctx.state.caller.id,
      signal: ctx.state.disconnected,
      onUnfinished: ctx.state.slot?.keep,
    });
    ctx.set('Cache-Control', 'no-store');
    ctx.status = route.status ?? 200;
    ctx.body = route.reply === undefined ? output : route.reply(output, input);
  };
}

/** Refuses what no route serves: 405 with `Allow` where the path exists under other methods, else 404. */
export function refuseUnknown(): Middleware {
  return (ctx) => {
    const { allowed } = ctx.state.match;
    if (allowed.length === 0) throw new SvcError('not_found', `${ctx.path} is not a path of this service.`);
    ctx.set('Allow', allowed.join(', '));
    throw new SvcError(
      'method_not_allowed',
      `${ctx.method} is not allowed on ${ctx.path}; use ${allowed.join(' or ')}.`,
    );
  };
}
