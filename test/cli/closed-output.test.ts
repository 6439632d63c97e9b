import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { RUN } from '../gateway/learning-runs.js';
import { gatewayWorld, post } from '../gateway/world.js';
import { cleanUp, finished, firstLine, startSvc, temporaryDirectory } from './processes.js';

afterAll(cleanUp);

describe('a command whose output nobody reads any more', () => {
  it('does its work and ends as otherwise, as in `svc ingest notes | head -1`', async () => {
    const child = startSvc(['config'], { SVC_DATA_DIR: temporaryDirectory() });
    child.stdout!.destroy();
    const { code, stderr } = await finished(child);
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each([
    ['green', 'export'],
    ['learning', 'export', '--format', 'csv'],
    ['learning', 'export', '--no-posteriors'],
  ])('ends without an error where it writes piece by piece, as in `svc %s %s | head -1`', async (...args) => {
    const directory = temporaryDirectory();
    const store = await openSqlite(join(directory, 'svc.sqlite'));
    const world = await gatewayWorld({ store });
    for (const part of Array.from({ length: 4 }, (_, i) => i)) {
      const runs = Array.from({ length: 250 }, (_, i) => ({
        ...RUN,
        traceId: `t${part}-${i}`,
        runId: `r${part}-${i}`,
      }));
      await world.learning('/ingest', post(runs));
    }
    await world.close();
    await store.close();
    const child = startSvc(args, { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'none' });
    child.stdout!.destroy();
    const { code, stderr } = await finished(child);
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each([
    ['ingest', '--watch', '--domain', 'notes'],
    ['interop', 'watch'],
  ])('ends with its next line where it would go on, as `svc %s %s` does', async (...args) => {
    const data = temporaryDirectory();
    const notes = temporaryDirectory();
    writeFileSync(join(notes, 'kettle.md'), '# Kettle\n\nThe kettle boils.\n');
    const isIngest = args[0] === 'ingest';
    const named = isIngest ? [...args, notes] : args;
    const child = startSvc(named, { SVC_DATA_DIR: data, SVC_EMBEDDING: 'none' });
    expect(await firstLine(child)).toMatch(/^Watching /);
    child.stdout!.destroy();
    const changed = isIngest ? join(notes, 'lamp.md') : join(data, 'seeds', 'pending', 'lamp.yaml');
    writeFileSync(changed, '# Lamp\n\nThe lamp burns.\n');
    const { code, stderr } = await finished(child);
    expect([code, stderr]).toEqual([0, '']);
  });
});
