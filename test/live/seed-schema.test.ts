import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultInteropConfig } from '../../src/interop/config.js';
import { exportSchemas } from '../../src/interop/schemas.js';
import { readSeedFile, writeSeedToPending } from '../../src/interop/seeds.js';
import { validateSeed } from '../../src/interop/validate.js';
import { openService } from '../service/harness.js';
import { pythonWithJsonSchema } from './python.js';

const SEEDS = join(import.meta.dirname, '../fixtures/seeds');
const files = (folder: string) =>
  readdirSync(join(SEEDS, folder))
    .sort()
    .map((name) => join(SEEDS, folder, name));

describe('rule sets and another implementation of JSON Schema', () => {
  let python: string;
  let directory: string;
  let schema: string;

  beforeAll(() => {
    python = pythonWithJsonSchema();
    directory = mkdtempSync(join(tmpdir(), 'seeds-'));
    [schema] = exportSchemas(directory) as [string, string];
  }, 300_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const errorsOf = (names: readonly string[]): Record<string, number> =>
    JSON.parse(
      execFileSync(python, [join(import.meta.dirname, 'validate-seeds.py'), schema, ...names], { encoding: 'utf8' }),
    );

  it('accepts every golden rule set, unknown members too', () => {
    const names = files('valid');
    expect(errorsOf(names)).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
    for (const name of names) expect([name, validateSeed(readSeedFile(name))]).toEqual([name, []]);
  });

  it('refuses every invalid one, as the service does', () => {
    const names = files('invalid');
    const errors = errorsOf(names);
    expect(names.filter((name) => errors[name] === 0)).toEqual([]);
    expect(names.filter((name) => validateSeed(readSeedFile(name)).length === 0)).toEqual([]);
  });

  it('accepts what the service projects and writes', async () => {
    const test = await openService({ SVC_EMBEDDING: 'none' });
    try {
      await test.post('/v1/ingest/structured', {
        domain: 'ops',
        concepts: [{ name: 'Filter' }, { name: 'Pump' }],
        edges: [{ source: 'Filter', target: 'Pump', relation: 'requires' }],
        rules: [{ text: 'Rinse: "no" # yes\n- {{x}} ünïcode 漢字' }, { text: 'Never run dry.', category: 'y' }],
      });
      const { body } = await test.post('/v1/project', { persona: 'null', domains: ['ops'] });
      const path = await writeSeedToPending(body.ruleset, {
        config: defaultInteropConfig(directory),
        persona: 'null',
        emitSignal: false,
        source: { name: 'svc', version: '1' },
        now: new Date(),
      });
      expect(body.rule_count).toBe(3);
      expect(errorsOf([path])).toEqual({ [path]: 0 });
    } finally {
      await test.close();
    }
  }, 60_000);
});
