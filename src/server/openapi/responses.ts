import { isGreenPath, isLearningPath } from '../gateway/surface.js';
import { bodyOf, type Input, type RouteRow } from '../routes/row.js';
import { schemaJson } from './document-schema.js';

/** What a service's settings make possible. */
export interface ResponseOptions {
  /** True where callers must prove who they are. */
  readonly isProtected: boolean;
  /** True where requests are counted. */
  readonly isLimited: boolean;
}

const JSON_TYPE = 'application/json';

/** Returns the responses of a row: its success, and each status that can come under these settings. */
export function responsesOf(row: RouteRow, options: ResponseOptions): Input {
  const output = schemaJson(row.shown?.output ?? row.operation.output);
  return Object.fromEntries([
    [String(row.status ?? 200), { description: 'Success.', content: { [JSON_TYPE]: { schema: output } } }],
    ...failuresOf(row, options).map(([status, description]) => [
      String(status),
      { description, content: { [JSON_TYPE]: { schema: errorOf(row) } } },
    ]),
  ]);
}

function failuresOf(row: RouteRow, { isProtected, isLimited }: ResponseOptions): Array<[number, string]> {
  const open = row.auth === 'open';
  const takesBody = bodyOf(row) !== 'none';
  return [
    [400, 'The input is invalid.'],
    ...(isProtected && !open ? ([[401, 'Credentials are missing or wrong.']] as Array<[number, string]>) : []),
    [403, 'Outside of what is allowed.'],
    [404, 'What the request names does not exist.'],
    [409, 'In conflict with what exists.'],
    ...(takesBody
      ? ([
          [413, 'The body is too large.'],
          [415, 'The type of the body is not supported.'],
        ] as Array<[number, string]>)
      : []),
    ...((isLimited || isProtected) && !open
      ? ([[429, 'Too many requests; see Retry-After.']] as Array<[number, string]>)
      : []),
    [431, 'The request line and headers are too large.'],
    [500, 'The service failed.'],
    [503, 'A part of the service does not answer, or is switched off.'],
  ];
}

/** Returns the schema of an error's body as `errorBodyAt` makes it. */
function errorOf(row: RouteRow): object {
  if (isLearningPath(row.path)) return { type: 'object', required: ['error'], properties: { error } };
  if (isGreenPath(row.path)) {
    const code = { type: 'string', description: 'One of the codes in the documentation, such as INVALID_PARAMS.' };
    return { type: 'object', required: ['error', 'code'], properties: { error, code } };
  }
  return { $ref: '#/components/schemas/Error' };
}

const error = { type: 'string', description: 'What was wrong and what to do.' };

export const errorSchema: Input = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error,
    code: { type: 'string', description: 'One of the codes in the documentation, such as invalid_input.' },
    details: { type: 'object', additionalProperties: true },
  },
};
