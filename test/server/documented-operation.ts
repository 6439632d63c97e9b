import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { PROTECTED } from '../../scripts/pinned.js';
import { bodyOf, type RouteRow } from '../../src/server/routes/row.js';
import { documentOf, type VariantName } from '../../src/server/variants.js';
import { type Schema, SchemaValues } from './schema-arbitrary.js';
import { mutated } from './schema-mutations.js';

/** A parameter of a path, a query string or the headers. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** An empty value counts as absent. */
  readonly allowEmptyValue?: boolean;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** One request: texts of path and query string by parameter, and the body. */
export interface Sent {
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly body: unknown;
}

/** Texts that are wrong for most parameters. */
const WRONG = ['', 'null', '3.7', '-1', '1e300', 'no such value!', 'x\0y', 'x'.repeat(2001), '[]', '{'];

/** An operation as the OpenAPI document describes it: requests that it allows, and requests that it forbids. */
export class DocumentedOperation {
  private readonly parameters: readonly Parameter[];
  private readonly body: Schema | undefined;
  private readonly components: Readonly<Record<string, Schema>>;
  private readonly values: SchemaValues;
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(
    variant: VariantName,
    private readonly row: RouteRow,
  ) {
    const document = documentOf(variant, PROTECTED) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
      components: { schemas: Record<string, Schema> };
    };
    const operation = document.paths[row.path]![row.method.toLowerCase()]!;
    const body = operation.requestBody as { content: Record<string, { schema: Schema }> } | undefined;
    this.components = document.components.schemas;
    this.values = new SchemaValues(this.components);
    this.parameters = (operation.parameters ?? []) as Parameter[];
    this.body = body === undefined ? undefined : Object.values(body.content)[0]!.schema;
  }

  allowed(): fc.Arbitrary<Sent> {
    const parameters = fc.record(Object.fromEntries(this.parameters.map((one) => [one.name, this.textsOf(one)])), {
      requiredKeys: this.parameters.filter((one) => one.required).map((one) => one.name),
    });
    return fc.record({ parameters, body: this.body === undefined ? fc.constant(undefined) : this.valid(this.body) });
  }

  private textsOf(parameter: Parameter): fc.Arbitrary<readonly string[]> {
    const texts = this.valid(schemaOf(parameter)).map(textsOf).filter(isSendable(parameter));
    return parameter.allowEmptyValue === true ? fc.oneof({ weight: 4, arbitrary: texts }, fc.constant([''])) : texts;
  }

  /** Nothing where no request can be wrong. */
  forbidden(): fc.Arbitrary<Sent> | undefined {
    const { body } = this;
    const ways = this.parameters.flatMap((one) => this.wrongParameter(one));
    if (body !== undefined && (Object.keys(body.properties ?? {}).length > 0 || body.allOf !== undefined)) {
      const wrong = mutated(this.valid(body)).filter((value) => !this.isValid(body, this.asSent(value)));
      ways.push(fc.tuple(this.allowed(), wrong).map(([sent, value]) => ({ ...sent, body: value })));
    }
    return ways.length === 0 ? undefined : fc.oneof(...ways);
  }

  private wrongParameter(parameter: Parameter): fc.Arbitrary<Sent>[] {
    const schema = schemaOf(parameter);
    const texts = WRONG.filter(
      (text) =>
        !isAbsent(parameter, text) && isSendable(parameter)([text]) && !this.isValid(schema, readAs(schema, [text])),
    );
    if (texts.length === 0) return [];
    return [
      fc.tuple(this.allowed(), fc.constantFrom(...texts)).map(([sent, text]) => ({
        ...sent,
        parameters: { ...sent.parameters, [parameter.name]: [text] },
      })),
    ];
  }

  /** Members of a form are texts; what should be the file part and is none is refused as it is. */
  private asSent(body: unknown): unknown {
    if (bodyOf(this.row) !== 'multipart' || typeof body !== 'object' || body === null) return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, name === 'file' ? value : textsOf(value).join(',')]),
    );
  }

  private valid(schema: Schema): fc.Arbitrary<unknown> {
    return this.values.of(schema).filter((value) => this.isValid(schema, value));
  }

  private isValid(schema: Schema, value: unknown): boolean {
    let validate = this.validators.get(schema);
    if (validate === undefined) {
      const ajv = new Ajv2020({ strict: false, allowUnionTypes: true });
      (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
      validate = ajv.compile({ ...schema, components: { schemas: this.components } });
      this.validators.set(schema, validate);
    }
    return validate(value) as boolean;
  }

  /** Sends a request to the service at `url`. */
  async send(url: string, { parameters, body }: Sent): Promise<{ status: number; text: string }> {
    const places = new Map(this.parameters.map((one) => [one.name, one.in]));
    const headers: Record<string, string> = {};
    const query = new URLSearchParams();
    let path = this.row.path;
    for (const [name, texts] of Object.entries(parameters)) {
      if (places.get(name) === 'header') headers[name] = texts[0]!;
      else if (places.get(name) === 'path') path = path.replace(`{${name}}`, encodeURIComponent(texts[0]!));
      else for (const text of texts) query.append(name, text);
    }
    const answer = await fetch(`${url}${path}${query.size === 0 ? '' : `?${query}`}`, {
      method: this.row.method,
      ...this.bodyOf(body, headers),
    });
    return { status: answer.status, text: await answer.text() };
  }

  private bodyOf(body: unknown, headers: Readonly<Record<string, string>>): RequestInit {
    if (body === undefined) return { headers };
    if (bodyOf(this.row) === 'multipart') return { headers, body: formOf(body) };
    return { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  }
}

/** A form of the members; `file` is its file part. A body that is no object becomes a form without parts. */
function formOf(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as object)) {
    if (name === 'file' && typeof value === 'string') form.append(name, new Blob([`Notes. ${value}`]), 'note.md');
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

function schemaOf({ schema, content }: Parameter): Schema {
  return schema ?? Object.values(content!)[0]!.schema;
}

function isAbsent({ allowEmptyValue }: Parameter, text: string): boolean {
  return allowEmptyValue === true && text === '';
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** A list of one text with a comma would be read as two, a path of dots is another path, and headers hold no NUL. */
function isSendable({ in: place }: Parameter): (texts: readonly string[]) => boolean {
  if (place === 'header') return ([text]) => text !== undefined && !text.includes('\0') && text.trim() === text;
  return (texts) =>
    place === 'path' ? !['', '.', '..'].includes(texts[0]!) : !(texts.length === 1 && texts[0]!.includes(','));
}

/** A parameter's texts as the service reads them by its schema. */
function readAs(schema: Schema, texts: readonly string[]): unknown {
  if (schema.type === 'array') return texts.filter((text) => text !== '');
  const [text] = texts as [string];
  if (schema.type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
