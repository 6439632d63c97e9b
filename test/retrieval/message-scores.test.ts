import { describe, expect, test } from '@jest/globals';
import { ingestTalks } from '../../bench/retrieval/arrangements.js';
import { twoPeople } from '../../bench/retrieval/two-people.js';
import { openWorld } from '../../bench/retrieval/world.js';

const WORD_FOR_WORD: ReadonlyArray<readonly [question: string, turn: string]> = [
  ['Who sulked for two rehearsals and then bought a nylon string guitar?', 'two 2 12'],
  ['Did a teapot explode in the kiln?', 'two 4 7'],
  ['Did Hana open her own practice on the first of September?', 'two 9 13'],
  ['Which hut under a glacier had eight beds and a goat?', 'two 8 3'],
  ['Did Nora register for the half marathon in May?', 'two 3 4'],
];

describe.each(['minilm', 'static'] as const)('scores of messages, with %s', (model) => {
  test('a turn that says it word for word is first and likely, a question that nobody answered has no likely item', async () => {
    const world = await openWorld(model);
    const { talks, questions } = twoPeople();
    await ingestTalks(world.ingest, { domain: 'two', talks, questions, oneSession: false });
    const first = async (context: string) => {
      const { items } = await world.retrieval.query({ context, domains: ['two'], top_k: 1 });
      const { metadata, score } = items[0]!;
      return { id: (metadata.message as { message_id: string }).message_id, score };
    };
    for (const [question, turn] of WORD_FOR_WORD) {
      const { id, score } = await first(question);
      expect({ question, id, likely: score > 0.5 }).toEqual({ question, id: turn, likely: true });
    }
    const nobody = questions.filter(({ turns }) => turns.length === 0).map(({ question }) => question);
    expect(nobody).toHaveLength(10);
    for (const question of [...nobody, 'What is the capital of Mongolia?', 'How do I reset my router?']) {
      const { score } = await first(question);
      expect({ question, low: score < 0.2 }).toEqual({ question, low: true });
    }
    await world.close();
  }, 120_000);
});
