import type { TSchema } from '@sinclair/typebox';
import type Koa from 'koa';
import { SvcError } from '../core/errors.js';
import type { Operation } from '../operations/operation.js';
import type { State } from './state.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Input = Record<string, unknown>;

interface Place {
  readonly method: Method;
  /** `/v1/documents/{source_id}`: a parameter is a whole segment. */
  readonly path: string;
  /** `open` needs no credentials whatever the configuration. */
  readonly auth?: 'open';
}

/** A way to call an operation over HTTP: only what is particular to this surface. */
export interface Row extends Place {
  readonly operation: Operation;
  /** Wire names and defaults of this surface, made the operation's input. */
  readonly accept?: (input: Input) => Input;
  /** The operation's output in the shape of this surface. */
  // biome-ignore lint/suspicious/noExplicitAny: each row knows the output of its operation
  readonly reply?: (output: any, input: Input) => unknown;
  /** Status of success; default 200. */
  readonly status?: number;
  /** How the input travels; by the method where it is not given (query string, or JSON). */
  readonly body?: 'json' | 'multipart' | 'none';
  /** What OpenAPI shows where `accept` or `reply` change the shape. */
  readonly shown?: { readonly input?: TSchema; readonly output?: TSchema };
}

/** Something other than an operation: a documentation page, a tool transport. Not listed in OpenAPI. */
export interface Page extends Place {
  readonly handle: (ctx: Koa.ParameterizedContext<State>) => Promise<void> | void;
}

export type Route = Row | Page;

/** Where a request goes. `allowed` is set where the path exists under other methods only. */
export interface Match {
  readonly route: Route | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly allowed: readonly string[];
}

export type FindRoute = (method: string, path: string) => Match;

export function isRow(route: Route | undefined): route is Row {
  return route !== undefined && 'operation' in route;
}

/** How the input of a row travels. */
export function bodyOf(row: Row): 'json' | 'multipart' | 'none' {
  return row.body ?? (row.method === 'POST' || row.method === 'PUT' ? 'json' : 'none');
}

/** Names of the parameters of a path. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
}

interface Pattern {
  readonly route: Route;
  readonly segments: readonly string[];
  readonly parameters: number;
}

/**
 * The table made searchable. Fixed segments win over parameters; GET answers HEAD; a parameter is percent-decoded once.
 * Throws `invalid_input` for a malformed escape.
 */
export function routeTable(routes: readonly Route[]): FindRoute {
  const byLength = new Map<number, Pattern[]>();
  for (const route of routes) {
    const segments = route.path.split('/');
    const patterns = byLength.get(segments.length) ?? [];
    patterns.push({ route, segments, parameters: parametersOf(route.path).length });
    byLength.set(segments.length, patterns);
  }
  for (const patterns of byLength.values()) patterns.sort((a, b) => a.parameters - b.parameters);

  return (method, path) => {
    const parts = path.split('/');
    const here = (byLength.get(parts.length) ?? []).filter((pattern) => fits(pattern, parts));
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = here.find((pattern) => pattern.route.method === wanted);
    if (found !== undefined) return { route: found.route, parameters: decoded(found, parts), allowed: [] };
    const methods = new Set(here.map((pattern) => pattern.route.method as string));
    if (methods.has('GET')) methods.add('HEAD');
    return { route: undefined, parameters: {}, allowed: [...methods].sort() };
  };
}

function fits(pattern: Pattern, parts: readonly string[]): boolean {
  return pattern.segments.every((segment, i) => (segment.startsWith('{') ? parts[i] !== '' : segment === parts[i]));
}

function decoded(pattern: Pattern, parts: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  pattern.segments.forEach((segment, i) => {
    if (!segment.startsWith('{')) return;
    const name = segment.slice(1, -1);
    try {
      parameters[name] = decodeURIComponent(parts[i]!);
    } catch (cause) {
      throw new SvcError(
        'invalid_input',
        `${name} in the path is not valid percent-encoding; encode it once as UTF-8.`,
        { member: name },
        { cause },
      );
    }
  });
  return parameters;
}
