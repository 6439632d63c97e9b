import type Koa from 'koa';
import type { RawBody } from './body/receive.js';
import type { Slot } from './limits/slots.js';
import type { Input, RouteAddress, RouteRow } from './routes/row.js';

/** Something other than an operation: a documentation page, a tool transport. OpenAPI does not list it. */
export interface Page extends RouteAddress {
  readonly handle: (ctx: Context) => Promise<void> | void;
}

export type Route = RouteRow | Page;

/** Which route serves a request. `allowed` lists the methods of a path that exists under other methods only. */
export interface Match {
  readonly route: Route | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly allowed: readonly string[];
}

export type FindRoute = (method: string, path: string) => Match;

/** Who is calling. */
export interface Caller {
  readonly authenticated: boolean;
  /** Stable name for counting: of the key, of the signing secret, or of the address. Never the key itself. */
  readonly id: string;
  /** The name of a key of the keys file, or `signature`; none for a plain key and without credentials. */
  readonly name?: string;
}

/** What the middlewares of one request pass on, in the order in which they fill it. */
export interface State {
  match: Match;
  caller: Caller;
  /** The body as received; `auth` reads it where the signature covers it, else `body` does. */
  raw: RawBody | undefined;
  /** The parsed body. */
  body: Input;
  traceId: string | undefined;
  /** Aborts when the caller disconnects before the answer. */
  disconnected: AbortSignal;
  /** The slot in which the request runs; none where it needs none. */
  slot: Slot | undefined;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;

export function isRow(route: Route | undefined): route is RouteRow {
  return route !== undefined && 'operation' in route;
}
