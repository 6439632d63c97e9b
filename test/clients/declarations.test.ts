import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const work = mkdtempSync(join(tmpdir(), 'declarations-'));
const library = join(work, 'node_modules', 'svc');

function tsc(...args: string[]): string {
  const { status, stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...args]);
  return status === 0 ? '' : String(stdout);
}

/** Compiles a program that knows the declarations of the package and its dependencies, and no types beside them. */
function compiled(program: string): string {
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, types: [] };
  writeFileSync(join(work, 'program.ts'), program);
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false }, files: ['program.ts'] }),
  );
  return tsc('-p', work);
}

describe('the declarations of the package', () => {
  beforeAll(() => {
    mkdirSync(library, { recursive: true });
    cpSync('package.json', join(library, 'package.json'));
    writeFileSync(join(work, 'package.json'), '{"private":true,"type":"module"}');
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
    for (const name of Object.keys(dependencies)) {
      const link = join(work, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve('node_modules', name), link);
    }
    const emitted = tsc(
      '-p',
      'tsconfig.build.json',
      '--outDir',
      join(library, 'dist'),
      '--emitDeclarationOnly',
      '--noCheck',
    );
    expect(emitted).toBe('');
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it('compile without skipLibCheck and without types that are only installed for development', () => {
    const program = `
      import { type CallOptions, compose, HttpClient, openPostgres, type Store } from 'svc';
      const client = new HttpClient('http://127.0.0.1:8741', { api_key: 'k' });
      export const names: Promise<string[]> = client.query('a').then(({ items }) => items.map(({ content }) => content));
      export const store: Promise<Store> = openPostgres('postgres://127.0.0.1/svc');
      const soon: CallOptions = { signal: AbortSignal.timeout(1000) };
      export const domains = client.domains(soon);
      export { compose };
      // @ts-expect-error The types are there: a number is no address.
      new HttpClient(8741);
    `;
    expect(compiled(program)).toBe('');
  });
});
