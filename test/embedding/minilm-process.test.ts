import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

/** Exit code and signal of a process that uses the model. */
async function run(how: string): Promise<unknown[]> {
  const script = fileURLToPath(new URL('./busy-process.ts', import.meta.url));
  return once(spawn(process.execPath, ['--import', 'tsx', script, how], { stdio: 'inherit' }), 'exit');
}

describe('a process with the MiniLM model', () => {
  it('ends by itself when it has no text left to embed', async () => {
    expect(await run('rest')).toEqual([0, null]);
  });

  it('exits with its own code while texts are being embedded', async () => {
    expect(await run('exit-while-busy')).toEqual([7, null]);
  });

  it('waits for a thread that becomes ready while the model is closed', async () => {
    expect(await run('close-while-a-thread-starts')).toEqual([0, null]);
  }, 60_000);
});
