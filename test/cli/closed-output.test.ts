import { afterAll, describe, expect, it } from '@jest/globals';
import { cleanUp, finished, start, temporaryDirectory } from './processes.js';

afterAll(cleanUp);

describe('a command whose output nobody reads any more', () => {
  it('does its work and ends as otherwise, as in `svc ingest notes | head -1`', async () => {
    const child = start('src/cli/main.ts', ['config'], { SVC_DATA_DIR: temporaryDirectory() });
    child.stdout!.destroy();
    const { code, stderr } = await finished(child);
    expect([code, stderr]).toEqual([0, '']);
  });
});
