import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { svc } from './captured.js';

let folder: string;
let given: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-empty-test-'));
  given = process.env.SVC_EMBEDDING;
  process.env.SVC_EMBEDDING = 'none';
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (given === undefined) delete process.env.SVC_EMBEDDING;
  else process.env.SVC_EMBEDDING = given;
});

describe('a command that reads, in a folder without data', () => {
  it('says where it looked and what to do, and makes nothing', async () => {
    const directory = join(folder, 'data');
    const { code, stdout, stderr } = await svc('query', 'what is known', '--data-dir', directory);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `Nothing was found in the data directory ${directory}.\n` +
        'Ingest something first (`svc ingest <files or folder> --domain <name>`), or name another directory with --data-dir.\n',
    );
    expect(readdirSync(folder)).toEqual([]);
  }, 60_000);

  it.each([
    ['rules', ['rules'], 0],
    ['documents', ['documents'], 0],
    ['domains', ['domains'], 0],
    ['explore', ['explore', 'd:none'], 1],
  ] as const)(
    'makes nothing: %s',
    async (_name, words, expected) => {
      const { code } = await svc(...words, '--data-dir', join(folder, 'data'));
      expect(code).toBe(expected);
      expect(readdirSync(folder)).toEqual([]);
    },
    60_000,
  );

  it('takes options before the command as after it', async () => {
    const directory = join(folder, 'data');
    const before = await svc('--json', '--data-dir', directory, 'query', 'what is known');
    const after = await svc('query', 'what is known', '--json', `--data-dir=${directory}`);
    const same = ({ code, stdout }: { code: number; stdout: string }) => {
      const { query_id, ...answer } = JSON.parse(stdout) as Record<string, unknown>;
      return { code, id: typeof query_id, items: answer.items, rules: answer.rules };
    };
    expect(same(before)).toEqual({ code: 0, id: 'string', items: [], rules: [] });
    expect(same(after)).toEqual(same(before));
  }, 60_000);
});
