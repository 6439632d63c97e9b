import type { TSchema } from '@sinclair/typebox';
import type Koa from 'koa';
import type { Operation } from '../operations/operation.js';
import type { RawBody } from './body/receive.js';
import type { Slot } from './limits/slots.js';

/** Elements of a list in a query string; longer ones do not fit into a request line. */
export const MAX_IN_QUERY = 500;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Input = Record<string, unknown>;

interface RouteAddress {
  readonly method: Method;
  /** `/v1/documents/{source_id}`: a parameter is a whole segment. */
  readonly path: string;
  /** `open` needs no credentials whatever the configuration. */
  readonly auth?: 'open';
}

/** Calls an operation over HTTP; a row says only what is particular to this surface. */
export interface RouteRow extends RouteAddress {
  readonly operation: Operation;
  /** Maps wire names and defaults of this surface to the operation's input. */
  readonly accept?: (input: Input) => Input;
  /** The operation's output in the shape of this surface. */
  // biome-ignore lint/suspicious/noExplicitAny: each row knows the output of its operation
  readonly reply?: (output: any, input: Input) => unknown;
  /** Status of success; default 200. */
  readonly status?: number;
  /** How the input travels; by the method where it is not given (query string, or JSON). */
  readonly body?: BodyKind;
  /** Members of the input that travel as headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of the body at most, where the service's limit is too wide. */
  readonly bodyLimit?: number;
  /** What OpenAPI shows where `accept` or `reply` change the shape. */
  readonly shown?: { readonly input?: TSchema; readonly output?: TSchema };
}

/** Something other than an operation: a documentation page, a tool transport. OpenAPI does not list it. */
export interface Page extends RouteAddress {
  readonly handle: (ctx: Context) => Promise<void> | void;
}

/** JSON, one file with fields, either JSON or a form of files, or nothing. */
export type BodyKind = 'json' | 'multipart' | 'json-or-files' | 'none';

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

/** Returns how the input of a row travels. */
export function bodyOf(row: RouteRow): BodyKind {
  return row.body ?? (row.method === 'POST' || row.method === 'PUT' ? 'json' : 'none');
}

/** Returns the names of the parameters of a path: `source_id` of `/v1/documents/{source_id}`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
}
