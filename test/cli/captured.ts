import { jest } from '@jest/globals';
import { run } from '../../src/cli/run.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line run in this process, with what it wrote. */
export async function svc(...args: string[]): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const out = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk);
    return true;
  });
  const err = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk);
    return true;
  });
  try {
    const code = await run(['node', '/usr/bin/svc', ...args]);
    return { code, stdout, stderr };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** The same, its standard output read as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function svcJson(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await svc(...args, '--json');
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
