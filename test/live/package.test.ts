import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const LONG = 900_000;
const root = resolve('.');
const work = mkdtempSync(join(tmpdir(), 'package-'));
const empty = join(work, 'empty');

function run(command: string, args: readonly string[], cwd: string) {
  const home = resolve(dirname(process.execPath), '..');
  const headers = existsSync(join(home, 'include', 'node', 'node.h')) ? { npm_config_nodedir: home } : {};
  const { NODE_OPTIONS: _options, ...rest } = process.env;
  const env = {
    ...rest,
    ...headers,
    ONNXRUNTIME_NODE_INSTALL: 'skip',
    SVC_DATA_DIR: join(work, 'data'),
    NO_COLOR: '1',
  };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}\n${stderr}`);
  return stdout;
}

describe('the npm package', () => {
  beforeAll(() => {
    // Packed from a copy of the files that git knows, so that nothing else on this disk gets in, and nothing is built here.
    const copy = join(work, 'copy');
    for (const file of execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')) {
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    run('npm', ['pack', '--pack-destination', work], copy);
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{"private":true}');
    const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
    run('npm', ['install', '--no-audit', '--no-fund', join(work, tarball!)], empty);
    // npm 12 asks before it runs install scripts; what earlier versions have compiled is not compiled again.
    const probe = "require('better-sqlite3')(':memory:'); require('hnswlib-node')";
    if (spawnSync(process.execPath, ['-e', probe], { cwd: empty }).status !== 0)
      run('npm', ['rebuild', 'better-sqlite3', 'hnswlib-node'], empty);
  }, LONG);
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it('holds what runs and nothing else', () => {
    const names = readdirSync(join(empty, 'node_modules', 'svc')).sort();
    expect(names).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'config',
      'dist',
      'models',
      'package.json',
      'schemas',
    ]);
    const pages = ['console', 'green', 'learning'].flatMap((page) => [`${page}.css`, `${page}.js`]);
    expect(readdirSync(join(empty, 'node_modules', 'svc', 'dist', 'web')).sort()).toEqual(pages);
  });

  it(
    'has declarations that compile without skipLibCheck, beside whatever types its dependencies bring',
    () => {
      const program = join(empty, 'program.ts');
      writeFileSync(program, "import { HttpClient } from 'svc';\nexport type Client = HttpClient;\n");
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false', '--noEmit'];
      run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, program], empty);
    },
    LONG,
  );

  it(
    'runs from an empty folder: help, a real ingest, a query, the library',
    () => {
      expect(run('npx', ['svc', '--help'], empty)).toContain('ingest');
      writeFileSync(join(empty, 'tower.md'), '# Aldra Tower\n\nThe Aldra Tower was designed by Mira Voss in 1911.');
      run('npx', ['svc', 'ingest', 'tower.md', '--domain', 'notes'], empty);
      const { items } = JSON.parse(run('npx', ['svc', 'query', 'Who designed the tower?', '--json'], empty)) as {
        items: Array<{ content: string }>;
      };
      expect(items[0]!.content).toContain('Mira Voss');
      const code = "import('svc').then((library) => console.log(Object.keys(library).length > 10))";
      expect(run(process.execPath, ['-e', code], empty).trim()).toBe('true');
    },
    LONG,
  );
});
