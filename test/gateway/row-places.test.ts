import { expect, it } from '@jest/globals';
import { settings, TRACE } from './green-inputs.js';
import { RUN } from './learning-runs.js';
import { post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();
const row = (change: object) => JSON.stringify({ ...TRACE, ...change });
const WRONG = row({ inputTokens: -1 });

it.each([
  ['a row alone', WRONG, 'Row 1: inputTokens '],
  ['an array', `[${row({})},\n5]`, 'Row 2 must be '],
  [
    'a context',
    JSON.stringify([TRACE, { ...RUN, sessionKey: null, context: { sessionKey: 5 } }]),
    'Row 2: sessionKey ',
  ],
  ['NDJSON', `${row({})}\n${WRONG}\n`, 'Line 2: inputTokens '],
  ['NDJSON with empty lines', `\r\n\n${row({})}\n\n{"a": 1}\n`, 'Line 5 is no trace'],
  ['NDJSON that is broken', `${row({})}\n\n{"a":\n`, 'Line 3 is not valid JSON'],
])('names what is wrong in %s by where a person sees it', async (_what, body, expected) => {
  const world = await open({ settings });
  const answer = await world.green('/ingest', post(body));
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(expected)]);
});
