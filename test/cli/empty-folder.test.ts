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
      `There is nothing in the data directory ${directory} yet.\n` +
        'Ingest something first (`svc ingest <files or folder> --domain <name>`), or name another directory with --data-dir.\n',
    );
    expect(readdirSync(folder)).toEqual([]);
  }, 60_000);

  it('says in its status which directory that is, and whether it exists', async () => {
    const directory = join(folder, 'TYPO');
    const line = async (where: string) =>
      /^data_directory +(.*)$/mu.exec((await svc('status', '--data-dir', where)).stdout)?.[1];
    expect(await line(directory)).toBe(`${directory} (does not exist yet)`);
    expect(readdirSync(folder)).toEqual([]);
    expect(await line(folder)).toBe(folder);
  }, 60_000);

  it.each([
    ['rules', ['rules'], 0],
    ['documents', ['documents'], 0],
    ['domains', ['domains'], 0],
    ['explore', ['explore', 'd:none'], 1],
    ['status', ['status'], 0],
    ['stats', ['stats'], 0],
    ['compare', ['compare', 'what is known'], 0],
    ['graph checkpoints', ['graph', 'checkpoints'], 0],
    ['jobs list', ['jobs', 'list'], 0],
    ['edits list', ['edits', 'list'], 0],
    ['entities merges', ['entities', 'merges'], 0],
    ['sources list', ['sources', 'list'], 0],
    ['vectors list', ['vectors', 'list'], 0],
    ['interop status', ['interop', 'status'], 0],
    ['interop pending', ['interop', 'pending'], 0],
    ['interop signals', ['interop', 'signals'], 0],
    ['keys list', ['keys', 'list'], 2],
    ['learning status', ['learning', 'status'], 0],
    ['learning export', ['learning', 'export', '--format', 'csv'], 0],
    ['green status', ['green', 'status'], 0],
    ['green export', ['green', 'export', '--format', 'json'], 0],
    ['green export of a report', ['green', 'export', '--format', 'cdp'], 0],
    ['config', ['config'], 0],
    ['doctor', ['doctor'], 0],
    ['a dry run', ['ingest', 'package.json', '--domain', 'd', '--dry-run'], 0],
  ] as const)(
    'makes nothing: %s',
    async (_name, words, expected) => {
      const { code } = await svc(...words, '--data-dir', join(folder, 'data'));
      expect(code).toBe(expected);
      expect(readdirSync(folder)).toEqual([]);
    },
    60_000,
  );

  it('says that nothing matches where there is something, and what limits the search', async () => {
    const directory = join(folder, 'data');
    const input = JSON.stringify({ domain: 'tea', concepts: [{ name: 'Green tea', description: 'A tea.' }] });
    expect((await svc('call', 'ingest_structured', '--input', input, '--data-dir', directory)).code).toBe(0);
    const question = ['query', 'zeppelin', '--data-dir', directory];
    const { code, stdout } = await svc(...question);
    expect([code, stdout]).toEqual([
      0,
      `Nothing matches this in tea, in the data directory ${directory}.\nAsk in other words.\n`,
    ]);
    const limited = await svc(...question, '--domain', 'tea', '--min-confidence', '0.5');
    expect(limited.stdout).toContain('Ask in other words, or without --domain and --min-confidence.');
  }, 60_000);

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
