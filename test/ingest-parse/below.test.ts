import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesToIngest } from '../../src/cli/walk.js';
import { findFiles } from '../../src/ingest/jobs/find-files.js';
import { filesBelow } from '../../src/ingest/read/below.js';
import { read } from '../../src/ingest/read/read.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-below-'));
  await mkdir(join(root, 'old'));
  for (const name of [
    'Letter.docx',
    '~$Letter.docx',
    '.hidden.md',
    'old/~$Sales.csv',
    'old/~tilde.md',
    'old/$.md',
    'Thumbs.db',
    'desktop.ini',
    'old/~WRL0003.tmp',
  ])
    await writeFile(join(root, name), 'x');
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the files below a directory', () => {
  it('are all but dot files and those that programs keep beside documents', async () => {
    const found: string[] = [];
    for await (const { path } of filesBelow(root, { followLinks: false })) found.push(relative(root, path));
    expect(found).toEqual(['Letter.docx', 'old/$.md', 'old/~tilde.md']);
  });

  it('are those of the directory itself, not of packages that were installed there', async () => {
    const packages = ['site/node_modules/left-pad', 'site/env/lib/site-packages/six'];
    try {
      for (const folder of packages) {
        await mkdir(join(root, folder), { recursive: true });
        await writeFile(join(root, folder, 'README.md'), 'x');
      }
      await writeFile(join(root, 'site/node_modules.md'), 'x');
      const { files } = await findFiles([join(root, 'site')], { followLinks: false, maxFiles: 9 });
      expect(files).toEqual([join(root, 'site/node_modules.md')]);
      // One that is named is read.
      const named = await filesToIngest([join(root, 'site/node_modules')], false);
      expect(named.files).toEqual([join(root, packages[0]!, 'README.md')]);
    } finally {
      await rm(join(root, 'site'), { recursive: true });
    }
  });

  it('are read beside a directory that may not be, which fails by its name', async () => {
    await chmod(root, 0o755);
    await chmod(join(root, 'old'), 0o000);
    // Root may read everything: it acts as somebody else.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { files, skipped } = await findFiles([root], { followLinks: false, maxFiles: 9 });
      expect([files, skipped]).toEqual([[join(root, 'Letter.docx'), join(root, 'old')], []]);
      expect(await filesToIngest([root], false)).toEqual({ files, skipped, links: [], named: new Set() });
      const reading = read(join(root, 'old'), { maxBytes: 100 });
      await expect(reading).rejects.toThrow('old cannot be opened; check its permissions.');
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(root, 'old'), 0o700);
    }
  });
});
