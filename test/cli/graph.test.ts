import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let file: string;

beforeAll(() => {
  process.env.SVC_DATA_DIR = temporaryDirectory();
  process.env.SVC_EMBEDDING = 'none';
  file = join(temporaryDirectory(), 'tea.md');
  writeFileSync(file, '# Tea\n\nGreen tea comes from Japan.\n');
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('svc graph', () => {
  it('keeps copies, lists them, puts one back, deletes one', async () => {
    await svcJson('ingest', file, '--domain', 'notes');
    const made = await svcJson('graph', 'checkpoint');
    expect((await svcJson('graph', 'checkpoints')).checkpoints).toEqual([made]);
    await svcJson('forget', '--domain', 'notes');
    expect((await svcJson('domains')).domains).toEqual([]);
    const tried = await svcJson('graph', 'restore', made.id, '--dry-run');
    expect(tried).toMatchObject({ status: 'dry_run', checkpoint_id: made.id, changed: expect.any(Number), removed: 0 });
    expect((await svcJson('domains')).domains).toEqual([]);
    const done = await svcJson('graph', 'restore', made.id);
    expect(done).toEqual({ ...tried, status: 'restored', version: tried.version + 1 });
    expect(tried.changed).toBeGreaterThan(0);
    expect(done).toMatchObject({ checkpoint_id: made.id, removed: 0 });
    expect((await svcJson('domains')).domains).toMatchObject([{ name: 'notes' }]);
    expect((await svcJson('query', 'Where does green tea come from?')).items[0].content).toContain('Japan');
    const human = await svc('graph', 'checkpoints');
    expect(human.stdout).toContain(made.id);
    expect(await svcJson('graph', 'delete', made.id)).toEqual({ status: 'deleted', checkpoint_id: made.id });
    expect((await svcJson('graph', 'checkpoints')).checkpoints).toEqual([]);
  });

  it('says what is wrong: 1 for a copy that is not there, 2 for usage', async () => {
    const absent = await svc('graph', 'restore', 'none', '--json');
    expect([absent.code, JSON.parse(absent.stderr)]).toMatchObject([1, { code: 'checkpoint_not_found' }]);
    expect((await svc('graph', 'restore')).code).toBe(2);
  });

  it('makes the indexes again', async () => {
    expect(await svcJson('reindex')).toMatchObject({ nodes: expect.any(Number), removed: 0 });
  });

  it('makes them only for the model that it is asked for, by its whole name', async () => {
    const asked = (embedding: string) => svc('call', 'reindex', '--input', JSON.stringify({ embedding }), '--json');
    const part = await asked('on');
    expect([part.code, JSON.parse(part.stderr).code]).toEqual([1, 'conflict']);
    expect((await asked('none')).code).toBe(0);
  });
});
