import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonEnvironment } from '../../scripts/live/process.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import { startWorld, type World } from '../mcp/world.js';

/** Examples of each operation; docs/benchmarks/tools.md has the run of 5,000 cases. */
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '8';
/** Seconds after which it stops, for each variant. */
const SECONDS = Number(process.env.SCHEMATHESIS_SECONDS ?? 110);
/** Cases that a variant must have had; 0 does not care. */
const CASES = Number(process.env.SCHEMATHESIS_CASES ?? 0);
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';

let world: World;
let command: string;
beforeAll(async () => {
  const folder = (pythonEnvironment as (name: string, packages: string[]) => string)('schemathesis', [
    'schemathesis==4.32.5',
  ]);
  command = join(folder, 'bin', 'schemathesis');
  world = await startWorld();
});
afterAll(() => world?.close());

describe.each(Object.keys(VARIANTS) as VariantName[])('variant %s under generated requests', (name) => {
  it(
    'answers no 500, nothing undocumented, nothing beside its schemas',
    async () => {
      const url = name === 'a' ? world.a : world.b;
      const child = spawn(
        command,
        [
          'run',
          `${url}${VARIANTS[name].base}/openapi.json`,
          '--url',
          url,
          '-n',
          EXAMPLES,
          '--checks',
          CHECKS,
          '--phases',
          'coverage,fuzzing',
          // One thread: CPython before 3.12 counts the depth of its syntax trees for all threads at
          // once, so two that parse at the same time end the run with a SystemError.
          '--workers',
          '1',
          '--seed',
          '1',
          '--no-color',
          '--max-time',
          String(SECONDS),
        ],
        { cwd: world.directory, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
      const code = await new Promise((resolve) => child.once('exit', resolve));
      const text = Buffer.concat(chunks).toString();
      expect([code, code === 0 ? '' : text.slice(-4000)]).toEqual([0, '']);
      const generated = Number(/(\d+) generated/.exec(text)?.[1]);
      process.stdout.write(`variant ${name}: ${generated} cases\n`);
      expect(generated).toBeGreaterThan(CASES);
    },
    (SECONDS + 190) * 1000,
  );
});
