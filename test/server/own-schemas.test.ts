import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Settings } from '../../src/config/schema.js';

const GREEN = 'schemas/green';

/** A process compiles these without this check, which takes longer than the compilation. */
describe('schemas of our own fit the meta-schema:', () => {
  const schemas = new Map<string, object>([
    ['the settings', Settings],
    ...readdirSync(GREEN).map((file) => [file, JSON.parse(readFileSync(join(GREEN, file), 'utf8')) as object] as const),
  ]);

  it.each([...schemas])('%s', (_name, schema) => {
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(JSON.parse(JSON.stringify(schema)))).toBe(true);
  });

  it('which tells a wrong one', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    expect(ajv.validateSchema({ ...Settings, type: 'objekt' })).toBe(false);
  });
});
