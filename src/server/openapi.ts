import type { TSchema } from '@sinclair/typebox';
import { wireSchema } from '../operations/shapes.js';
import { bodyOf, type Input, parametersOf, type Row } from './route.js';

export interface OpenapiOptions {
  readonly title: string;
  readonly version: string;
  /** Name of the service, in the names of the signature's headers. */
  readonly name: string;
}

type Schema = Input;

const JSON_TYPE = 'application/json';

/** Builds the OpenAPI 3.1 document of a table of rows: nothing in it is written by hand but what the schemas say. */
export function openapi(rows: readonly Row[], options: OpenapiOptions): Input {
  const paths: Record<string, Input> = {};
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: described(row) };
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    servers: [{ url: '/' }],
    // The empty requirement: a service without keys and secret is open.
    security: [{ apiKey: [] }, { signature: [], signatureTimestamp: [] }, {}],
    paths,
    components: {
      securitySchemes: securitySchemes(options.name),
      schemas: { Error: errorSchema },
    },
  };
}

function described(row: Row): Input {
  const input = row.shown?.input ?? row.operation.input;
  const inPath = new Set(parametersOf(row.path));
  const way = bodyOf(row);
  const parameters = [
    ...[...inPath].map((name) => ({ name, in: 'path', required: true, schema: memberSchema(input, name) })),
    ...(way === 'none' ? queryParameters(input, inPath) : []),
  ];
  return {
    operationId: row.operation.name,
    summary: row.operation.summary,
    tags: [tagOf(row.path)],
    ...(row.auth === 'open' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(way === 'none' ? {} : { requestBody: requestBody(row, without(input, inPath)) }),
    responses: responses(row),
  };
}

function queryParameters(input: TSchema, except: ReadonlySet<string>): Input[] {
  const wire = wireSchema(input);
  const required = new Set((wire.required ?? []) as string[]);
  return Object.entries((wire.properties ?? {}) as Record<string, TSchema>)
    .filter(([name]) => !except.has(name))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.has(name),
      ...(schema.description === undefined ? {} : { description: schema.description }),
      // An object in a query string travels as JSON.
      ...(schema.type === 'object'
        ? { content: { [JSON_TYPE]: { schema: plain(schema) } } }
        : { schema: plain(schema) }),
    }));
}

function requestBody(row: Row, input: TSchema): Input {
  const schema = plain(wireSchema(input));
  const required = ((schema.required ?? []) as string[]).length > 0;
  if (bodyOf(row) === 'json') return { required, content: { [JSON_TYPE]: { schema } } };
  return { required: true, content: { 'multipart/form-data': { schema: uploadSchema(schema) } } };
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

function responses(row: Row): Input {
  const output = plain(row.shown?.output ?? row.operation.output);
  const failures: Array<[number, string]> = [[400, 'The input is invalid.']];
  if (row.auth !== 'open')
    failures.push([401, 'Credentials are missing or wrong.'], [403, 'Outside of what is allowed.']);
  failures.push([404, 'What the request names does not exist.'], [409, 'In conflict with what exists.']);
  if (bodyOf(row) !== 'none')
    failures.push([413, 'The body is too large.'], [415, 'The type of the body is not supported.']);
  if (row.auth !== 'open') failures.push([429, 'Too many requests; see Retry-After.']);
  failures.push([431, 'The request line and headers are too large.']);
  failures.push([500, 'The service failed.'], [503, 'A part of the service does not answer, or is switched off.']);
  return Object.fromEntries([
    [String(row.status ?? 200), { description: 'Success.', content: { [JSON_TYPE]: { schema: output } } }],
    ...failures.map(([status, description]) => [
      String(status),
      { description, content: { [JSON_TYPE]: { schema: errorRef(row) } } },
    ]),
  ]);
}

/** Returns the schema of an error's body; the gateway's learning API answers `{error}` alone. */
function errorRef(row: Row): object {
  if (row.path.includes('__gateway__/api/learning')) return { type: 'object', required: ['error'] };
  return { $ref: '#/components/schemas/Error' };
}

/** Returns the tag of a path: the first segment after the version, `learning` of `/v1/learning/select`. */
function tagOf(path: string): string {
  return /\/v\d+\/([^/{]+)/.exec(path)?.[1] ?? 'service';
}

function memberSchema(input: TSchema, name: string): Schema {
  const member = ((input.properties ?? {}) as Record<string, TSchema>)[name];
  return member === undefined ? { type: 'string', minLength: 1 } : plain(member);
}

function without(input: TSchema, names: ReadonlySet<string>): TSchema {
  if (names.size === 0 || input.properties === undefined) return input;
  const properties = Object.fromEntries(
    Object.entries(input.properties as Record<string, TSchema>).filter(([name]) => !names.has(name)),
  );
  const required = ((input.required ?? []) as string[]).filter((name) => !names.has(name));
  return { ...input, properties, required } as unknown as TSchema;
}

/** Returns a schema as plain JSON, without the library's symbols. */
function plain(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema)) as Schema;
}

const errorSchema: Schema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'What was wrong and what to do.' },
    code: { type: 'string', description: 'One of the codes in the documentation, such as invalid_input.' },
    details: { type: 'object', additionalProperties: true },
  },
};

function securitySchemes(name: string): Input {
  const header = (suffix: string, description: string) => ({
    type: 'apiKey',
    in: 'header',
    name: `X-${capital(name)}-${suffix}`,
    description,
  });
  return {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the service.' },
    signature: header('Signature', 'Hex of HMAC-SHA256 over timestamp, method, request target and body.'),
    signatureTimestamp: header('Timestamp', 'Unix seconds.'),
  };
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
