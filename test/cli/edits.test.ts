import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none', SVC_LOG_LEVEL: 'silent' });
  const concepts = [{ name: 'Pump' }, { name: 'Helm' }];
  const input = { domain: 'mines', source_id: 'batch', concepts };
  expect((await svc('call', 'ingest_structured', '--input', JSON.stringify(input))).code).toBe(0);
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('svc edits', () => {
  it('makes, lists and undoes edits', async () => {
    const edge = ['--source', 'Pump', '--relation', 'serves', '--target', 'Helm'];
    const made = await svcJson('edits', 'make', 'add_edge', 'mines', ...edge);
    expect(made).toMatchObject({ type: 'add_edge', state: 'active', change: { relation: 'SERVES' } });
    expect((await svc('edits', 'list', '--domain', 'mines')).stdout).toContain(made.edit_id);
    expect(await svcJson('edits', 'undo', made.edit_id)).toMatchObject({ state: 'undone' });
    expect((await svc('edits', 'undo', made.edit_id)).code).toBe(1);
    const refused = await svc('edits', 'make', 'add_edge', 'mines', '--source', 'Pump');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('relation is missing')]);
  });
});
