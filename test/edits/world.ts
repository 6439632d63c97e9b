import type { Answer, TestService } from '../service/harness.js';

export const DOMAIN = 'mines';

/** Ingests a batch, a text and a conversation that speak of each other; `extra` makes other words of the same things. */
export async function world(test: TestService, extra = ''): Promise<void> {
  await ok(
    test.post('/v1/ingest/structured', {
      domain: DOMAIN,
      source_id: 'batch',
      concepts: [
        { name: 'Pump', description: extra === '' ? 'Moves water.' : 'Moves water.', properties: { note: extra } },
        { name: 'Guild', description: `${extra}Miners of the north.` },
        { name: 'Helm' },
      ],
      edges: [
        { source: 'Guild', target: 'Pump', relation: 'KEEPS', properties: { since: 1911 } },
        { source: 'Guild', target: 'Helm', relation: 'MEETS_IN' },
      ],
      rules: [{ text: 'The Guild must check every Pump.', name: 'check', category: 'care' }],
    }),
  );
  await ok(
    test.post('/v1/ingest/text', {
      domain: DOMAIN,
      name: 'report',
      text: `The ${extra}report of Helm. The Pump of Helm is kept by the Guild. Every Valve of Helm is old.`,
    }),
  );
  await messages(test, [
    { message_id: 'm1', text: 'The Guild is late.' },
    { message_id: 'm2', text: 'The Pump is quiet.' },
  ]);
}

export async function messages(test: TestService, given: ReadonlyArray<object>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const message of given) {
    answers.push(await ok(test.post('/v1/ingest/message', { domain: DOMAIN, session_id: 'talk', ...message })));
  }
  return answers;
}

async function ok(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer;
}
