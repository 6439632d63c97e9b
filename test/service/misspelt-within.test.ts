import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
});
afterAll(() => test.close());

const warnings = async (path: string, body: object): Promise<string[]> => {
  const answer = await test.post(path, body);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body.warnings ?? [];
};
const structured = (body: object) => warnings('/v1/ingest/structured', { domain: 'kitchen', ...body });

it('a misspelt member of an element of a list is ignored, and the answer says which', async () => {
  expect(
    await structured({
      concepts: [{ name: 'Kettle' }, { name: 'Tap', descripton: 'Gives water.' }],
      edges: [{ source: 'Kettle', target: 'Tap', relation: 'uses', confidnce: 0.5 }],
      rules: [{ text: 'Never leave the Kettle alone.', catgory: 'safety' }],
    }),
  ).toEqual([
    'concepts.1.descripton is no member and was ignored; did you mean description?',
    'edges.0.confidnce is no member and was ignored; did you mean confidence?',
    'rules.0.catgory is no member and was ignored; did you mean category?',
  ]);
  const messages = [{ text: 'The tap drips.', session_id: 's', spaeker: 'Ada' }];
  expect(await warnings('/v1/ingest/messages', { domain: 'kitchen', messages })).toContain(
    'messages.0.spaeker is no member and was ignored; did you mean speaker?',
  );
});

it('the same slip in many elements is one sentence with its number', async () => {
  const concepts = Array.from({ length: 1200 }, (_, i) => ({ name: `Cup ${i}`, descripton: 'Holds tea.' }));
  expect(await structured({ concepts })).toEqual([
    'concepts.0.descripton is no member and was ignored; did you mean description? So it is in 1199 more places.',
  ]);
});

it('free members, other members and those beside the right one are let be', async () => {
  const edges = [{ source: 'Kettle', target: 'Tap', relation: 'uses', colour: 'red' }];
  const concepts = [
    { name: 'Kettle', properties: { descripton: 'x', nmae: 'y' }, descriptions: 2, description: 'Boils.' },
  ];
  expect(await structured({ concepts, edges, rules: [{ text: 'Rinse it.', metadata: { catgory: 'x' } }] })).toEqual([]);
});

it('a few sentences are told of many slips', async () => {
  const slip = (i: number) => `description${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`;
  const concepts = Array.from({ length: 200 }, (_, i) => ({ name: `Jug ${i}`, [slip(i)]: 'x' }));
  const told = await structured({ concepts });
  expect(told).toHaveLength(20);
  expect(told.at(-1)).toMatch(/^concepts\.19\./);
});
