import Router, { type Layer } from '@koa/router';
import { SvcError } from '../core/errors.js';
import type { Context, FindRoute, Middleware, Route, State } from './route.js';
import { parametersOf } from './routes/row.js';

export interface RouteTable {
  /** Finds the route of a request before authentication; throws `invalid_input` for a malformed escape in the path. */
  readonly find: FindRoute;
  /** Serves the request by the route's handler; calls the next middleware where no route matches. */
  readonly serve: Middleware;
}

/**
 * Registers routes on @koa/router. Fixed segments win over parameters; GET answers HEAD; a parameter is one whole
 * segment and is percent-decoded once.
 */
export function routeTable(
  routes: readonly Route[],
  handle: (ctx: Context, route: Route) => Promise<void> | void,
): RouteTable {
  const router = new Router<State>({ strict: true, sensitive: true });
  const registered = new Map<unknown, Route>();
  for (const route of [...routes].sort((a, b) => parametersOf(a.path).length - parametersOf(b.path).length)) {
    const pattern = route.path.replace(/\{([^}]+)\}/g, ':$1');
    const layer = router.register(pattern, [route.method], (ctx) => handle(ctx as unknown as Context, route));
    registered.set(layer, route);
  }

  const find: FindRoute = (method, path) => {
    const { path: onPath, pathAndMethod } = router.match(path, method);
    const [layer] = pathAndMethod;
    if (layer === undefined) return { route: undefined, parameters: {}, allowed: allowedMethods(onPath) };
    const captures = layer.captures(path);
    for (const [i, text] of captures.entries()) requireDecodable(text, layer.paramNames[i]?.name ?? 'path');
    return { route: registered.get(layer), parameters: layer.params(path, captures), allowed: [] };
  };
  return { find, serve: router.routes() as unknown as Middleware };
}

/** Returns the methods of the path that fits best: rows of another path, which a parameter lets in, are not its methods. */
function allowedMethods(layers: ReadonlyArray<Layer<State>>): string[] {
  const [best] = layers;
  return [...new Set(layers.filter(({ path }) => path === best?.path).flatMap(({ methods }) => methods))].sort();
}

function requireDecodable(text: string, name: string): void {
  try {
    decodeURIComponent(text);
  } catch (cause) {
    const sentence = `${name} in the path is not valid percent-encoding; encode it once as UTF-8.`;
    throw new SvcError('invalid_input', sentence, { member: name }, { cause });
  }
}
