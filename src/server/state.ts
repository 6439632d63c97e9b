import type Koa from 'koa';
import type { RawBody } from './body/receive.js';
import type { Input, Match } from './route.js';

/** Who is calling. */
export interface Caller {
  readonly authenticated: boolean;
  /** Stable name for counting: of the key, of the signing secret, or of the address. Never the key itself. */
  readonly id: string;
}

/** What the middlewares of one request hand on, in the order in which they fill it. */
export interface State {
  match: Match;
  caller: Caller;
  /** The body as received; `auth` reads it where the signature covers it, else `body` does. */
  raw: RawBody | undefined;
  /** The parsed body. */
  body: Input;
  traceId: string | undefined;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
