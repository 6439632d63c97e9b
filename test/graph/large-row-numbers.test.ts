import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { edgeId } from '../../src/core/model.js';
import { D, id, mentions, passage, source } from '../contracts/graph/fixture.js';

/** A store whose next row of every numbered table of the graph has the number after this one. */
async function storeFrom(number: number): Promise<Store> {
  const store = await openSqlite(':memory:');
  for (const table of ['domain', 'source', 'node', 'key', 'edge', 'rule']) {
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${number})`.execute(store.db);
  }
  return store;
}

const text = 'Alpha is beside Beta.';
const base = source('base', {
  concepts: ['Alpha', 'Beta', 'Gamma'].map((name) => ({ name })),
  edges: [
    { source: 'Alpha', target: 'Beta', relation: 'USES', confidence: 0.5 },
    { source: 'Beta', target: 'Gamma', relation: 'USES' },
  ],
});
const read = source('read', {
  passages: [
    passage('p', { text, mentions: mentions('Alpha', 'Beta') }),
    passage('q', { text: 'Of Beta.', titles: ['Beta'], mentions: mentions('Gamma') }),
  ],
});
const more = source('more', {
  edges: [
    { source: 'Gamma', target: 'Alpha', relation: 'USES' },
    { source: 'Alpha', target: 'Gamma', relation: 'REQUIRES' },
  ],
});

/** Returns what a graph answers about its shape after each of a few writes, each time also after reading it anew. */
async function answersFrom(number: number): Promise<unknown[]> {
  const store = await storeFrom(number);
  const graph = new EmbeddedBackend(store);
  const answers: unknown[] = [];
  const ask = async (asked: EmbeddedBackend): Promise<unknown> => {
    asked.setEdgeFactors(new Map([[edgeId(id('Alpha'), 'USES', id('Beta')), 3]]));
    const { scores, method } = await asked.personalizedPagerank([id('Alpha')], { domains: [D] });
    return {
      scores: [...scores],
      method,
      hop: await asked.expand([id('Alpha')], { domains: [D], incoming: true }),
      around: await asked.neighbourhood(id('Alpha'), 2),
    };
  };
  const write = async (work: () => Promise<unknown>): Promise<void> => {
    await work();
    const answer = await ask(graph);
    expect(await ask(new EmbeddedBackend(store))).toEqual(answer);
    answers.push(answer);
  };
  await write(() => graph.ingestManifests([base, read]));
  await write(() => graph.ingestManifest(more));
  const [last] = await graph.listSources({ domain: D, kind: 'structured', key: 'more' });
  await write(() => graph.forgetSource(last!.source_id));
  await store.close();
  return answers;
}

describe('row numbers beyond 32 bits', () => {
  it.each([2 ** 31 - 3, 2 ** 32 - 3, 2 ** 40])('from %d on the graph answers as from 1 on', async (number) => {
    expect(await answersFrom(number)).toEqual(await answersFrom(0));
  });
});
