import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../operations/operation.js';

/** Elements of a list in a query string; longer ones do not fit into a request line. */
export const MAX_IN_QUERY = 500;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Input = Record<string, unknown>;

/** Where a route is. */
export interface RouteAddress {
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

/** JSON, one file with fields, either JSON or a form of files, or nothing. */
export type BodyKind = 'json' | 'multipart' | 'json-or-files' | 'none';

/** Returns how the input of a row travels. */
export function bodyOf(row: RouteRow): BodyKind {
  return row.body ?? (row.method === 'POST' || row.method === 'PUT' ? 'json' : 'none');
}

/**
 * Returns whether an empty value of an optional member in the query string counts as absent, as many clients send what
 * their caller left out. Of a call that changes something it does not: it must not delete more because a value is empty.
 */
export function takesEmpty({ operation }: RouteRow): boolean {
  return operation.readOnly === true;
}

/** Returns the names of the parameters of a path: `source_id` of `/v1/documents/{source_id}`. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
}
