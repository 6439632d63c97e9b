import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isErrorCode } from '../../src/core/errors.js';
import { listing } from '../../src/mcp/tool-schema.js';
import { tools } from '../../src/mcp/tools.js';
import { type Schema, SchemaValues } from '../server/schema-arbitrary.js';
import { mutated } from '../server/schema-mutations.js';
import { toolWorld } from './tool-world.js';

/** The same cases in every run; SCHEMA_SEED and SCHEMA_RUNS ask for others, or more. */
const seed = Number(process.env.SCHEMA_SEED ?? 14);
const numRuns = Number(process.env.SCHEMA_RUNS ?? 5);

const tested = toolWorld();

describe('generated inputs of tools', () => {
  it.each(tools.map((tool) => [tool.name, listing(tool, 'svc')] as const))(
    '%s answers, or says what is wrong, and never fails',
    async (name, { inputSchema }) => {
      const values = new SchemaValues({})
        .of(inputSchema as Schema)
        .filter((one) => typeof one === 'object' && one !== null);
      const changed = mutated(values).filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
      await fc.assert(
        fc.asyncProperty(fc.oneof(values, changed), async (input) => {
          const answer = await tested.client.call(`svc_${name}`, input as Record<string, unknown>);
          if (answer.isError !== true) return;
          const { code } = JSON.parse(answer.content[0]!.text!) as { code: string };
          expect([code, isErrorCode(code), code === 'internal']).toEqual([code, true, false]);
        }),
        { seed, numRuns },
      );
      expect((await fetch(`${tested.world.a}/v1/health`)).status).toBe(200);
    },
  );
});
