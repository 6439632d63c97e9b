import type { FindRoute, Middleware } from '../route.js';

/** Finds the route. A request without one is refused later (`refuseUnknown`), after authentication. */
export function locate(find: FindRoute): Middleware {
  return (ctx, next) => {
    ctx.state.match = find(ctx.method, ctx.path);
    return next();
  };
}
