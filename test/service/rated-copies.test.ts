import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

const QUESTION = 'When does the Skarn ferry leave the harbour?';
const WRONG =
  'The Skarn ferry leaves the harbour at nine in the evening, all through the summer, and takes bicycles for free if there is room.';
const NEARLY = WRONG.replace('bicycles for free', 'bicycles free');
const RIGHT = 'Mind the new times: the harbour sees its ferry to Skarn off at seven each morning.';

/** However sure a score is, ratings move its odds alike. */
const odds = (score: number): number => score / (1 - score);

/** Copies of a text are shown as one item, so feedback on it is on all of them. */
describe('ratings of a text that stands in several documents', () => {
  let test: TestService;
  beforeAll(async () => {
    test = await openService({});
  });
  afterAll(() => test.close());

  const post = async (path: string, given: object) => {
    const { status, body } = await test.post(path, given);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const ask = async (domain: string) => {
    const { query_id, items } = await post('/v1/query', { context: QUESTION, domains: [domain] });
    return { query_id, items: items as Array<{ id: string; content: string; score: number }> };
  };

  it.each([
    ['word for word', WRONG],
    ['nearly', NEARLY],
  ])('count for the copies that say it %s', async (kind, copy) => {
    const domain = kind.replaceAll(' ', '-');
    await post('/v1/ingest/text', { domain, text: WRONG, name: 'ferry' });
    await post('/v1/ingest/text', { domain, text: copy, name: 'harbour' });
    await post('/v1/ingest/text', { domain, text: RIGHT, name: 'notes' });
    const first = await ask(domain);
    expect(first.items[0]!.content).toContain('nine in the evening');
    for (let time = 0; time < 3; time += 1) {
      const { query_id, items } = await ask(domain);
      const shown = items.find(({ content }) => content.includes('nine in the evening'))!;
      await post('/v1/feedback', { query_id, outcomes: { [shown.id]: 'rejected' } });
    }
    const { items } = await ask(domain);
    const left = items.find(({ content }) => content.includes('nine in the evening'));
    expect(odds(left!.score)).toBeLessThan(odds(first.items[0]!.score) / 3);
  });

  it('leave a copy alone that has feedback of its own', async () => {
    const domain = 'own';
    await post('/v1/ingest/text', { domain, text: WRONG, name: 'ferry' });
    const before = await ask(domain);
    await post('/v1/feedback', { query_id: before.query_id, outcomes: { [before.items[0]!.id]: 'accepted' } });
    const accepted = (await ask(domain)).items[0]!;
    expect(accepted.score).toBeGreaterThan(before.items[0]!.score);
    await post('/v1/ingest/text', { domain: 'other', text: WRONG, name: 'ferry' });
    const other = await ask('other');
    await post('/v1/feedback', { query_id: other.query_id, outcomes: { [other.items[0]!.id]: 'rejected' } });
    expect((await ask(domain)).items[0]!.score).toBeCloseTo(accepted.score, 6);
  });
});
