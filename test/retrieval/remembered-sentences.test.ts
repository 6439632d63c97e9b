import { expect, test } from '@jest/globals';
import { rememberedSentences } from '../../src/retrieval/expand/remembered-sentences.js';

test('sentences are read once in a request, those that are not there too', async () => {
  const asked: string[][] = [];
  const read = rememberedSentences(async (ids) => {
    asked.push([...ids]);
    return new Map(ids.filter((id) => id !== 'none').map((id) => [id, Uint8Array.of(id.charCodeAt(0))]));
  });
  expect(await read(['a', 'none'])).toEqual(new Map([['a', Uint8Array.of(97)]]));
  expect(await read(['b', 'a', 'none'])).toEqual(
    new Map([
      ['b', Uint8Array.of(98)],
      ['a', Uint8Array.of(97)],
    ]),
  );
  expect(await read(['none'])).toEqual(new Map());
  expect(asked).toEqual([['a', 'none'], ['b']]);
});
