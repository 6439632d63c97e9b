import type { FindRoute } from '../route.js';
import type { Middleware } from '../state.js';

/** Finds the route. Whether it exists is answered later (`mount`), after authentication. */
export function locate(find: FindRoute): Middleware {
  return (ctx, next) => {
    ctx.state.match = find(ctx.method, ctx.path);
    return next();
  };
}
