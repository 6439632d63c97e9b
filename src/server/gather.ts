import type { TSchema } from '@sinclair/typebox';
import { SvcError } from '../core/errors.js';
import { takesOneDomain } from '../operations/invoke/one-domain.js';
import { numberIn } from '../operations/schema/numeric-text.js';
import { wireSchema } from '../operations/shapes.js';
import { isForm } from './middleware/body.js';
import type { Context } from './route.js';
import { type Input, MAX_IN_QUERY, type RouteRow, takesEmpty } from './routes/row.js';

/** Gathers query string, body and path into one input: the body wins over the query string, the path over both. */
export function gather(ctx: Context, row: RouteRow): Input {
  const schema = row.shown?.input ?? row.operation.input;
  const given = queryOf(ctx.querystring);
  const query = coerced(takesEmpty(row) ? filledIn(given, schema) : given, schema);
  const body = isForm(ctx) ? coercedFields(ctx.state.body, schema) : ctx.state.body;
  return { ...query, ...body, ...headersOf(ctx, row), ...ctx.state.match.parameters };
}

/** Returns the members that travel as headers. */
function headersOf(ctx: Context, { headers = {} }: RouteRow): Input {
  // An empty header is one, and validation says what it must hold.
  const given = Object.entries(headers).filter(([, header]) => ctx.req.headers[header.toLowerCase()] !== undefined);
  return Object.fromEntries(given.map(([member, header]) => [member, ctx.get(header)]));
}

/** Returns each name with all its values, decoded; `+` is a space. */
function queryOf(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '__proto__') continue;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

/** Returns the values without empty ones of optional members. */
function filledIn(query: ReadonlyMap<string, string[]>, schema: TSchema): Map<string, string[]> {
  const required = (wireSchema(schema).required ?? []) as string[];
  const isEmpty = (values: readonly string[]) => values.every((value) => value === '');
  return new Map([...query].filter(([name, values]) => required.includes(name) || !isEmpty(values)));
}

function coerced(query: ReadonlyMap<string, readonly string[]>, schema: TSchema): Input {
  requireOneDomain(query, schema);
  const input: Input = {};
  for (const [name, values] of query) {
    const member = memberOf(schema, name);
    input[name] = member?.type === 'array' ? shortList(name, listOf(values, member)) : single(name, values, member);
  }
  return input;
}

function coercedFields(fields: Input, schema: TSchema): Input {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const member = memberOf(schema, name);
      if (typeof value !== 'string') return [name, value];
      return [name, member?.type === 'array' ? listOf([value], member) : single(name, [value], member)];
    }),
  );
}

/** Throws `invalid_input` for a list that is too long for a query string. */
function shortList(name: string, list: unknown[]): unknown[] {
  if (list.length <= MAX_IN_QUERY) return list;
  const sentence = `${name} has ${list.length} elements; a query string takes ${MAX_IN_QUERY}. Ask in parts.`;
  throw new SvcError('invalid_input', sentence, { member: name });
}

/** Reads a list: `a=1&a=2`, or `a=1,2` in one. */
function listOf(values: readonly string[], schema: TSchema): unknown[] {
  const parts = values.length === 1 ? values[0]!.split(',').filter((part) => part !== '') : values;
  return parts.map((part) => scalar(part, schema.items as TSchema | undefined));
}

/** Throws `invalid_input` for one `domain` in the place of `domains` that is given more than once: only the first would count. */
function requireOneDomain(query: ReadonlyMap<string, readonly string[]>, schema: TSchema): void {
  const times = query.get('domain')?.length ?? 0;
  if (times < 2 || !takesOneDomain((schema.properties ?? {}) as Record<string, TSchema>)) return;
  const sentence = `domain is given ${times} times; give it once, or send domains once for each of them.`;
  throw new SvcError('invalid_input', sentence, { member: 'domain' });
}

function single(name: string, values: readonly string[], schema: TSchema | undefined): unknown {
  if (values.length > 1 && schema !== undefined) {
    throw new SvcError('invalid_input', `${name} is given ${values.length} times; give it once.`, { member: name });
  }
  const value = values[0]!;
  if (schema?.type === 'object') return jsonOf(name, value);
  return scalar(value, schema);
}

/** Reads a number, or a boolean in any case. Text that is neither stays text, so that validation names the member. */
function scalar(text: string, schema: TSchema | undefined): unknown {
  const type = schema?.type as string | undefined;
  if (type === 'boolean' && /^(?:true|1)$/i.test(text)) return true;
  if (type === 'boolean' && /^(?:false|0)$/i.test(text)) return false;
  return numberIn(text, schema);
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SvcError('invalid_input', `${name} must be a JSON object.`, { member: name }, { cause });
  }
}

function memberOf(schema: TSchema, name: string): TSchema | undefined {
  const properties = schema.properties as Record<string, TSchema> | undefined;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
