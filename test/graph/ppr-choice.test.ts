import { describe, expect, test } from '@jest/globals';
import { Choice } from '../../src/backends/graph/neo4j/rank/choice.js';

/** Number of the queries, from 1, beside which a measurement is due. */
function due(choice: Choice, queries: number, costs: { gds: number; local: number }): number[] {
  const found: number[] = [];
  for (let query = 1; query <= queries; query += 1) {
    if (!choice.query()) continue;
    found.push(query);
    choice.measured(costs);
  }
  return found;
}

describe('the choice between the PageRanks of Neo4j', () => {
  test('the neighbourhood serves until GDS was measured to cost less', () => {
    const choice = new Choice();
    expect(choice.path).toBe('local');
    choice.measured({ gds: 40, local: 30 });
    expect(choice.path).toBe('local');
    choice.measured({ gds: 20, local: 30 });
    expect(choice.path).toBe('gds');
    choice.measured({ gds: 40, local: 30 });
    expect(choice.path).toBe('local');
  });

  test('about the same cost changes nothing', () => {
    const choice = new Choice();
    choice.measured({ gds: 29, local: 30 });
    expect(choice.path).toBe('local');
    choice.measured({ gds: 10, local: 30 });
    choice.measured({ gds: 31, local: 30 });
    expect(choice.path).toBe('gds');
  });

  test('both are measured again and again while GDS serves', () => {
    const choice = new Choice({ first: 3, again: 10 });
    expect(due(choice, 50, { gds: 1, local: 9 })).toEqual([3, 13, 23, 33, 43]);
  });

  test('ever more rarely, up to a bound, while the neighbourhood keeps winning', () => {
    const choice = new Choice({ first: 3, again: 10 });
    expect(due(choice, 500, { gds: 9, local: 1 })).toEqual([3, 13, 33, 73, 153, 313, 473]);
  });

  test('a renewal is shared by the queries around it', () => {
    const choice = new Choice();
    choice.measured({ gds: 10, local: 30 });
    choice.renewed(2000);
    expect(choice.path).toBe('gds');
    choice.renewed(4000);
    expect(choice.path).toBe('local');
    // Only a measurement gives the turn back, and only once renewals are rare.
    choice.measured({ gds: 10, local: 30 });
    expect(choice.path).toBe('local');
    for (let query = 0; query < 400; query += 1) choice.query();
    expect(choice.path).toBe('local');
    choice.measured({ gds: 10, local: 30 });
    expect(choice.path).toBe('gds');
  });

  test('a write before every query makes renewals dearer than the neighbourhood', () => {
    const choice = new Choice();
    choice.measured({ gds: 5, local: 60 });
    let served = 0;
    for (; served < 200 && choice.path === 'gds'; served += 1) {
      choice.query();
      choice.renewed(300);
    }
    expect(served).toBeLessThan(60);
    expect(choice.path).toBe('local');
  });

  test('GDS that fails does not serve until it was measured', () => {
    const choice = new Choice();
    choice.measured({ gds: 5, local: 60 });
    choice.failed();
    expect(choice.path).toBe('local');
    choice.renewed(1);
    expect(choice.path).toBe('local');
    choice.measured({ gds: 5, local: 60 });
    expect(choice.path).toBe('gds');
  });
});
