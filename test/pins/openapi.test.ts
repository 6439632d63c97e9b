import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROTECTED } from '../../scripts/pinned.js';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { routesOf } from '../../src/server/docs.js';
import { isRow } from '../../src/server/route.js';
import { documentOf, VARIANTS, type VariantName } from '../../src/server/variants.js';

type Json = Record<string, unknown>;

describe.each(Object.keys(VARIANTS) as VariantName[])('the OpenAPI document of variant %s', (name) => {
  const document = documentOf(name, PROTECTED);
  const operations = Object.values(document.paths as Record<string, Record<string, Json>>).flatMap((path) =>
    Object.values(path),
  );

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('describes each row once, under a name of its own', () => {
    expect(operations).toHaveLength(routesOf(name, PROTECTED).filter(isRow).length);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  });

  it('holds only schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
    for (const operation of operations) {
      const {
        responses,
        parameters = [],
        requestBody,
      } = operation as { responses: Json; parameters?: Json[]; requestBody?: Json };
      const contents = [
        ...Object.values(responses),
        ...(requestBody === undefined ? [] : [requestBody]),
        ...parameters,
      ] as Json[];
      for (const { content, schema } of contents) {
        const schemas =
          schema === undefined
            ? Object.values((content ?? {}) as Record<string, Json>).map((one) => one.schema)
            : [schema];
        for (const one of schemas as Json[]) {
          expect(() => ajv.compile({ ...one, components: document.components })).not.toThrow();
        }
      }
    }
  });

  it('carries the name of the service in the names of headers', () => {
    const renamed = documentOf(name, { ...PROTECTED, name: 'acme' }) as { components: { securitySchemes: Json } };
    expect(JSON.stringify(renamed.components.securitySchemes)).toContain('X-Acme-Signature');
  });
});

describe('the schemas of the tools', () => {
  it.each(tools.map((tool) => [tool.name, listing(tool, 'svc')] as const))(
    'of %s compile',
    (_name, { inputSchema, outputSchema }) => {
      const ajv = new Ajv2020({ strict: false });
      expect(() => [ajv.compile(inputSchema), ajv.compile(outputSchema)]).not.toThrow();
    },
  );
});
