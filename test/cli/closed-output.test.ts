import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
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
