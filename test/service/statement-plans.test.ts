import { expect, jest, test } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { conceptId } from '../../src/core/ids.js';
import { DOMAIN, world } from '../edits/world.js';
import { openService } from './harness.js';

const id = (name: string) => conceptId(DOMAIN, name);
const EDITS: readonly object[] = [
  { type: 'change_concept', id: id('Pump'), description: 'Keeps the water low.' },
  { type: 'change_rule', rule_id: 'rule:check', text: 'The Guild must check each Pump twice.' },
  { type: 'merge', from_id: id('Guild'), into_id: id('Helm') },
  { type: 'remove_session', session_id: 'talk' },
];

/** Returns whether a plan reads a table by one column first and then, for each of its rows, the whole list it was given. */
function readsListForEachRow(plan: readonly string[]): boolean {
  let searched = false;
  for (const step of plan) {
    if (
      /^(?:UNION|LEFT|RIGHT|MERGE|COMPOUND|LEFT-MOST|LIST SUBQUERY|SCALAR SUBQUERY|CO-ROUTINE|MATERIALIZE)/u.test(step)
    ) {
      searched = false;
    } else if (/^SCAN json_each/u.test(step)) {
      if (searched) return true;
    } else if (/^(?:SEARCH|SCAN)/u.test(step)) searched = true;
  }
  return false;
}

test('no statement reads the list that it is given once for each row of a domain', async () => {
  const plans = new Map<string, readonly string[]>();
  const original = SqliteDatabase.prototype.prepare;
  const spy = jest.spyOn(SqliteDatabase.prototype, 'prepare').mockImplementation(function (
    this: SqliteDatabase.Database,
    source: string,
  ) {
    if (source.includes('json_each') && !plans.has(source)) {
      const unknown = Array.from(source.matchAll(/\?/gu), () => null);
      const steps = original.call(this, `explain query plan ${source}`).all(unknown) as Array<{ detail: string }>;
      plans.set(
        source,
        steps.map((step) => step.detail),
      );
    }
    return original.call(this, source);
  } as typeof original);
  try {
    const service = await openService();
    try {
      await world(service);
      for (const edit of EDITS) {
        const { status, body } = await service.post('/v1/edits', { domain: DOMAIN, ...edit });
        expect([status, body]).toEqual([200, expect.anything()]);
      }
      await world(service, 'new ');
      await service.post('/v1/query', { query: 'What must the Guild check?', domain: DOMAIN });
      await service.post('/v1/rules', {});
    } finally {
      await service.close();
    }
  } finally {
    spy.mockRestore();
  }
  expect(plans.size).toBeGreaterThan(50);
  expect([...plans].filter(([, plan]) => readsListForEachRow(plan))).toEqual([]);
});
