import { readFileSync } from 'node:fs';
import type { TestService } from '../service/harness.js';

/** A name that is a script where a page takes it for markup. */
export const HOSTILE = '<img src=x onerror="window.hacked=1">';

/** Fills a service with the handbook of `samples`, a conversation, a rated query and a learner; with a key where it wants one. */
export async function sample(test: TestService, key?: string): Promise<void> {
  const post = poster(test, key);
  const text = readFileSync('samples/handbook.md', 'utf8');
  await post('/v1/ingest/text', { text, domain: 'handbook', format: 'markdown', name: 'handbook.md' });
  const said = { domain: 'handbook', session_id: 'pager', speaker: 'Rhea' };
  await post('/v1/ingest/message', { ...said, text: 'Beacon is red since ten past nine.' });
  await post('/v1/ingest/message', { ...said, text: 'Beacon is green again.' });
  const { query_id, items } = await post('/v1/query', { context: 'Who looks after North Vault?' });
  await post('/v1/feedback', { query_id, outcomes: { [items[0].id]: 'accepted' }, source: 'agent-7' });
  await post('/v1/learning/observe', { learner: 'prompts', arm_id: 'short', outcome: 'accepted' });
}

/** Fills a service with names that are markup, wherever a name can be. */
export async function hostileSample(test: TestService): Promise<void> {
  const post = poster(test);
  await post('/v1/ingest/structured', {
    domain: 'evil',
    concepts: [
      { name: HOSTILE, description: `A name that is markup ${HOSTILE}.` },
      { name: 'Victim', description: 'Reads it.' },
    ],
    edges: [{ source: HOSTILE, target: 'Victim', relation: 'USES' }],
    rules: [{ text: `Never trust ${HOSTILE}.`, concepts: ['Victim'] }],
  });
  await post('/v1/ingest/text', { text: `Markup ${HOSTILE} is text.`, domain: 'evil', name: HOSTILE });
  await post('/v1/ingest/message', {
    domain: 'evil',
    session_id: HOSTILE,
    speaker: HOSTILE,
    text: `I say ${HOSTILE}.`,
  });
  const { query_id, items } = await post('/v1/query', { context: `markup ${HOSTILE}` });
  await post('/v1/feedback', { query_id, outcomes: { [items[0].id]: 'rejected' }, source: HOSTILE });
  await post('/v1/learning/observe', { learner: 'prompts', arm_id: HOSTILE, outcome: 'accepted' });
  await post('/v1/edits', { domain: 'evil', type: 'add_rule', text: `Always escape ${HOSTILE}.` });
}

function poster(test: TestService, key?: string) {
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  return async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', ...authorization };
    const answer = await test.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}
