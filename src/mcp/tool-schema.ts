import type { TSchema } from '@sinclair/typebox';
import { compactSchema } from '../operations/schema/compact.js';
import { wireSchema } from '../operations/shapes.js';
import type { Tool } from './tool.js';

/** A tool as the protocol lists it. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly outputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Returns the listing of a tool under the service's name. Schemas carry no top-level `oneOf`. */
export function listing(tool: Tool, prefix: string): ToolListing {
  const { operation } = tool;
  const readOnly = operation.readOnly ?? false;
  return {
    name: `${prefix}_${tool.name}`,
    title: tool.title,
    description: withPrefix(tool.description, prefix),
    inputSchema: { ...compactSchema(schemaJson(inputSchema(tool)), 'input'), type: 'object' },
    outputSchema: { ...compactSchema(schemaJson(operation.output as TSchema), 'output'), type: 'object' },
    annotations: {
      title: tool.title,
      readOnlyHint: readOnly,
      destructiveHint: operation.destructive ?? false,
      idempotentHint: readOnly || (operation.idempotent ?? false) || (operation.destructive ?? false),
      openWorldHint: tool.openWorld ?? false,
    },
  };
}

/** Returns a description with the tools that it names as they are called: `query` as svc_query. */
function withPrefix(description: string, prefix: string): string {
  return description.replace(/`(\w+)`/gu, `${prefix}_$1`);
}

/** Returns the part of the operation's input that the tool takes, its parameters in their order. */
function inputSchema(tool: Tool): TSchema {
  const schema = wireSchema(tool.operation.input as TSchema);
  const members = schema.properties as Record<string, TSchema>;
  const properties = Object.fromEntries(
    tool.parameters.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
  );
  const required = tool.parameters.filter((name) => ((schema.required ?? []) as string[]).includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) } as unknown as TSchema;
}

/** Returns a schema as JSON without TypeBox's symbols. */
function schemaJson(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}
