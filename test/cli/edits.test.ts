import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EDIT_MEMBERS } from '../../src/core/edits/edit-input.js';
import { conceptId } from '../../src/core/ids.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const id = (name: string) => conceptId('mines', name);

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none', SVC_LOG_LEVEL: 'silent' });
  const concepts = [{ name: 'Pump' }, { name: 'Helm' }, { name: 'Guild' }];
  const edges = [{ source: 'Guild', target: 'Pump', relation: 'KEEPS' }];
  const rules = [{ text: 'Check every Pump.', name: 'check' }];
  await call('ingest_structured', { domain: 'mines', source_id: 'batch', concepts, edges, rules });
  for (const message_id of ['m1', 'm2']) {
    await call('ingest_message', {
      domain: 'mines',
      session_id: 'talk',
      message_id,
      text: `The Pump says ${message_id}.`,
    });
  }
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

async function call(operation: string, input: object): Promise<void> {
  const { code, stderr } = await svc('call', operation, '--input', JSON.stringify(input));
  expect([code, stderr]).toEqual([0, '']);
}

const KEEPS = ['--source', 'Guild', '--relation', 'KEEPS', '--target', 'Pump'];
/** Each type of edit with its options, and what the list says of it. */
const MADE: ReadonlyArray<readonly [type: string, options: readonly string[], change: object]> = [
  ['add_concept', ['--name', 'Valve', '--description', 'Closes a pipe.'], { name: 'Valve' }],
  ['change_concept', ['--id', id('Pump'), '--description', 'Lifts water.'], { description: 'Lifts water.' }],
  ['add_edge', ['--source', 'Pump', '--relation', 'serves', '--target', 'Helm'], { relation: 'SERVES' }],
  ['change_edge', [...KEEPS, '--confidence', '0.25'], { confidence: 0.25 }],
  ['remove_edge', KEEPS, { relation: 'KEEPS' }],
  ['add_rule', ['--text', 'Never run it dry.', '--concepts', 'Pump'], { text: 'Never run it dry.' }],
  ['change_rule', ['--rule-id', 'rule:check', '--text', 'Check each Pump twice.'], { text: 'Check each Pump twice.' }],
  ['remove_rule', ['--rule-id', 'rule:check'], { rule_id: 'rule:check' }],
  ['merge', ['--from-id', id('Guild'), '--into-id', id('Helm')], { into_id: id('Helm') }],
  ['remove_message', ['--session-id', 'talk', '--message-id', 'm1'], { session_id: 'talk' }],
  ['remove_session', ['--session-id', 'talk'], { session_id: 'talk' }],
];

describe('svc edits', () => {
  it('has a case here for each type', () => {
    expect(MADE.map(([type]) => type).sort()).toEqual(Object.keys(EDIT_MEMBERS).sort());
  });

  it.each(MADE)('makes, lists and undoes %s', async (type, options, change) => {
    const made = await svcJson('edits', 'make', type, 'mines', ...options);
    expect(made).toMatchObject({ type, domain: 'mines', state: 'active', change });
    const { edits } = await svcJson('edits', 'list', '--domain', 'mines');
    expect(edits[0]).toMatchObject({ edit_id: made.edit_id, type, state: 'active', change });
    expect((await svc('edits', 'list', '--domain', 'mines')).stdout).toContain(made.edit_id);
    expect(await svcJson('edits', 'undo', made.edit_id)).toMatchObject({ type, state: 'undone' });
    expect(await svcJson('edits', 'undo', made.edit_id)).toMatchObject({ type, state: 'undone' });
  });

  it('lists and undoes a merge of svc entities', async () => {
    const { merge_id } = await svcJson('entities', 'merge', 'mines', id('Guild'), id('Helm'));
    for (const words of [
      ['explore', id('Guild')],
      ['entities', 'merge', 'mines', id('Guild'), id('Pump')],
    ]) {
      const { code, stderr } = await svc(...words);
      expect([code, stderr]).toEqual([1, expect.stringContaining(` now: it was merged into Helm, ${id('Helm')}.`)]);
    }
    const { edits } = await svcJson('edits', 'list', '--domain', 'mines', '--limit', '1');
    expect(edits).toMatchObject([{ edit_id: merge_id, type: 'merge', state: 'active', before: { from: 'Guild' } }]);
    expect(await svcJson('edits', 'undo', merge_id)).toMatchObject({ type: 'merge', state: 'undone' });
    const { merges } = await svcJson('entities', 'merges', '--domain', 'mines');
    expect(merges.at(-1)).toMatchObject({ merge_id, undone_at: expect.any(String) });
  });

  it('says what an edit lacks', async () => {
    const refused = await svc('edits', 'make', 'add_edge', 'mines', '--source', 'Pump');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('relation is missing')]);
  });
});
