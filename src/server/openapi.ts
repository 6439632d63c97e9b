import type { TSchema } from '@sinclair/typebox';
import { inputComponents } from '../operations/schema/components.js';
import { constraintsOf } from '../operations/schema/constraints.js';
import { inputSchema, memberSchema, nullable, requestComponents } from './openapi/document-schema.js';
import { errorSchema, type ResponseOptions, responsesOf } from './openapi/responses.js';
import { type Credentials, securityOf, securitySchemes } from './openapi/security.js';
import { bodyOf, type Input, MAX_IN_QUERY, parametersOf, type RouteRow, takesEmpty } from './routes/row.js';

export interface OpenapiOptions {
  readonly title: string;
  readonly version: string;
  /** Name of the service, in the names of the signature's headers. */
  readonly name: string;
  /** What callers may prove themselves with; an open service without. */
  readonly credentials?: Credentials;
  /** True where requests are counted. */
  readonly isLimited?: boolean;
}

type Schema = Input;

const JSON_TYPE = 'application/json';
const OPEN: Credentials = { apiKeys: false, signature: false };

/** Builds the OpenAPI 3.1 document of a table of rows: nothing in it is written by hand but what the schemas say. */
export function openapi(rows: readonly RouteRow[], options: OpenapiOptions): Input {
  const { credentials = OPEN, isLimited = false } = options;
  const security = securityOf(credentials);
  const possible = { isProtected: security.length > 0, isLimited };
  const paths: Record<string, Input> = {};
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: described(row, possible) };
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    servers: [{ url: '/' }],
    ...(security.length === 0 ? {} : { security }),
    paths,
    components: {
      ...(security.length === 0 ? {} : { securitySchemes: securitySchemes(options.name, credentials) }),
      schemas: { Error: errorSchema, ...requestComponents, ...inputComponents },
    },
  };
}

function described(row: RouteRow, possible: ResponseOptions): Input {
  const input = row.shown?.input ?? row.operation.input;
  const inPath = new Set(parametersOf(row.path));
  const elsewhere = new Set([...inPath, ...Object.keys(row.headers ?? {})]);
  const way = bodyOf(row);
  const parameters = [
    ...[...inPath].map((name) => ({ name, in: 'path', required: true, schema: memberSchema(input, name) })),
    ...(way === 'none' ? queryParameters(input, inPath, takesEmpty(row)) : []),
    ...Object.entries(row.headers ?? {}).map(([member, name]) => headerParameter(memberSchema(input, member), name)),
  ];
  const rules = [...new Set(Object.values(row.operation.rules ?? {}))];
  return {
    operationId: row.operation.name,
    summary: row.operation.summary,
    ...(rules.length === 0
      ? {}
      : { description: `Beyond the schema:\n\n${rules.map((rule) => `- ${rule}`).join('\n')}` }),
    tags: [tagOf(row.path)],
    ...(possible.isProtected && row.auth === 'open' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(way === 'none' ? {} : { requestBody: requestBody(row, without(input, elsewhere)) }),
    responses: responsesOf(row, possible),
  };
}

function queryParameters(input: TSchema, except: ReadonlySet<string>, empty: boolean): Input[] {
  const members = (input.properties ?? {}) as Record<string, TSchema>;
  const required = new Set((input.required ?? []) as string[]);
  return Object.keys(members)
    .filter((name) => !except.has(name))
    .map((name) => {
      const schema = shortList(memberSchema(input, name));
      const isRequired = required.has(name) && members[name]?.default === undefined;
      return {
        name,
        in: 'query',
        required: isRequired,
        ...(empty && !isRequired ? { allowEmptyValue: true } : {}),
        ...(schema.description === undefined ? {} : { description: schema.description }),
        // An object in a query string travels as JSON.
        ...(schema.type === 'object'
          ? { content: { [JSON_TYPE]: { schema: isRequired ? schema : nullable(schema) } } }
          : { schema }),
      };
    });
}

function headerParameter(schema: Schema, name: string): Input {
  return { name, in: 'header', required: false, description: schema.description, schema };
}

/** Returns the schema of a list in a query string, which holds fewer elements than one in a body. */
function shortList(schema: Schema): Schema {
  if (schema.type !== 'array') return schema;
  return { ...schema, maxItems: Math.min((schema.maxItems as number | undefined) ?? MAX_IN_QUERY, MAX_IN_QUERY) };
}

function requestBody(row: RouteRow, input: TSchema): Input {
  const way = bodyOf(row);
  const json = way !== 'multipart';
  const schema = inputSchema(input, json);
  if (!json) return { required: true, content: { 'multipart/form-data': { schema: uploadSchema(schema) } } };
  const needsSome = constraintsOf(input).some(({ complaint }) => complaint({}) !== undefined);
  const required = ((schema.required ?? []) as string[]).length > 0 || needsSome;
  const form =
    way === 'json-or-files' ? { 'multipart/form-data': { schema: filesSchema(inputSchema(input, false)) } } : {};
  return { required, content: { [JSON_TYPE]: { schema }, ...form } };
}

/** Returns the schema of an upload, where the spooled file's members stand for the part named `file`. */
function uploadSchema(schema: Schema): Schema {
  const { temporary_path, file_name, ...fields } = (schema.properties ?? {}) as Record<string, Schema>;
  if (temporary_path === undefined || file_name === undefined) return schema;
  const required = ((schema.required ?? []) as string[]).filter((name) => name in fields);
  const file = {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'The file, with its name.',
  };
  return { ...schema, properties: { file, ...fields }, required: ['file', ...required] };
}

/** Returns the schema of a form of files, which take the place of `paths`. */
function filesSchema(schema: Schema): Schema {
  const { paths: _, ...fields } = (schema.properties ?? {}) as Record<string, Schema>;
  const required = ((schema.required ?? []) as string[]).filter((name) => name in fields);
  const files = {
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: { type: 'string', contentMediaType: 'application/octet-stream' },
    description: 'The files, each with its name.',
  };
  return { ...schema, properties: { files, ...fields }, required: ['files', ...required] };
}

/** Returns the tag of a path: the first segment after the version, `learning` of `/v1/learning/select`. */
function tagOf(path: string): string {
  return /\/v\d+\/([^/{]+)/.exec(path)?.[1] ?? 'service';
}

function without(input: TSchema, names: ReadonlySet<string>): TSchema {
  if (names.size === 0 || input.properties === undefined) return input;
  const properties = Object.fromEntries(
    Object.entries(input.properties as Record<string, TSchema>).filter(([name]) => !names.has(name)),
  );
  const required = ((input.required ?? []) as string[]).filter((name) => !names.has(name));
  return { ...input, properties, required } as unknown as TSchema;
}
