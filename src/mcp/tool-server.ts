import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { propagation, context as traceContext } from '@opentelemetry/api';
import type { TSchema } from '@sinclair/typebox';
import { errorBody, type SvcError, toSvcError } from '../core/errors.js';
import { nearest } from '../core/text/edit-distance.js';
import { withWarnings } from '../operations/invoke/misspelt-members.js';
import { takesOneDomain } from '../operations/invoke/one-domain.js';
import { numberIn } from '../operations/schema/numeric-text.js';
import { capped } from './output-cap.js';
import type { Tool } from './tool.js';
import { listing, type ToolListing } from './tool-schema.js';

export interface ToolServerOptions {
  /** The service's name: prefix of every tool. */
  readonly name: string;
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Invokes the operation of a tool, in this process or in the running service. */
  readonly dispatch: ToolCall;
}

export interface ToolCallContext {
  readonly signal: AbortSignal;
  /** What of the W3C trace context came in `_meta`: for a call that another process answers. */
  readonly trace: Readonly<Record<string, string>>;
  readonly progress: (done: number, total: number | undefined, message: string) => void;
  /** Receives work that goes on after the call has failed. */
  readonly onUnfinished?: (work: Promise<unknown>) => void;
}

export type ToolCall = (tool: Tool, input: Record<string, unknown>, context: ToolCallContext) => Promise<unknown>;

/** Makes a protocol server with the tools: one per connection, or one per request where the transport is stateless. */
export function toolServer(options: ToolServerOptions): Server {
  const server = new Server(
    { name: options.name, version: options.version },
    {
      capabilities: { tools: {} },
      instructions: `A knowledge base with retrieval over vectors, text and a graph. Query it before answering (${options.name}_query), keep query_id, and rate what helped (${options.name}_feedback). The best item stands first. A low score is no refusal: of passages and rows it mostly means that nothing answers, but a message that answers may score 0.05, so read the first ones. A message whose why.path.via is updates says what changed since the one that it names.`,
    },
  );
  const byName = new Map(options.tools.map((tool) => [`${options.name}_${tool.name}`, tool]));
  server.setRequestHandler('tools/list', () => ({ tools: listedBy(options).map((entry) => ({ ...entry })) }) as never);
  server.setRequestHandler('tools/call', async (request, context) => {
    const tool = byName.get(request.params.name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${request.params.name}; ${suggestion(request.params.name, options)}`,
      );
    }
    return (await callResult(options.dispatch, tool, { input: request.params.arguments ?? {}, context })) as never;
  });
  return server;
}

const listings = new WeakMap<ToolServerOptions, readonly ToolListing[]>();

/** Lists the tools, once for all servers with the same options: to make each schema for every request took longer than most calls. */
function listedBy(options: ToolServerOptions): readonly ToolListing[] {
  const known = listings.get(options) ?? options.tools.map((tool) => listing(tool, options.name));
  listings.set(options, known);
  return known;
}

/** Says which tool a name most likely stands for: one without the prefix, or a misspelt one. */
function suggestion(called: string, { name, tools }: Pick<ToolServerOptions, 'name' | 'tools'>): string {
  const bare = called.startsWith(`${name}_`) ? called.slice(name.length + 1) : called;
  const meant = nearest(
    bare,
    tools.map((tool) => tool.name),
  );
  return meant === undefined ? 'list the tools.' : `did you mean ${name}_${meant}?`;
}

/**
 * Returns the result of one call: structured content beside one text block of the same JSON; a failure is `isError`
 * with text only.
 */
async function callResult(
  call: ToolCall,
  tool: Tool,
  { input, context }: { readonly input: Record<string, unknown>; readonly context: ServerContext },
) {
  try {
    const given = taken(input, tool);
    const ignored = Object.keys(input).filter((name) => isOther(name, tool));
    const meta = context.mcpReq._meta as Record<string, unknown> | undefined;
    const carrier = traceOf(meta);
    const parent = propagation.extract(traceContext.active(), carrier);
    const result = await traceContext.with(parent, () =>
      call(tool, tool.accept?.(given) ?? given, {
        signal: context.mcpReq.signal,
        trace: carrier,
        progress: reporter(context, meta?.progressToken),
      }),
    );
    const told = withWarnings(
      tool.operation,
      result,
      ignored.map((name) => `${name} is no parameter of this tool and was ignored.`),
    );
    const structured = capped(told as Record<string, unknown>);
    return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured };
  } catch (error) {
    return failure(toSvcError(error));
  }
}

function traceOf(meta: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return Object.fromEntries(
    ['traceparent', 'tracestate', 'baggage'].flatMap((name) => {
      const value = meta?.[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

function failure(error: SvcError) {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }] };
}

/** Sends progress where the caller requested it; a lost notification never fails the work. */
function reporter(context: ServerContext, token: unknown): ToolCallContext['progress'] {
  if (typeof token !== 'string' && typeof token !== 'number') return () => undefined;
  let last = -1;
  return (done, total, message) => {
    if (done <= last) return;
    last = done;
    const params = { progressToken: token, progress: done, ...(total === undefined ? {} : { total }), message };
    void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/**
 * Returns the tool's own parameters; others are ignored, as everywhere, but for the `dry_run` of an operation whose tool
 * does not list it: whoever asks for one must not change anything, and for one `domain` in the place of `domains`.
 * Language models put numbers in quotes: where a parameter wants one, a text that writes it counts as it, as in a query
 * string. A name that the operation does not know goes on without its value: the answer says what it may stand for.
 */
function taken(input: Record<string, unknown>, tool: Tool): Record<string, unknown> {
  const schemas = schemasOf(tool);
  const isUnknown = (name: string) =>
    tool.operation.input.additionalProperties === undefined && !Object.hasOwn(schemas, name);
  const own = Object.entries(input).flatMap(([name, value]): Array<[string, unknown]> => {
    if (isTaken(name, tool)) return [[name, numberIn(value, schemas[name])]];
    return isUnknown(name) ? [[name, true]] : [];
  });
  return Object.fromEntries(own);
}

function isTaken(name: string, tool: Tool): boolean {
  const schemas = schemasOf(tool);
  return (
    tool.parameters.includes(name) ||
    (name === 'dry_run' && schemas.dry_run !== undefined) ||
    (name === 'domain' && tool.parameters.includes('domains') && takesOneDomain(schemas))
  );
}

/** Returns whether the operation has such a member and its tool does not list it: to other surfaces it means something. */
function isOther(name: string, tool: Tool): boolean {
  return Object.hasOwn(schemasOf(tool), name) && !isTaken(name, tool);
}

function schemasOf({ operation }: Tool): Readonly<Record<string, TSchema>> {
  return operation.input.properties as Readonly<Record<string, TSchema>>;
}
