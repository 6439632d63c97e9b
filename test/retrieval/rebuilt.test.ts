import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';

const QUESTIONS = [
  'When may I deploy Beacon?',
  'Who leads the Harbour team?',
  'Which service keeps the record of every parcel?',
];

/** What a fresh index of the sample handbook answers: ids and scores in order. */
async function answers(): Promise<unknown> {
  const world = await openWorld('static');
  const text = readFileSync('samples/handbook.md', 'utf8');
  await world.ingest.text({ text, domain: 'sample', format: 'markdown', name: 'handbook.md' });
  const found = [];
  for (const mode of ['auto', 'vec'] as const) {
    for (const context of QUESTIONS) {
      const { items } = await world.retrieval.query({ context, top_k: 20, mode });
      found.push(items.map(({ id, score }) => [id, score]));
    }
  }
  await world.close();
  return found;
}

test('the same questions on a rebuilt index give the same items, scores and order', async () => {
  expect(await answers()).toEqual(await answers());
});
