import { describe, expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import type { GraphNode } from '../../src/core/model.js';
import { Leads } from '../../src/retrieval/conversation/leads.js';
import { Turns } from '../../src/retrieval/conversation/windows.js';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { passage } from './literals.js';

interface Said {
  readonly text: string;
  /** How like the question it is. */
  readonly like: number;
  /** Default: the turn after the one before. */
  readonly turn?: number;
  readonly day?: string;
  readonly order?: number;
}

/** Returns what leads to each turn of a session. */
function leadsOf(said: readonly Said[], chosen: (text: string) => boolean = () => true): number[] {
  const nodes = said.map(({ text, turn, day = '2026-05-04', order = 0 }, i): GraphNode => {
    const message = { session_id: 's', turn: turn ?? i, message_id: String(i), role: 'user' };
    const base = passage(`m${i}`, text);
    return { ...base, passage: { ...base.passage!, order, message: { ...message, timestamp: `${day}T09:00:00Z` } } };
  });
  const turns = new Turns();
  turns.add(nodes);
  const like = new Map(nodes.map(({ id }, i) => [id, said[i]!.like]));
  const known = nodes.filter(({ description }) => chosen(description));
  const leads = new Leads(known, { turns, texts: new ItemTexts(), sentence: ({ id }) => like.get(id)! });
  return known.map((node) => leads.lead(node));
}

const VAN = { text: "The bakery's van broke down outside the school", like: 0.7 };
const DIESEL = { text: 'Diesel had waxed in the filter, we warmed it with a kettle', like: 0.2 };

describe('a turn that speaks of what is asked', () => {
  test('leads to the three turns behind it', () => {
    const [van, ...behind] = leadsOf([VAN, DIESEL, DIESEL, DIESEL, DIESEL]);
    expect(van).toBe(0);
    expect(behind.map((lead) => Number(lead.toFixed(2)))).toEqual([0.5, 0.5, 0.5, 0]);
  });

  test('leads to none that says nothing of its own, and in part to one of few words', () => {
    const [, thanks, short] = leadsOf([VAN, { text: 'ok thanks', like: 0.2 }, { text: 'the filter', like: 0.2 }]);
    expect(thanks).toBe(0);
    expect(short).toBeGreaterThan(0);
    expect(short).toBeLessThan(0.5);
  });

  test('leads to none of another sitting, and to none that is liker the question', () => {
    expect(leadsOf([VAN, { ...DIESEL, day: '2026-05-06' }])).toEqual([0, 0]);
    expect(leadsOf([VAN, { ...DIESEL, like: 0.8 }])).toEqual([0, 0]);
  });

  test('leads nowhere where it is no candidate', () => {
    expect(leadsOf([VAN, DIESEL], (text) => text === DIESEL.text)).toEqual([0]);
  });

  test('may be a later piece of a long message', () => {
    const [, , lead] = leadsOf([
      { text: 'First of all good morning to everybody here', like: 0.1, turn: 0 },
      { ...VAN, turn: 0, order: 1 },
      { ...DIESEL, turn: 1 },
    ]);
    expect(lead).toBeCloseTo(0.5);
  });
});

test.each(['minilm', 'static', 'none'] as const)(
  'a question for a number prefers a turn with one, with %s',
  async (model) => {
    const world = await openWorld(model);
    try {
      const said = [
        'The Christmas concert was a great evening for the choir',
        'We spent ninety on the Christmas concert with the trumpets',
        'We spent plenty on the Christmas concert with the trumpets',
      ];
      for (const [i, text] of said.entries()) {
        const message = { domain: 'chat', speaker: `Singer ${i}`, text, role: 'user', session_id: `evening ${i}` };
        await world.ingest.message({ ...message, message_id: String(i), timestamp: `2026-01-0${i + 1}T09:00:00Z` });
      }
      const context = 'How much did we spend on the Christmas concert?';
      const { items } = await world.retrieval.query({ context, domains: ['chat'], top_k: 3 });
      expect(items[0]!.content).toContain('ninety');
    } finally {
      await world.close();
    }
  },
);
