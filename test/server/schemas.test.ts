import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RouteRow } from '../../src/server/routes/row.js';
import { VARIANTS } from '../../src/server/variants.js';
import { startWorld, type World } from '../mcp/world.js';
import { DocumentedOperation } from './documented-operation.js';

/** The same cases in every run; SCHEMA_SEED and SCHEMA_RUNS ask for others, or more. */
const seed = Number(process.env.SCHEMA_SEED ?? 14);
const numRuns = Number(process.env.SCHEMA_RUNS ?? 20);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const rows = (['a', 'b'] as const).flatMap((variant) =>
  VARIANTS[variant].rows.map((row) => [`${row.method} ${row.path}`, variant, row] as const),
);

/** The member that an answer names, without the places inside it. */
function memberOf(text: string): string {
  const { details } = JSON.parse(text) as { details?: { member?: string } };
  return details?.member?.split('.')[0] ?? '';
}

/** What the document says beyond the schema. The gateway's errors name no member. */
function isDocumentedRule(row: RouteRow, text: string): boolean {
  const rules = Object.keys(row.operation.rules ?? {});
  return rules.includes(memberOf(text)) || (rules.length > 0 && row.path.startsWith('/__gateway__/'));
}

describe('what the OpenAPI document says of requests', () => {
  it.each(rows)('%s takes what the document allows', async (_name, variant, row) => {
    const operation = new DocumentedOperation(variant, row);
    await fc.assert(
      fc.asyncProperty(operation.allowed(), async (sent) => {
        const { status, text } = await operation.send(world[variant], sent);
        if (status === 400 && isDocumentedRule(row, text)) return;
        expect([status, status === 400 || status === 500 ? text : '']).toEqual([status, '']);
      }),
      { seed, numRuns },
    );
  });

  it.each(rows)('%s refuses what the document forbids', async (_name, variant, row) => {
    const operation = new DocumentedOperation(variant, row);
    const forbidden = operation.forbidden();
    if (forbidden === undefined) {
      expect(Object.keys((row.operation.input.properties ?? {}) as object)).toEqual([]);
      return;
    }
    await fc.assert(
      fc.asyncProperty(forbidden, async (sent) => {
        const { status, text } = await operation.send(world[variant], sent);
        expect([status, text]).toEqual([400, expect.stringContaining('"error"')]);
      }),
      { seed, numRuns },
    );
  });
});
